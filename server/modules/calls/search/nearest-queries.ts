import type { Queryable } from '../../../platform/db/database.ts'
import { hasRow } from '../../../platform/db/rows.ts'
import { CALL_LIMITS } from '../limits.ts'
import { callConditions, type CallsWhere } from '../record/queries.ts'

export interface VectorQuery {
  model: string
  signs: string
}

export interface VectorMatch {
  callId: string
  vector: Buffer
}

export function hasEmbeddings(sql: Queryable, companyId: string, model: string): Promise<boolean> {
  return hasRow(sql`
    select 1 from meaning_cells where company_id = ${companyId} and model = ${model} limit 1`)
}

/** The nearest vectors, and also the nearest vector of each of the given calls. */
export async function selectNearest(
  sql: Queryable,
  companyId: string,
  where: CallsWhere,
  aim: VectorQuery,
  callIds: string[],
): Promise<VectorMatch[]> {
  const isNarrowed = Object.values(where).some((value) => value !== undefined)
  const few = isNarrowed ? await selectFewCalls(sql, companyId, where) : undefined
  const nearest = few
    ? nearestAmong(sql, companyId, aim, few)
    : nearestInCells(sql, companyId, aim, isNarrowed ? where : undefined)
  return sql<VectorMatch[]>`
    with nearest as materialized (${nearest}),
    named as materialized (
      select distinct on (call_id) call_id, part from call_meanings
      where company_id = ${companyId} and call_id = any(${callIds}::uuid[])
        and cell in (select id from (${cellsOf(sql, companyId, aim)}) cells)
      order by call_id, ${distance(sql, aim)}
    )
    select found.call_id as "callId", vector
    from (select * from nearest union select * from named) found
    -- Each by itself: a join, planned for a company of average size, would read all vectors of a large one.
    cross join lateral (
      select vector from call_meanings m
      where company_id = ${companyId} and m.call_id = found.call_id and m.part = found.part offset 0
    ) meaning`
}

/** The cast makes the parameter a varbit: a text would be parsed again for every row. */
const distance = (sql: Queryable, { signs }: VectorQuery, of = sql`signs`) =>
  sql`bit_count(${of} # ${signs}::varbit)`

const cellsOf = (sql: Queryable, companyId: string, { model, signs }: VectorQuery) => sql`
  select id, centre from meaning_cells
  where company_id = ${companyId} and model = ${model} and dimensions = ${signs.length}`

/** Undefined if the filter leaves too many. */
async function selectFewCalls(sql: Queryable, companyId: string, where: CallsWhere) {
  const calls = await sql<{ id: string; spoken: boolean }[]>`
    select id, slice is not null as spoken from calls
    where company_id = ${companyId} ${callConditions(sql, where)}
      ${where.direction === undefined ? sql`` : sql`and direction = ${where.direction}`}
    limit ${CALL_LIMITS.fewCalls + 1}`
  return calls.length > CALL_LIMITS.fewCalls
    ? undefined
    : calls.filter((call) => call.spoken).map(({ id }) => id)
}

function nearestAmong(sql: Queryable, companyId: string, aim: VectorQuery, callIds: string[]) {
  return sql`
    select call_id, part from call_meanings
    where company_id = ${companyId} and call_id = any(${callIds}::uuid[])
      and cell in (select id from (${cellsOf(sql, companyId, aim)}) cells)
    order by ${distance(sql, aim)} limit ${CALL_LIMITS.rescored}`
}

function nearestInCells(sql: Queryable, companyId: string, aim: VectorQuery, where: CallsWhere | undefined) {
  const centres = sql`
    select id from (${cellsOf(sql, companyId, aim)}) cells
    order by ${distance(sql, aim, sql`centre`)} limit ${CALL_LIMITS.cells}`
  const nearest = sql`
    select call_id, part, ${distance(sql, aim)} as distance from call_meanings
    where company_id = ${companyId} and cell = any(array(${centres}))
    order by distance limit ${where ? CALL_LIMITS.beforeFilters : CALL_LIMITS.rescored}`
  if (!where) return sql`select call_id, part from (${nearest}) nearest`
  return sql`
    select call_id, part from (${nearest}) nearest
    cross join lateral (
      select from calls
      where company_id = ${companyId} and id = call_id ${callConditions(sql, where)}
        ${where.direction === undefined ? sql`` : sql`and direction = ${where.direction}`}
      offset 0
    ) call
    order by distance limit ${CALL_LIMITS.rescored}`
}
