import type { Tx } from '../../../platform/db/database.ts'
import { fail, notFound } from '../../../platform/errors.ts'
import { type Actor, Replayed } from '../../../platform/http/route.ts'
import { notRetryable, numberCannotSend } from '../errors.ts'
import { publishMessage, recordMessageEvent } from '../events.ts'
import { presentMessage } from '../present.ts'
import { lockMessage, lockSender, requeueMessage, retryExists } from '../queries.ts'
import { selectMessage } from '../read-queries.ts'
import type { Message, MessageRetry, RetriedMessage } from '../schemas.ts'
import { type SendAttempt, startAttempt, type TextingParts } from './attempts.ts'
import { requireIdempotencyKey } from './idempotency-keys.ts'
import { requireOutsideRecipient, requireSendingEmployee, requireSendRate, sendAndPresent } from './send.ts'

/** Sends a text again that has definitely failed: the same message, a new attempt. */
export async function retryMessage(
  parts: TextingParts,
  actor: Actor,
  id: string,
  input: MessageRetry,
  keyInHeader: string | undefined,
): Promise<RetriedMessage | Replayed<RetriedMessage>> {
  const { sql } = parts.db
  const { business_number_id } = (await selectMessage(sql, actor.companyId, id)) ?? fail(notFound())
  const key = requireIdempotencyKey(keyInHeader, input.idempotency_key)
  const reserved = await parts.db.tx(async (tx) => {
    await lockSender(tx, business_number_id)
    return reserveRetry(tx, parts, actor, id, key)
  })
  if (reserved instanceof Replayed) return reserved
  return present(await sendAndPresent(parts, reserved))
}

async function reserveRetry(
  tx: Tx,
  parts: TextingParts,
  actor: Actor,
  messageId: string,
  key: string,
): Promise<SendAttempt | Replayed<RetriedMessage>> {
  const { companyId } = actor
  await lockMessage(tx, companyId, messageId)
  const row = (await selectMessage(tx, companyId, messageId))!
  const message = presentMessage(row, parts.texts)
  if (await retryExists(tx, companyId, messageId, key)) return new Replayed(present(message))
  if (message.status !== 'failed' || message.author.type === 'automation') throw notRetryable()
  if (!message.can_retry) throw numberCannotSend()
  await requireOutsideRecipient(tx, companyId, message.to)
  await requireSendingEmployee(tx, actor)
  await requireSendRate(tx, parts, companyId, message.business_number_id)
  await requeueMessage(tx, companyId, messageId)
  const numberId = message.business_number_id
  const id = await startAttempt(tx, parts, { companyId, messageId, numberId, kind: 'retry', key })
  await publishMessage(tx, companyId, { id: messageId, remoteNumber: message.to })
  await recordMessageEvent(tx, parts.texts, 'message.status_changed', companyId, messageId)
  return { companyId, id, messageId, from: message.from, to: message.to, text: message.text }
}

const present = ({ id, type, format, status, can_retry }: Message): RetriedMessage => ({
  id,
  type,
  format,
  status,
  can_retry,
})
