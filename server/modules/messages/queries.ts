import type { Queryable, Tx } from '../../platform/db/database.ts'
import { firstRow, firstValue, hasRow, oneRow, oneValue } from '../../platform/db/rows.ts'
import type { AttemptStatus } from './sending/attempt-status.ts'

export function nextIds(tx: Tx) {
  return oneRow(tx<{ messageId: string; attemptId: string }[]>`
    select new_id() as "messageId", new_id() as "attemptId"`)
}

/** Serialises sends from this number until the transaction ends, for idempotency keys and the rate limit. */
export async function lockSender(tx: Tx, numberId: string) {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`texts from ${numberId}`}, 0))`
}

export function countSendsSince(tx: Tx, companyId: string, numberId: string, since: Date) {
  return oneValue(tx<{ count: number }[]>`
    select count(*)::int as count from message_attempts
    where company_id = ${companyId} and business_number_id = ${numberId} and kind <> 'auto_reply'
      and started_at > ${since}`)
}

export function selectMessageOfSend(tx: Tx, companyId: string, numberId: string, key: string) {
  return firstValue(tx<{ message_id: string }[]>`
    select message_id from message_attempts
    where company_id = ${companyId} and business_number_id = ${numberId} and idempotency_key = ${key}
      and kind = 'send'`)
}

export function retryExists(tx: Tx, companyId: string, messageId: string, key: string) {
  return hasRow(tx`
    select from message_attempts
    where company_id = ${companyId} and message_id = ${messageId} and idempotency_key = ${key} and kind = 'retry'`)
}

/** Whether somebody by this name, who has no number, has called or written. */
export async function isKnownSender(sql: Queryable, companyId: string, name: string) {
  const rows =
    await sql`select from external_numbers where company_id = ${companyId} and phone_number = ${name}`
  return rows.length === 1
}

interface NewMessage {
  company_id: string
  id: string
  business_number_id: string
  direction: 'inbound' | 'outbound'
  remote_number: string
  author: 'customer' | 'employee' | 'automation'
  employee_id?: string
  text_sealed: Buffer
  status: 'queued' | 'received' | 'delivered'
  sms_count?: number
  encoding: 'gsm7' | 'ucs2'
  provider?: string
  provider_message_id?: string
  received_at?: Date | null
  delivered_at?: Date
}

/** Whether it was stored: an incoming text that the provider delivers again is not. */
export function insertMessage(tx: Tx, message: NewMessage) {
  return hasRow(tx`
    insert into messages ${tx(message as never)}
    on conflict (company_id, provider, provider_message_id) where direction = 'inbound' do nothing returning id`)
}

interface NewAttempt {
  company_id: string
  id: string
  message_id: string
  business_number_id: string
  kind: 'send' | 'retry' | 'auto_reply'
  idempotency_key: string | null
  provider: string
  started_at: Date
}

export async function insertAttempt(tx: Tx, attempt: NewAttempt) {
  await tx`insert into message_attempts ${tx({ ...attempt })}`
}

/** Locks the message until the transaction ends. Returns its phone number. */
export function lockMessage(tx: Tx, companyId: string, id: string) {
  return oneValue(tx<{ remote_number: string }[]>`
    select remote_number from messages where company_id = ${companyId} and id = ${id} for update`)
}

export async function requeueMessage(tx: Tx, companyId: string, id: string) {
  await tx`
    update messages set status = 'queued', failure_code = null, sms_count = null
    where company_id = ${companyId} and id = ${id}`
}

export function selectAttempt(tx: Tx, companyId: string, id: string) {
  return firstRow(tx<{ message_id: string; status: AttemptStatus }[]>`
    select message_id, status from message_attempts where company_id = ${companyId} and id = ${id}`)
}

/** Stores the details of an attempt, whatever its status. */
export async function updateAttemptDetails(
  tx: Tx,
  companyId: string,
  id: string,
  { providerMessageId, parts }: { providerMessageId: string | null; parts: number | null },
) {
  await tx`
    with attempt as (
      update message_attempts set provider_message_id = coalesce(provider_message_id, ${providerMessageId})
      where company_id = ${companyId} and id = ${id} returning message_id
    )
    update messages set sms_count = coalesce(sms_count, ${parts}::smallint) from attempt
    where company_id = ${companyId} and id = attempt.message_id`
}

interface Move {
  status: AttemptStatus
  failureCode: string | null
  deliveredAt: Date | null
}

export async function moveAttempt(
  tx: Tx,
  companyId: string,
  id: string,
  { status, failureCode, deliveredAt }: Move,
) {
  await tx`
    with attempt as (
      update message_attempts set status = ${status}, failure_code = ${failureCode}
      where company_id = ${companyId} and id = ${id} returning message_id
    )
    update messages set status = ${status}, failure_code = ${failureCode}, delivered_at = ${deliveredAt}
    from attempt where company_id = ${companyId} and id = attempt.message_id`
}

interface Reported {
  companyId: string
  numberId: string
  remoteNumber: string
  provider: string
  providerMessageId: string
  /** From the URL of the report. */
  attemptId: string | undefined
}

/** The attempt that a report is about. Until the provider's id is known, only the URL identifies it. */
export function selectReportedAttempt(sql: Queryable, reported: Reported) {
  const { companyId, numberId, remoteNumber, provider, providerMessageId, attemptId } = reported
  return firstValue(sql<{ id: string }[]>`
    select a.id from message_attempts a join messages m on m.company_id = a.company_id and m.id = a.message_id
    where a.company_id = ${companyId} and a.business_number_id = ${numberId} and a.provider = ${provider}
      and m.remote_number = ${remoteNumber} and ${
        attemptId
          ? sql`a.id = ${attemptId} and coalesce(a.provider_message_id, ${providerMessageId}) = ${providerMessageId}`
          : sql`a.provider_message_id = ${providerMessageId}`
      }
    limit 1`)
}

interface Answered {
  company_id: string
  id: string
  business_number_id: string
  remote_number: string
}

/** Whether to reply to the text: among concurrent ones, and within the cooldown, only one gets a reply. */
export function claimAutoReply(
  tx: Tx,
  { company_id, id, business_number_id, remote_number }: Answered,
  { now, notSince }: { now: Date; notSince: Date },
) {
  const claim = { company_id, business_number_id, remote_number, message_id: id, replied_at: now }
  return hasRow(tx`
    insert into auto_replies ${tx(claim)}
    on conflict (company_id, business_number_id, remote_number) do update
      set replied_at = excluded.replied_at, message_id = excluded.message_id
    where auto_replies.replied_at <= ${notSince}
      and (auto_replies.message_id is null or auto_replies.message_id < excluded.message_id)
    returning replied_at`)
}

/**
 * Ends the cooldown that a failed automatic reply began: the customer has got nothing. The text that it was for stays
 * answered. A later reply has begun its own cooldown, after this one was sent.
 */
export async function endCooldown(tx: Tx, companyId: string, attemptId: string) {
  await tx`
    update auto_replies r set replied_at = '-infinity'
    from message_attempts a join messages m on m.company_id = a.company_id and m.id = a.message_id
    where a.company_id = ${companyId} and a.id = ${attemptId} and a.kind = 'auto_reply'
      and r.company_id = ${companyId} and r.business_number_id = a.business_number_id
      and r.remote_number = m.remote_number and r.replied_at <= a.started_at`
}

/** A part of a statement in which `seen` has the items that somebody has seen now: what of them is a message is seen. */
export const markMessagesSeen = (tx: Tx, companyId: string) => tx`
  update messages set seen_at = seen.seen_at from seen
  where seen.type = 'message' and messages.company_id = ${companyId} and messages.id = seen.id`
