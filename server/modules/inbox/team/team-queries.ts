import type { Fragment, Queryable } from '../../../platform/db/database.ts'
import { allValues, firstRow } from '../../../platform/db/rows.ts'
import { employeesEver } from '../../employees/index.ts'
import { INBOX_LIMITS } from '../limits.ts'
import { selectUnseenMentions } from '../notes/note-queries.ts'
import type { PhoneMatch } from '../search/search.ts'
import { matchingThreads, rowsOfView, selectThreadRows } from '../threads/thread-queries.ts'
import type { View } from '../view.ts'
import type { Shown, ThreadState } from './schemas.ts'

/** As stored: the order of the list. */
export const STANDING = { done: 0, snoozed: 1, open: 2, back: 3 }
type Standing = (typeof STANDING)[keyof typeof STANDING]

export const stateOf = (standing: Standing): ThreadState =>
  standing === STANDING.done ? 'done' : standing === STANDING.snoozed ? 'snoozed' : 'open'

export interface TeamColumns {
  /** By this it is listed. */
  rank: Standing
  standing: Standing
  snoozed_until: Date | null
  assignee: { id: string; name: string } | null
  mentions_me: boolean
}

export interface Position {
  rank: string
  lastAt: string
  phone: string
}

export interface TeamWhere {
  show: Shown
  employeeId: string
  unseen: boolean
  before?: Position
  match?: PhoneMatch
  /** With unseen mentions of the employee. */
  mentioning: string[]
}

/** Beyond this many threads in the order of the index, a list that has to be filtered is not followed. */
const SCANNED = INBOX_LIMITS.threadsScanned

const order = (sql: Queryable) => sql`rank desc, last_at desc, phone_number desc`

/**
 * A page is read from an index in its order: of the standing, or of what is assigned to the employee. What is left to
 * filter is looked up thread by thread, by scalar subqueries: PostgreSQL cannot turn them into a join with all calls.
 */
export function selectTeamThreads(sql: Queryable, view: View, where: TeamWhere, limit: number) {
  const { companyId } = view
  const page = sql`
    select * from ${withStanding(sql, view, sql`(${scanned(sql, view, where)} limit ${SCANNED}) as scanned`)}
    where ${view.numberId === undefined ? sql`true` : isListed(sql, where)}
      ${where.unseen ? sql`and unseen_count > 0` : sql``} ${isShown(sql, view, where.show)}
    order by ${order(sql)} limit 101`
  const more = sql`,
    page.rank, page.standing, page.snoozed_until, ${named(sql, companyId, sql`page.assignee_id`)} as assignee,
    ${isMentioned(sql, companyId, where.employeeId)} as mentions_me`
  return selectThreadRows<TeamColumns>(sql, view, { page, order: order(sql), more }, limit)
}

/** Where the next page of a filtered list begins, if this one has looked at as much as it may. */
export function selectScanEnd(sql: Queryable, view: View, where: TeamWhere) {
  return firstRow(sql<{ rank: number; last_at: string; phone_number: string }[]>`
    select rank, iso_micros(last_at) as last_at, phone_number
    from (${scanned(sql, view, where)} offset ${SCANNED - 1} limit 1) as scanned`)
}

/** The rows of a business number have no standing of their own, and are listed by their time alone. */
function scanned(sql: Queryable, view: View, where: TeamWhere): Fragment {
  const { before } = where
  return sql`
    select *, standing as rank from ${candidates(sql, view, where)}
    where ${view.numberId === undefined ? isListed(sql, where) : sql`true`}
      ${
        before
          ? sql`and (standing, last_at, phone_number)
              < (${Number(before.rank)}::smallint, ${before.lastAt}::text::timestamptz, ${before.phone})`
          : sql``
      }
    order by ${order(sql)}`
}

function candidates(sql: Queryable, view: View, { match, show, mentioning }: TeamWhere) {
  if (match) return matchingThreads(sql, view, match)
  if (show === 'mentions') return matchingThreads(sql, view, { phones: mentioning })
  return sql`(select * from inbox_threads where ${rowsOfView(sql, view)}) as threads`
}

/** What the team has made of each thread, which only the row of the whole company knows. */
function withStanding(sql: Queryable, { companyId, numberId, withTexts }: View, rows: Fragment): Fragment {
  if (numberId === undefined) return rows
  return sql`(
    select scanned.phone_number, scanned.last_at, scanned.last_item_id, scanned.unseen_count, scanned.rank, whole.*
    from ${rows} cross join lateral (
      select standing, assignee_id, snoozed_until from inbox_threads
      where company_id = ${companyId} and phone_number = scanned.phone_number and with_texts = ${withTexts}
        and scope_id = ${companyId}
      offset 0
    ) as whole
  ) as threads`
}

function isListed(sql: Queryable, { show, employeeId, match, mentioning }: TeamWhere): Fragment {
  switch (show) {
    case 'mentions':
      return match ? sql`phone_number = any(${mentioning}::text[])` : sql`true`
    case 'done':
    case 'snoozed':
      return sql`standing = ${STANDING[show]}::smallint`
    case 'mine':
      return sql`assignee_id = ${employeeId} and standing >= ${STANDING.open}::smallint`
    default:
      return sql`standing >= ${STANDING.open}::smallint`
  }
}

