import { connect, type Database, type Sql } from '../server/platform/db/database.ts'

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
 * Fills tables at once: without their indexes, which are made again afterwards in a fraction of the time, without
 * checks of foreign keys, and without triggers but those named.
 */
export async function refill(
  db: Database,
  tables: string[],
  fill: (seeding: Sql) => Promise<void>,
  triggers: string[] = [],
): Promise<void> {
  const seeding = connect(db.address, { max: 1 })
  try {
    await seeding`set statement_timeout = 0`
    await seeding`set maintenance_work_mem = '256MB'`
    await seeding`set work_mem = '128MB'`
    const indexes = await seeding<{ name: string; definition: string }[]>`
      select indexname as name, indexdef as definition from pg_indexes
      where tablename = any(${tables}) and indexname not in (select conname from pg_constraint)`
    for (const { name } of indexes) await seeding`drop index ${seeding(name)}`
    for (const table of tables) await seeding`alter table ${seeding(table)} disable trigger all`
    for (const name of triggers)
      await seeding`alter table ${seeding(tables[0]!)} enable trigger ${seeding(name)}`
    await fill(seeding)
    for (const table of tables) await seeding`alter table ${seeding(table)} enable trigger all`
    for (const { definition } of indexes) await seeding.unsafe(definition)
    for (const table of tables) await seeding`vacuum analyze ${seeding(table)}`
  } finally {
    await seeding.end()
  }
}

/**
 * Fills companies with ended calls, half of them transcribed, in the order of their ids, as time would. Every third is
 * outbound.
 */
export async function seedCalls(
  db: Database,
  companies: (SeededCompany & { calls: number })[],
): Promise<void> {
  const fill = async (seeding: Sql) => {
    for (const company of companies) await insertCalls(seeding, company)
    await seeding`vacuum analyze call_slices`
  }
  await refill(db, ['calls'], fill, ['new_call_words'])
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
  db: Database,
  company: SeededCompany,
  voicemails: number,
): Promise<void> {
  const fill = async (seeding: Sql) => {
    await insertVoicemails(seeding, company, voicemails)
  }
  await refill(db, ['voicemails'], fill)
}

function insertVoicemails(sql: Sql, { companyId, numberIds }: SeededCompany, voicemails: number) {
  return sql`
    insert into voicemails (company_id, business_number_id, from_number, listened_at, transcription, recording_key)
    select ${companyId}, ${numberIds[0]}, '+45' || 20000000 + n, case when n % 5 > 0 then now() end,
      'Please call me back about the order', 'recordings/' || n || '.wav'
    from generate_series(1, ${voicemails}) as n`
}
