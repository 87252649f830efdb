import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { firstRow, firstValue, hasRow, oneValue } from '../../../platform/db/rows.ts'

export interface DueCall {
  change_id: string
  /** Without the speakers' names, which would make all calls of the same people similar. */
  said: string | null
  context_text: string | null
  language: string
}

/** Undefined if nothing has changed since the embeddings were computed. */
export function selectDueCall(sql: Queryable, companyId: string, callId: string) {
  return firstRow(sql<DueCall[]>`
    select d.change_id, c.context_text, n.language,
      case when c.transcription is not null then coalesce(
        (
          select string_agg(turn ->> 'text', E'\\n' order by position)
          from jsonb_array_elements(c.transcription_segments) with ordinality as turns (turn, position)
        ),
        c.transcription
      ) end as said
    from call_meanings_due d
    join calls c on c.company_id = d.company_id and c.id = d.call_id
    join business_numbers n on n.company_id = c.company_id and n.id = c.business_number_id
    where d.company_id = ${companyId} and d.call_id = ${callId}`)
}

/** False if the text has changed again since it was read. */
export function deleteDueCall(tx: Tx, companyId: string, callId: string, changeId: string) {
  return hasRow(tx`
    delete from call_meanings_due
    where company_id = ${companyId} and call_id = ${callId} and change_id = ${changeId} returning 1`)
}

export async function deleteEmbeddings(tx: Tx, companyId: string, callId: string) {
  await tx`delete from call_meanings where company_id = ${companyId} and call_id = ${callId}`
}

export interface NewEmbedding {
  callId: string
  part: number
  signs: string
  vector: Buffer
}

/** Returns the id of the nearest cell, which the embedding joins; undefined if there is no cell yet. */
export function insertEmbedding(
  tx: Tx,
  companyId: string,
  model: string,
  { callId, part, signs, vector }: NewEmbedding,
) {
  return firstValue(tx<{ cell: number }[]>`
    insert into call_meanings (company_id, call_id, part, cell, signs, vector)
    select ${companyId}, ${callId}, ${part}, id, ${signs}::varbit, ${vector}
    from meaning_cells
    where company_id = ${companyId} and model = ${model} and dimensions = ${signs.length}
    order by bit_count(centre # ${signs}::varbit), id limit 1
    returning cell`)
}

export function insertCell(tx: Tx, companyId: string, model: string, centre: string): Promise<number> {
  return oneValue(tx<{ id: number }[]>`
    insert into meaning_cells (company_id, model, dimensions, centre)
    values (${companyId}, ${model}, ${centre.length}, ${centre}::varbit) returning id`)
}

export function countCell(tx: Tx, companyId: string, cell: number): Promise<number> {
  return oneValue(tx<{ size: number }[]>`
    select count(*)::integer as size from call_meanings where company_id = ${companyId} and cell = ${cell}`)
}

/** A cell is split by one transaction at a time. */
export function lockCell(tx: Tx, companyId: string, cell: number) {
  return firstRow(tx<{ model: string }[]>`
    select model from meaning_cells where company_id = ${companyId} and id = ${cell} for update`)
}

export function selectCell(tx: Tx, companyId: string, cell: number) {
  return tx<{ call_id: string; part: number; vector: Buffer }[]>`
    select call_id, part, vector from call_meanings where company_id = ${companyId} and cell = ${cell}
    order by call_id, part`
}

export async function updateCentre(tx: Tx, companyId: string, cell: number, centre: string) {
  await tx`
    update meaning_cells set centre = ${centre}::varbit where company_id = ${companyId} and id = ${cell}`
}

export async function moveEmbeddings(
  tx: Tx,
  companyId: string,
  to: number,
  moved: { call_id: string; part: number }[],
) {
  await tx`
    update call_meanings m set cell = ${to}
    from unnest(${moved.map((one) => one.call_id)}::uuid[], ${moved.map((one) => one.part)}::integer[])
      as moved (call_id, part)
    where m.company_id = ${companyId} and m.call_id = moved.call_id and m.part = moved.part`
}

/** Across all companies. Enqueues calls that have embeddings of another model. */
export async function enqueueOutdated(tx: Tx, model: string, limit: number): Promise<number> {
  const ordered = await tx`
    select order_call_meanings(company_id, call_id) from (
      select distinct m.company_id, m.call_id
      from meaning_cells c join call_meanings m on m.company_id = c.company_id and m.cell = c.id
      where c.model <> ${model} and not exists (
        select from call_meanings_due d where d.company_id = m.company_id and d.call_id = m.call_id
      )
      limit ${limit}
    ) outdated`
  return ordered.length
}

export async function deleteOutdatedCells(tx: Tx, model: string) {
  await tx`
    delete from meaning_cells c where model <> ${model} and not exists (
      select from call_meanings m where m.company_id = c.company_id and m.cell = c.id
    )`
}

export interface DueCursor {
  companyId: string
  callId: string
}

/** Across all companies. Enqueues work that was lost or skipped while there was no engine. Returns the next cursor. */
export async function enqueueDueAgain(tx: Tx, after: DueCursor | undefined, limit: number) {
  const ordered = await tx<DueCursor[]>`
    select company_id as "companyId", call_id as "callId", order_call_meanings(company_id, call_id) from (
      select company_id, call_id from call_meanings_due
      ${after ? tx`where (company_id, call_id) > (${after.companyId}, ${after.callId})` : tx``}
      order by company_id, call_id limit ${limit}
    ) due
    order by company_id, call_id`
  return ordered.length === limit ? ordered.at(-1) : undefined
}

/** The job that the database has enqueued for a new text runs some minutes later instead. */
export async function postponeEmbedding(tx: Tx, companyId: string, callId: string) {
  await tx`
    select graphile_worker.add_job(
      'calls.embed', json_build_object('companyId', ${companyId}::uuid, 'callId', ${callId}::uuid),
      job_key => 'calls.embed:' || ${callId}::text, priority => 10, run_at => now() + interval '10 minutes'
    )`
}
