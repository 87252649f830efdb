import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { fail, fieldError, notFound } from '../../../platform/errors.ts'
import { type Actor, Replayed } from '../../../platform/http/route.ts'
import {
  isShortCode,
  isShortNumberAbroad,
  normalizePhone,
  WITHHELD_NUMBER,
} from '../../../platform/text/phone.ts'
import { companyCountry, NOT_A_PHONE_NUMBER } from '../../company/index.ts'
import { keepEmployees } from '../../employees/index.ts'
import { findTextingNumber, isNumberOf, type TextingNumber } from '../../numbers/index.ts'
import {
  cannotReply,
  idempotencyKeyReused,
  mmsNotSupported,
  notAnEmployee,
  numberCannotSend,
  outcomeUnknown,
  ownNumber,
  refusedByProvider,
  tooManyTexts,
} from '../errors.ts'
import { MESSAGE_LIMITS } from '../limits.ts'
import { presentMessage } from '../present.ts'
import { countSendsSince, isKnownSender, lockSender, selectMessageOfSend } from '../queries.ts'
import { selectMessage } from '../read-queries.ts'
import type { Message, MessageSend } from '../schemas.ts'
import { type SendAttempt, sendAttempt, storeOutgoing, type TextingParts } from './attempts.ts'
import { requireIdempotencyKey } from './idempotency-keys.ts'

/** Stored before it is sent: whatever happens in between, it is known that it may have been sent. */
export async function sendText(
  parts: TextingParts,
  actor: Actor,
  numberId: string,
  input: MessageSend,
  keyInHeader: string | undefined,
): Promise<Message | Replayed<Message>> {
  const { sql } = parts.db
  const number = (await findTextingNumber(sql, actor.companyId, numberId)) ?? fail(notFound())
  if (input.format === 'mms') throw mmsNotSupported()
  const key = requireIdempotencyKey(keyInHeader, input.idempotency_key)
  const to = await recipientOf(sql, actor.companyId, input.to)
  const text = { to, text: input.text, key }
  const reserved = await parts.db.tx((tx) => reserveSend(tx, parts, actor, number, text))
  if (reserved instanceof Replayed) return reserved
  return sendAndPresent(parts, reserved)
}

async function recipientOf(sql: Queryable, companyId: string, input: string): Promise<string> {
  const to = normalizePhone(input, await companyCountry(sql, companyId))
  if (to === undefined || isShortCode(input)) {
    if (input === WITHHELD_NUMBER || (await isKnownSender(sql, companyId, input))) throw cannotReply()
  }
  if (to === undefined || isShortNumberAbroad(to)) throw fieldError('to', NOT_A_PHONE_NUMBER)
  return to
}

/** Of several requests with one key, the first one sends. */
async function reserveSend(
  tx: Tx,
  parts: TextingParts,
  actor: Actor,
  number: TextingNumber,
  { to, text, key }: { to: string; text: string; key: string },
): Promise<SendAttempt | Replayed<Message>> {
  await lockSender(tx, number.id)
  const earlier = await selectMessageOfSend(tx, actor.companyId, number.id, key)
  if (earlier) return replay(tx, parts, actor, earlier, { to, text })
  await requireOutsideRecipient(tx, actor.companyId, to)
  if (!number.canSend) throw numberCannotSend()
  await requireSendingEmployee(tx, actor)
  await requireSendRate(tx, parts, actor.companyId, number.id)
  const author = { type: 'employee', employeeId: actor.employeeId, key } as const
  return storeOutgoing(tx, parts, number, { to, text, author })
}

async function replay(
  tx: Tx,
  { texts }: TextingParts,
  actor: Actor,
  messageId: string,
  wanted: { to: string; text: string },
): Promise<Replayed<Message>> {
  const row = await selectMessage(tx, actor.companyId, messageId)
  const message = presentMessage(row!, texts)
  const same =
    message.to === wanted.to && message.text === wanted.text && row!.employee_id === actor.employeeId
  if (!same) throw idempotencyKeyReused()
  return new Replayed(message)
}

/** Called after the search for a replay: since the first request, the company may have got the number of the recipient. */
export async function requireOutsideRecipient(tx: Tx, companyId: string, to: string): Promise<void> {
  if (await isNumberOf(tx, companyId, to)) throw ownNumber()
}

export async function requireSendingEmployee(tx: Tx, actor: Actor): Promise<void> {
  const [employee] = await keepEmployees(tx, actor.companyId, [actor.employeeId])
  if (!employee) throw notAnEmployee()
}

/** Counted while the sender is locked, so that concurrent requests cannot exceed the limit. */
export async function requireSendRate(
  tx: Tx,
  { clock }: TextingParts,
  companyId: string,
  numberId: string,
): Promise<void> {
  const since = new Date(clock.now().getTime() - MESSAGE_LIMITS.rateWindowMs)
  if ((await countSendsSince(tx, companyId, numberId, since)) >= MESSAGE_LIMITS.perMinute)
    throw tooManyTexts()
}

/** Sends it; if the provider does not accept it, the error has the id of the message. */
export async function sendAndPresent(parts: TextingParts, attempt: SendAttempt): Promise<Message> {
  const { outcome, message } = await sendAttempt(parts, attempt).catch((error: unknown) =>
    fail(outcomeUnknown(attempt.messageId, error)),
  )
  if (outcome.is === 'refused') throw refusedByProvider(outcome.error, attempt.messageId)
  // A report may have come before the response, with better information.
  if (message.status === 'unknown') throw outcomeUnknown(attempt.messageId)
  return message
}
