import type { Vault } from '../../../platform/crypto/crypto.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Dependencies } from '../../../platform/dependencies.ts'
import { enqueue } from '../../../platform/jobs/job.ts'
import { splitIntoSegments } from '../../../platform/text/sms-segments.ts'
import type { SendOutcome, SmsProvider } from '../../../providers/sms/port.ts'
import { lockMessagingFlag } from '../../company/index.ts'
import type { TextingNumber } from '../../numbers/index.ts'
import { publishMessage, recordMessageEvent } from '../events.ts'
import { settleAttempt } from '../jobs.ts'
import { MESSAGE_LIMITS } from '../limits.ts'
import { presentMessage, sealedTextContext } from '../present.ts'
import {
  endCooldown,
  insertAttempt,
  insertMessage,
  lockMessage,
  moveAttempt,
  nextIds,
  selectAttempt,
  updateAttemptDetails,
} from '../queries.ts'
import { selectMessage } from '../read-queries.ts'
import type { Message } from '../schemas.ts'
import { type AttemptStatus, mayFollow } from './attempt-status.ts'

export interface TextingParts extends Dependencies<'db' | 'clock'> {
  /** Encrypts texts. */
  texts: Vault
  /** The SMS provider. */
  sms: SmsProvider
  /** Timeout of the provider's response. */
  answerMs: number
  /** The base of the URLs for delivery reports. */
  callbackBase: () => string
}

/** A send attempt that is about to be made. */
export interface SendAttempt {
  companyId: string
  id: string
  messageId: string
  from: string
  to: string
  text: string
}

type Author = { type: 'employee'; employeeId: string; key: string } | { type: 'automation' }

/** Stores a text before it is sent. */
export async function storeOutgoing(
  tx: Tx,
  parts: TextingParts,
  { companyId, id: numberId, number }: TextingNumber,
  { to, text, author }: { to: string; text: string; author: Author },
): Promise<SendAttempt> {
  const { messageId } = await nextIds(tx)
  await insertMessage(tx, {
    company_id: companyId,
    id: messageId,
    business_number_id: numberId,
    direction: 'outbound',
    remote_number: to,
    author: author.type,
    ...(author.type === 'employee' && { employee_id: author.employeeId }),
    text_sealed: parts.texts.seal(text, sealedTextContext(companyId, messageId)),
    status: 'queued',
    encoding: splitIntoSegments(text).encoding,
  })
  await publishMessage(tx, companyId, { id: messageId, remoteNumber: to })
  const how =
    author.type === 'employee'
      ? ({ kind: 'send', key: author.key } as const)
      : ({ kind: 'auto_reply', key: null } as const)
  const id = await startAttempt(tx, parts, { companyId, messageId, numberId, ...how })
  return { companyId, id, messageId, from: number, to, text }
}

interface NewAttempt {
  companyId: string
  messageId: string
  numberId: string
  kind: 'send' | 'retry' | 'auto_reply'
  key: string | null
}

/** If this process dies before the provider responds, a job later sets the attempt to unknown. */
export async function startAttempt(
  tx: Tx,
  { clock, sms, answerMs }: TextingParts,
  { companyId, messageId, numberId, kind, key }: NewAttempt,
): Promise<string> {
  const { attemptId } = await nextIds(tx)
  const now = clock.now()
  await insertAttempt(tx, {
    company_id: companyId,
    id: attemptId,
    message_id: messageId,
    business_number_id: numberId,
    kind,
    idempotency_key: key,
    provider: sms.name,
    started_at: now,
  })
  const runAt = new Date(now.getTime() + answerMs + MESSAGE_LIMITS.settleGraceMs)
  await enqueue(tx, settleAttempt, { companyId, attemptId }, { runAt })
  return attemptId
}

/** Sends one request to the provider and stores the outcome. The attempt is committed by now. */
export async function sendAttempt(
  parts: TextingParts,
  attempt: SendAttempt,
): Promise<{ outcome: SendOutcome; message: Message }> {
  const { companyId, id, messageId, from, to, text } = attempt
  const statusUrl = `${parts.callbackBase()}/webhooks/${parts.sms.name}/delivery_reports?attempt=${id}`
  const outcome = await parts.sms.send({ from, to, text, statusUrl })
  return parts.db.tx(async (tx) => {
    await recordProviderUpdate(tx, parts, companyId, id, newsOf(outcome, text))
    const row = await selectMessage(tx, companyId, messageId)
    return { outcome, message: presentMessage(row!, parts.texts) }
  })
}

function newsOf(outcome: SendOutcome, text: string): ProviderUpdate {
  switch (outcome.is) {
    case 'accepted': {
      const count = outcome.parts ?? splitIntoSegments(text).parts
      return { status: 'accepted', providerMessageId: outcome.providerMessageId, parts: count }
    }
    case 'refused':
      return { status: 'failed', failureCode: outcome.failureCode }
    case 'unknown':
      return { status: 'unknown' }
  }
}

/** What the provider says about an attempt, in its response or a delivery report. */
export interface ProviderUpdate {
  status: Exclude<AttemptStatus, 'queued'>
  failureCode?: string | null
  providerMessageId?: string
  parts?: number | null
  at?: Date | null
}

/** Reports may come twice, late or out of order: they are stored, but the status only moves forward. */
export async function recordProviderUpdate(
  tx: Tx,
  { clock, texts }: Pick<TextingParts, 'clock' | 'texts'>,
  companyId: string,
  attemptId: string,
  { status, failureCode = null, providerMessageId, parts, at }: ProviderUpdate,
): Promise<void> {
  const messageId = (await selectAttempt(tx, companyId, attemptId))!.message_id
  const remoteNumber = await lockMessage(tx, companyId, messageId)
  const attempt = (await selectAttempt(tx, companyId, attemptId))!
  await updateAttemptDetails(tx, companyId, attemptId, {
    providerMessageId: providerMessageId ?? null,
    parts: parts ?? null,
  })
  if (!mayFollow(attempt.status, status)) return
  await moveAttempt(tx, companyId, attemptId, {
    status,
    failureCode: status === 'failed' ? (failureCode ?? 'provider_rejected') : null,
    deliveredAt: status === 'delivered' ? (at ?? clock.now()) : null,
  })
  if (status === 'failed') await endCooldown(tx, companyId, attemptId)
  if (!(await lockMessagingFlag(tx, companyId))) return
  await publishMessage(tx, companyId, { id: messageId, remoteNumber })
  await recordMessageEvent(tx, texts, 'message.status_changed', companyId, messageId)
}

/** For an attempt whose process died, or lost the database. */
export async function markAttemptUnknown(
  parts: Pick<TextingParts, 'db' | 'clock' | 'texts'>,
  companyId: string,
  attemptId: string,
): Promise<void> {
  await parts.db.tx(async (tx) => {
    const attempt = await selectAttempt(tx, companyId, attemptId)
    if (attempt?.status !== 'queued') return
    await lockMessage(tx, companyId, attempt.message_id)
    const settled = await selectAttempt(tx, companyId, attemptId)
    if (settled?.status === 'queued')
      await recordProviderUpdate(tx, parts, companyId, attemptId, { status: 'unknown' })
  })
}