function isShown(sql: Queryable, { companyId }: View, show: Shown): Fragment {
  switch (show) {
    case 'unassigned':
      return sql`and assignee_id is null`
    case 'missed':
      return sql`and (
        select i.type = 'call' and i.incoming and k.state = 'ended' and k.answered_at is null
        from inbox_items i left join calls k on k.company_id = ${companyId} and k.id = i.id
        where i.company_id = ${companyId} and i.id = last_item_id
      )`
    case 'voicemails':
      return sql`and (
        select i.type = 'voicemail' from inbox_items i where i.company_id = ${companyId} and i.id = last_item_id
      )`
    default:
      return sql``
  }
}

const named = (sql: Queryable, companyId: string, employeeId: Fragment) => sql`(
  select json_build_object('id', e.id, 'name', e.name) from ${employeesEver(sql)} e
  where e.company_id = ${companyId} and e.id = ${employeeId}
)`

const isMentioned = (sql: Queryable, companyId: string, employeeId: string) =>
  sql`page.phone_number in (${selectUnseenMentions(sql, companyId, employeeId)})`

export interface TeamRow extends Omit<TeamColumns, 'rank'> {
  closed_at: Date | null
  closed_by: { id: string; name: string } | null
  writing: { employee: { id: string; name: string }; until: string }[] | null
}

/** One row, also for a number without a thread. */
export function selectThreadTeam(sql: Queryable, view: View, phone: string, employeeId: string) {
  const { companyId, withTexts } = view
  return firstRow(sql<TeamRow[]>`
    select coalesce(standing, ${STANDING.open}::smallint) as standing, snoozed_until, closed_at,
      ${named(sql, companyId, sql`assignee_id`)} as assignee, ${named(sql, companyId, sql`closed_by`)} as closed_by,
      ${isMentioned(sql, companyId, employeeId)} as mentions_me,
      (
        select json_agg(json_build_object(
          'employee', ${named(sql, companyId, sql`thread_writers.employee_id`)}, 'until', iso_micros(until)
        ) order by thread_writers.employee_id)
        from thread_writers
        where thread_writers.company_id = ${companyId} and thread_writers.phone_number = page.phone_number
          and until > now()
      ) as writing
    from (select ${phone}::text as phone_number) as page
    left join inbox_threads thread on thread.company_id = ${companyId} and thread.phone_number = page.phone_number
      and thread.with_texts = ${withTexts} and thread.scope_id = ${companyId}`)
}

interface Change {
  standing: Standing
  employeeId: string
  until?: Date
  /** Nothing is changed if something came in after this. */
  through?: string
}

/** The thread is locked. */
export async function updateThreadStanding(
  tx: Queryable,
  { companyId, withTexts }: View,
  phone: string,
  { standing, employeeId, until, through }: Change,
) {
  const isClosed = standing < STANDING.open
  await tx`
    update inbox_threads set standing = ${standing}, snoozed_until = ${until ?? null},
      closed_at = ${isClosed ? tx`now()` : tx`null`}, closed_by = ${isClosed ? employeeId : null}
    where company_id = ${companyId} and phone_number = ${phone} and scope_id = ${companyId}
      ${
        through === undefined
          ? tx``
          : tx`and not exists (
              select from inbox_items
              where company_id = ${companyId} and phone_number = ${phone}
                and incoming and arrived_at > ${through}::text::timestamptz
                ${withTexts ? tx`` : tx`and type <> 'message'`}
            )`
      }`
}

/** False if the thread is no longer snoozed, or until later. */
export async function endThreadSnooze(tx: Queryable, companyId: string, phone: string) {
  const { count } = await tx`
    update inbox_threads set standing = ${STANDING.back}, snoozed_until = null
    where company_id = ${companyId} and phone_number = ${phone} and scope_id = ${companyId}
      and standing = ${STANDING.snoozed}::smallint and snoozed_until <= now()`
  return count > 0
}

export async function updateThreadAssignee(
  tx: Queryable,
  companyId: string,
  phone: string,
  employeeId: string | null,
) {
  await tx`
    update inbox_threads set assignee_id = ${employeeId}
    where company_id = ${companyId} and phone_number = ${phone} and scope_id = ${companyId}`
}

export const selectIsThread = async (sql: Queryable, companyId: string, phone: string) =>
  (
    await allValues(sql<{ is: boolean }[]>`
      select true as is from inbox_threads where company_id = ${companyId} and phone_number = ${phone} limit 1`)
  ).length > 0

/** Also forgets who was writing long ago and never said that they stopped. */
export async function upsertThreadWriter(
  tx: Queryable,
  companyId: string,
  phone: string,
  employeeId: string,
) {
  await tx`
    with forgotten as (
      delete from thread_writers
      where company_id = ${companyId} and until < now() - interval '1 hour'
        and (phone_number, employee_id) <> (${phone}, ${employeeId}::uuid)
    )
    insert into thread_writers (company_id, phone_number, employee_id, until)
    values (
      ${companyId}, ${phone}, ${employeeId}, now() + ${INBOX_LIMITS.writingMs} * interval '1 millisecond'
    )
    on conflict (company_id, phone_number, employee_id) do update set until = excluded.until`
}

export async function deleteThreadWriter(
  tx: Queryable,
  companyId: string,
  phone: string,
  employeeId: string,
) {
  const { count } = await tx`
    delete from thread_writers
    where company_id = ${companyId} and phone_number = ${phone} and employee_id = ${employeeId}`
  return count > 0
}
