import type { Queryable } from '../../../platform/db/database.ts'
import { firstValue, oneRow } from '../../../platform/db/rows.ts'
import { contactNameOf } from '../../contacts/index.ts'
import { employeesEver } from '../../employees/index.ts'
import { queuePositions } from '../../queue/index.ts'
import { CALL_LIMITS } from '../limits.ts'
import type { LiveCall } from './schemas.ts'

/** By the index of live calls: what has ended costs nothing. */
export function selectBoardCalls(sql: Queryable, companyId: string) {
  const person = (id: ReturnType<Queryable>) => sql`(
    select json_build_object('id', e.id, 'name', e.name) from ${employeesEver(sql)} e
    where e.company_id = ${companyId} and e.id = ${id}
  )`
  return sql<LiveCall[]>`
    select c.id, c.direction, c.state, c.remote_number as phone_number, c.started_at, c.answered_at,
      ${contactNameOf(sql, sql`c.company_id`, sql`c.remote_number`)} as contact_name,
      n.id as main_number_id, n.name as main_number_name,
      ${person(sql`c.controller_id`)} as employee, j.joined_at as employee_since,
      ${person(sql`t.to_employee_id`)} as consulted, q.position
    from calls c
    join business_numbers n on n.company_id = c.company_id and n.id = c.business_number_id
    left join call_employees j
      on j.company_id = c.company_id and j.call_id = c.id and j.employee_id = c.controller_id
    left join transfers t on t.company_id = c.company_id and t.call_id = c.id and t.state = 'consulting'
    left join (${queuePositions(sql, companyId)}) q on q.call_id = c.id
    where c.company_id = ${companyId} and c.state <> 'ended'
    order by c.id limit ${CALL_LIMITS.boardCalls}`
}

/** The zone of the oldest number in service; undefined without one. */
export function selectTimeZone(sql: Queryable, companyId: string) {
  return firstValue(sql<{ timezone: string }[]>`
    select timezone from business_numbers where company_id = ${companyId} and retired_at is null
    order by id limit 1`)
}

export interface FiguresRow {
  inbound: number
  inbound_answered: number
  missed: number
  average_wait: number | null
  outbound: number
  outbound_answered: number
}

/** The clock that stamps calls may differ from that of the database, which makes their ids. */
const CLOCKS_APART = '1 hour'

/**
 * Ids rise with time, so these calls are at the end of the primary key: older ones are not read, however many there are.
 * Those that were stored today but began earlier, as in the demo company, are read and not counted.
 */
export function countCallsSince(sql: Queryable, companyId: string, since: Date) {
  return oneRow(sql<FiguresRow[]>`
    select
      count(*) filter (where direction = 'inbound')::int as inbound,
      count(answered_at) filter (where direction = 'inbound')::int as inbound_answered,
      count(*) filter (where direction = 'inbound' and state = 'ended' and answered_at is null)::int as missed,
      round(avg(extract(epoch from answered_at - started_at)) filter (where direction = 'inbound'))::int
        as average_wait,
      count(*) filter (where direction = 'outbound')::int as outbound,
      count(answered_at) filter (where direction = 'outbound')::int as outbound_answered
    from calls
    where company_id = ${companyId} and started_at >= ${since} and id >= (
      lpad(to_hex((extract(epoch from ${since}::timestamptz - ${CLOCKS_APART}::interval) * 1000)::bigint), 12, '0') ||
      repeat('0', 20)
    )::uuid`)
}
