import type { Clock } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { enqueueForCompany } from '../../../platform/jobs/job.ts'
import { isPhoneNumber } from '../../../platform/text/phone.ts'
import { findAutoReply, findTextingNumber, type TextingNumber } from '../../numbers/index.ts'
import { autoReply } from '../jobs.ts'
import { claimAutoReply } from '../queries.ts'
import { selectMessage } from '../read-queries.ts'
import { type SendAttempt, sendAttempt, storeOutgoing, type TextingParts } from './attempts.ts'

const MINUTE_MS = 60_000

/** Part of storing an incoming text. */
export async function orderAutoReply(
  tx: Tx,
  clock: Clock,
  number: TextingNumber,
  { messageId, from }: { messageId: string; from: string },
): Promise<void> {
  const { companyId, id } = number
  if (!number.canSend || number.isOpen(clock.now()) || !isPhoneNumber(from)) return
  if (await findAutoReply(tx, companyId, id)) await enqueueForCompany(tx, autoReply, { companyId, messageId })
}

/**
 * Checks everything again, because it may have changed since the text arrived. Unless it definitely fails, the number
 * does not reply to the same customer again before the cooldown is over, and never to the same text: a job that runs
 * twice sends once.
 */
export async function sendAutoReply(
  parts: TextingParts,
  companyId: string,
  messageId: string,
): Promise<void> {
  const attempt = await parts.db.tx((tx) => reserveAutoReply(tx, parts, companyId, messageId))
  if (attempt) await sendAttempt(parts, attempt)
}

async function reserveAutoReply(
  tx: Tx,
  parts: TextingParts,
  companyId: string,
  messageId: string,
): Promise<SendAttempt | undefined> {
  const message = await selectMessage(tx, companyId, messageId)
  if (!message) return undefined
  const { business_number_id: numberId, remote_number: to } = message
  const number = await findTextingNumber(tx, companyId, numberId)
  const reply = await findAutoReply(tx, companyId, numberId)
  const now = parts.clock.now()
  if (!number?.canSend || !reply || number.isOpen(now)) return undefined
  const notSince = new Date(now.getTime() - reply.cooldownMinutes * MINUTE_MS)
  if (!(await claimAutoReply(tx, message, { now, notSince }))) return undefined
  return storeOutgoing(tx, parts, number, { to, text: reply.text, author: { type: 'automation' } })
}
