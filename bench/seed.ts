import type { Sql } from '../server/platform/db/database.ts'

export interface SeededCompany {
  companyId: string
  /** The first takes nearly all calls, the second one in a thousand. */
  numberIds: [string, string]
}

/** In half of all transcriptions. */
export const COMMON_WORD = 'invoice'
/** In ten calls, spread evenly over the time. */
export const RARE_WORD = 'giraffe'
/** In no call. */
export const NO_WORD = 'zebra'

/** Other words, so that the index is as large as a real one. */
const VOCABULARY = 4_000
const PERSONS = 200

/**
 * Fills companies with ended calls, half of them transcribed, in the order of their ids, as time would. Every third is
 * outbound. The indexes are made again afterwards, which takes a fraction of filling them row by row.
 */
export async function seedCalls(sql: Sql, companies: (SeededCompany & { calls: number })[]): Promise<void> {
  const seeding = await sql.reserve()
  try {
    await seeding`set statement_timeout = 0`
    await seeding`set maintenance_work_mem = '256MB'`
    const indexes = await seeding<{ name: string; definition: string }[]>`
      select indexname as name, indexdef as definition from pg_indexes
      where tablename = 'calls' and indexname <> 'calls_pkey'`
    for (const { name } of indexes) await seeding`drop index ${seeding(name)}`
    // Foreign keys are not checked a million times; the triggers that are ours do run.
    await seeding`alter table calls disable trigger all`
    await seeding`alter table calls enable trigger user`
    for (const company of companies) await insertCalls(seeding, company)
    await seeding`alter table calls enable trigger all`
    for (const { definition } of indexes) await seeding.unsafe(definition)
    await seeding`vacuum analyze calls`
    await seeding`vacuum analyze call_slices`
    await seeding`reset all`
  } finally {
    seeding.release()
  }
}

function insertCalls(sql: Sql, { companyId, numberIds, calls }: SeededCompany & { calls: number }) {
  return sql`
    insert into calls (
      company_id, business_number_id, direction, remote_number, state, started_at, answered_at, ended_at,
      summary, transcription, recording_key
    )
    select ${companyId}, case when n % 1000 = 7 then ${numberIds[1]}::uuid else ${numberIds[0]}::uuid end,
      case when n % 3 = 0 then 'outbound' else 'inbound' end, '+45' || 20000000 + n % ${PERSONS}, 'ended', at, at, at,
      'Asked about an order',
      case when n % 2 = 0 then concat_ws(' ', 'Thank you for calling',
        case when n % 4 = 0 then ${COMMON_WORD}::text end,
        case when n % ${calls / 10} = 0 then ${RARE_WORD}::text end,
        'word' || (n * 7) % ${VOCABULARY} || 'x', 'word' || (n * 11) % ${VOCABULARY} || 'x', 'one' || n % 100, 'two' || n % 1000
      ) end,
      'recordings/' || n || '.wav'
    from (select n, now() - make_interval(secs => ${calls} - n) as at from generate_series(1, ${calls}) as n) as times`
}

/** Every fifth has not been listened to. */
export async function seedVoicemails(
  sql: Sql,
  { companyId, numberIds }: SeededCompany,
  voicemails: number,
): Promise<void> {
  await sql`
    insert into voicemails (company_id, business_number_id, from_number, listened_at, transcription, recording_key)
    select ${companyId}, ${numberIds[0]}, '+45' || 20000000 + n, case when n % 5 > 0 then now() end,
      'Please call me back about the order', 'recordings/' || n || '.wav'
    from generate_series(1, ${voicemails}) as n`
}
