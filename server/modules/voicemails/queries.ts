import type { Queryable, Tx } from '../../platform/db/database.ts'
import { firstRow, firstValue, oneValue } from '../../platform/db/rows.ts'
import { contactNameOf } from '../contacts/index.ts'
import { type TranscriptionStatus, transcriptionStatusOf, transcriptOf } from '../transcripts/index.ts'
import { VOICEMAIL_LIMITS } from './limits.ts'

export interface VoicemailRow {
  id: string
  from: string
  listened_at: Date | null
  transcription: string | null
  transcription_status: TranscriptionStatus
  created_at: Date
  recording_key: string | null
  call_id: string | null
  contact_name: string | null
  duration: number | null
  main_number_id: string
  main_number_name: string
  number: string
}

const columns = (sql: Queryable) => sql`
  v.id, v.from_number as from, v.listened_at, ${transcriptOf(sql, sql`v.transcription`)} as transcription,
  ${transcriptionStatusOf(sql, 'voicemail', {
    companyId: sql`v.company_id`,
    id: sql`v.id`,
    recordingKey: sql`v.recording_key`,
    transcription: sql`v.transcription`,
  })} as transcription_status,
  v.created_at, v.recording_key, v.call_id, v.seconds as duration,
  ${contactNameOf(sql, sql`v.company_id`, sql`v.from_number`)} as contact_name,
  n.id as main_number_id, n.name as main_number_name, n.number`

const tables = (sql: Queryable) => sql`
  voicemails v join business_numbers n on n.company_id = v.company_id and n.id = v.business_number_id`

export function selectVoicemail(sql: Queryable, companyId: string, id: string) {
  return firstRow(sql<VoicemailRow[]>`
    select ${columns(sql)} from ${tables(sql)} where v.company_id = ${companyId} and v.id = ${id}`)
}

/** Undefined if the recording is already stored as a voicemail. */
export function insertVoicemail(
  tx: Tx,
  companyId: string,
  call: { id: string; business_number_id: string; remote_number: string },
  { key, seconds }: { key: string; seconds: number },
) {
  return firstValue(tx<{ id: string }[]>`
    insert into voicemails (company_id, business_number_id, call_id, from_number, recording_key, seconds)
    select ${companyId}::uuid, ${call.business_number_id}::uuid, ${call.id}::uuid, ${call.remote_number}, ${key},
      ${seconds}::int
    where not exists (
      select from voicemails
      where company_id = ${companyId} and call_id = ${call.id} and recording_key = ${key}
    ) returning id`)
}

export interface VoicemailSourceRow {
  recording_key: string | null
  call_id: string | null
  language: string
  /** The caller's name in the address book, or else their number. */
  customer: string
}

export function selectVoicemailSource(sql: Queryable, companyId: string, id: string) {
  return firstRow(sql<VoicemailSourceRow[]>`
    select v.recording_key, v.call_id, n.language,
      coalesce(${contactNameOf(sql, sql`v.company_id`, sql`v.from_number`)}, v.from_number) as customer
    from ${tables(sql)} where v.company_id = ${companyId} and v.id = ${id}`)
}

/** False if the voicemail no longer exists. */
export async function updateVoicemailTranscript(tx: Tx, companyId: string, id: string, text: string) {
  const { count } = await tx`
    update voicemails set transcription = ${text} where company_id = ${companyId} and id = ${id}`
  return count === 1
}

/** The newest voicemails before `beforeId`. */
export function selectVoicemailsBefore(
  sql: Queryable,
  companyId: string,
  beforeId: string | undefined,
  limit: number,
) {
  return sql<VoicemailRow[]>`
    select ${columns(sql)} from ${tables(sql)}
    where v.company_id = ${companyId} ${beforeId ? sql`and v.id < ${beforeId}` : sql``}
    order by v.id desc limit ${limit}`
}

/**
 * The newest voicemails with all these words in their transcript, or in the caller's name or number. It reads the
 * voicemails of the company one after another until there are enough, and no more than the newest few thousand: a word
 * that nobody said must not cost as much as all of them.
 */
export function selectVoicemailsWith(sql: Queryable, companyId: string, words: string[], limit: number) {
  return sql<VoicemailRow[]>`
    with words as materialized (select search_text(word) as word from unnest(${words}::text[]) as word)
    select ${columns(sql)} from (
      select newest.* from (
        select * from voicemails where company_id = ${companyId}
        order by id desc limit ${VOICEMAIL_LIMITS.searchedNewest}
      ) as newest
      cross join lateral (
        select search_text(concat_ws(' ', transcription, from_number,
          ${contactNameOf(sql, sql`newest.company_id`, sql`newest.from_number`)})) as text
      ) as said
      where not exists (select from words where strpos(said.text, words.word) = 0)
      order by newest.id desc limit ${limit}
    ) as v join business_numbers n on n.company_id = v.company_id and n.id = v.business_number_id
    order by v.id desc`
}

export function countUnlistened(sql: Queryable, companyId: string) {
  return oneValue(sql<{ count: number }[]>`
    select count(*)::int as count from voicemails where company_id = ${companyId} and listened_at is null`)
}

/** Keeps the time at which the voicemail was first listened to. */
export async function updateListened(tx: Tx, companyId: string, id: string, listenedAt: Date | null) {
  await tx`
    update voicemails set listened_at = ${listenedAt ? tx`coalesce(listened_at, ${listenedAt})` : null}
    where company_id = ${companyId} and id = ${id}`
}

export function deleteVoicemailRow(tx: Tx, companyId: string, id: string) {
  return firstRow(tx<{ recording_key: string | null; call_id: string | null }[]>`
    delete from voicemails where company_id = ${companyId} and id = ${id} returning recording_key, call_id`)
}
