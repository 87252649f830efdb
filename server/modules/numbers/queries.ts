import { type Fragment, type Queryable, type Tx, updateColumns } from '../../platform/db/database.ts'
import { allValues, firstRow, firstValue, hasRow, oneValue } from '../../platform/db/rows.ts'
import type { Actor } from '../../platform/http/route.ts'
import type { StoredFlow } from './flow/call-flow.ts'
import type { BusinessDay } from './hours/business-hours.ts'
import type { RecordingNotice } from './recording-notice/recording-notice-schemas.ts'
import type { BusinessNumber, NumberUpdate } from './schemas.ts'

export type Slot = 'incoming_call' | 'outside_business_hours' | 'no_answer'

export interface NumberRow extends Pick<
  BusinessNumber,
  | 'id'
  | 'name'
  | 'number'
  | 'timezone'
  | 'language'
  | 'recording_enabled'
  | 'no_answer_timeout_secs'
  | 'wait_audio'
  | 'registration_status'
  | 'registration_due_at'
  | 'retired_at'
> {
  incoming_call_config: StoredFlow
  outside_business_hours_config: StoredFlow | null
  no_answer_config: StoredFlow | null
  business_hours: BusinessDay[]
  sms_capable: boolean
  messaging_enabled: boolean
  recording_notice: RecordingNotice
}

const columns = (sql: Queryable) => sql`
  n.id, n.name, n.number, n.timezone, n.language, n.recording_enabled, n.incoming_call_config,
  n.outside_business_hours_config, n.no_answer_config, n.no_answer_timeout_secs, n.wait_audio,
  n.registration_status, n.registration_due_at, n.retired_at, n.business_hours, n.sms_capable, c.messaging_enabled,
  n.recording_notice`

export function selectNumber(sql: Queryable, companyId: string, id: string) {
  return firstRow(sql<NumberRow[]>`
    select ${columns(sql)} from business_numbers n join companies c on c.id = n.company_id
    where n.company_id = ${companyId} and n.id = ${id}`)
}

export function selectNumberThatReceives(sql: Queryable, number: string) {
  return firstRow(sql<(NumberRow & { company_id: string })[]>`
    select n.company_id, ${columns(sql)} from business_numbers n join companies c on c.id = n.company_id
    where n.number = ${number} and n.sms_capable and n.retired_at is null`)
}

/** National digits match the end of a number, if only one number ends with them. */
const NATIONAL_DIGITS_MIN = 6

/** By E.164, with or without its plus, or as dialled in its country. */
export async function selectNumberCalled(sql: Queryable, text: string) {
  const international = text.startsWith('+') ? text : `+${text}`
  const select = sql`
    select n.company_id, c.country, n.emergency_caller_id, ${versionOf(sql)} as version, ${columns(sql)}
    from business_numbers n join companies c on c.id = n.company_id
    where n.retired_at is null`
  const [exact] = await sql<CalledRow[]>`${select} and n.number = ${international}`
  if (exact || text.startsWith('+')) return exact
  const digits = text.replace(/^0/, '')
  if (digits.length < NATIONAL_DIGITS_MIN) return undefined
  const rows = await sql<CalledRow[]>`${select} and n.number like ${`%${digits}`} limit 2`
  return rows.length === 1 ? rows[0] : undefined
}

export function selectNumberOf(sql: Queryable, companyId: string, number: { id: string } | { e164: string }) {
  return firstRow(sql<CalledRow[]>`
    select n.company_id, c.country, n.emergency_caller_id, ${versionOf(sql)} as version, ${columns(sql)}
    from business_numbers n join companies c on c.id = n.company_id
    where n.company_id = ${companyId} and n.retired_at is null
      and ${'id' in number ? sql`n.id = ${number.id}` : sql`n.number = ${number.e164}`}`)
}

/** Whether the company has this number, in service or not. */
export async function isNumberOf(sql: Queryable, companyId: string, e164: string): Promise<boolean> {
  const [row] = await sql`select from business_numbers where company_id = ${companyId} and number = ${e164}`
  return row !== undefined
}

type CalledRow = NumberRow & {
  company_id: string
  country: string
  emergency_caller_id: string | null
  version: string
}

/** The transactions that wrote the rows: any change of them is one of another. */
const versionOf = (sql: Queryable) => sql`n.xmin::text || ' ' || c.xmin::text`

/** A subquery for inserts that belong to a number: its id and company, or no row if it has changed since it was read. */
export const unchangedNumber = (
  sql: Queryable,
  { company_id, id, version }: Pick<CalledRow, 'company_id' | 'id' | 'version'>,
) => sql`(
  select n.company_id, n.id from business_numbers n join companies c on c.id = n.company_id
  where n.company_id = ${company_id} and n.id = ${id} and ${versionOf(sql)} = ${version}
) as number`

/** Locks the number until the transaction ends, because its parts are checked against each other. */
export function lockNumber(tx: Tx, companyId: string, id: string) {
  return firstRow(tx<NumberRow[]>`
    select ${columns(tx)} from business_numbers n join companies c on c.id = n.company_id
    where n.company_id = ${companyId} and n.id = ${id} for no key update of n`)
}

export function selectNumbers(sql: Queryable, companyId: string) {
  return sql<ListedRow[]>`
    select id, number, name, registration_status, retired_at, emergency_caller_id from business_numbers
    where company_id = ${companyId} order by id`
}

interface ListedRow extends Pick<NumberRow, 'id' | 'number' | 'name' | 'registration_status' | 'retired_at'> {
  emergency_caller_id: string | null
}

interface NewNumber {
  company_id: string
  name: string
  number: string
  timezone: string
  language: string
  sms_capable: boolean
  recording_enabled: boolean
  wait_audio: string
  incoming_call_config: StoredFlow
  outside_business_hours_config: StoredFlow
  business_hours: BusinessDay[]
}

export function insertNumber(tx: Tx, number: NewNumber) {
  const values = {
    ...number,
    incoming_call_config: tx.json(number.incoming_call_config),
    outside_business_hours_config: tx.json(number.outside_business_hours_config),
    business_hours: tx.json(number.business_hours),
  }
  return oneValue(tx<{ id: string }[]>`insert into business_numbers ${tx(values)} returning id`)
}

export async function updateNumberRow(tx: Tx, companyId: string, id: string, values: NumberUpdate) {
  await tx`
    update business_numbers set ${updateColumns(tx, values)} where company_id = ${companyId} and id = ${id}`
}

export async function updateRecordingNotice(tx: Tx, companyId: string, id: string, notice: RecordingNotice) {
  await tx`
    update business_numbers set recording_notice = ${notice}, updated_at = now()
    where company_id = ${companyId} and id = ${id}`
}

export async function updateFlow(tx: Tx, companyId: string, id: string, slot: Slot, flow: StoredFlow | null) {
  await tx`
    update business_numbers set ${tx(`${slot}_config`)} = ${flow && tx.json(flow)}, updated_at = now()
    where company_id = ${companyId} and id = ${id}`
}

export async function updateNoAnswerTimeout(tx: Tx, companyId: string, id: string, seconds: number | null) {
  await tx`
    update business_numbers set no_answer_timeout_secs = ${seconds}
    where company_id = ${companyId} and id = ${id}`
}

export async function updateBusinessHours(tx: Tx, companyId: string, id: string, week: BusinessDay[]) {
  await tx`
    update business_numbers set business_hours = ${tx.json(week)}
    where company_id = ${companyId} and id = ${id}`
}

export async function replaceCallTargets(
  tx: Tx,
  companyId: string,
  numberId: string,
  slot: Slot,
  employeeIds: string[],
) {
  await tx`
    delete from call_targets
    where company_id = ${companyId} and business_number_id = ${numberId} and slot = ${slot}`
  await tx`
    insert into call_targets (company_id, business_number_id, slot, employee_id)
    select ${companyId}, ${numberId}, ${slot}, unnest(${employeeIds}::uuid[])`
}

export function nextMenuOptionIds(tx: Tx, count: number) {
  return allValues(tx<{ id: number }[]>`
    select nextval('menu_option_ids')::int as id from generate_series(1, ${count})`)
}

export function updateRegistration(
  tx: Tx,
  numberId: string,
  { status, dueAt, reason }: { status: string; dueAt: Date | null | undefined; reason: string | null },
) {
  return firstRow(tx<RegistrationRow[]>`
    update business_numbers
    set ${tx({ registration_status: status, registration_reason: reason, updated_at: tx`now()` as never })}
      ${dueAt === undefined ? tx`` : tx`, registration_due_at = ${dueAt}`}
    where id = ${numberId} returning company_id, id, number, registration_status, registration_reason`)
}

/** Returns the company of the number; undefined if there is no such number. */
export function updateRetired(tx: Tx, numberId: string, retired: boolean) {
  const retiredAt = retired ? tx`coalesce(retired_at, now())` : tx`null`
  return firstValue(tx<{ company_id: string }[]>`
    update business_numbers set retired_at = ${retiredAt}, updated_at = now()
    where id = ${numberId} returning company_id`)
}

/** False if there is no such number. */
export function updateEmergencyCallerId(tx: Tx, numberId: string, callerId: string | null) {
  return hasRow(tx`
    update business_numbers set emergency_caller_id = ${callerId}, updated_at = now()
    where id = ${numberId} returning 1`)
}

export interface RegistrationStatus {
  registration_status: BusinessNumber['registration_status']
  /** Why it was rejected. */
  registration_reason: string | null
}

export interface RegistrationRow extends RegistrationStatus {
  company_id: string
  id: string
  number: string
}

/** The current registration, locked until the transaction ends. */
export function lockRegistration(tx: Tx, numberId: string) {
  return firstRow(tx<RegistrationStatus[]>`
    select registration_status, registration_reason from business_numbers where id = ${numberId}
    for no key update`)
}

/** Whether the company has numbers in service that were added after this time; an expression. */
export const hasNumbersSince = (sql: Queryable, companyId: string, since: Fragment) => sql`exists (
  select from business_numbers
  where company_id = ${companyId} and retired_at is null and created_at > ${since}
)`

/** A number in service, one that rings the employee if there is any; an expression. */
export const numberToTry = (
  sql: Queryable,
  { companyId, employeeId }: Actor,
  wanted: 'for calls' | 'for texts',
) => sql`(
  select n.number from business_numbers n
  where n.company_id = ${companyId} and n.retired_at is null and (n.sms_capable or ${wanted === 'for calls'})
  order by exists (
    select from call_targets t
    where t.company_id = n.company_id and t.business_number_id = n.id
      and t.slot = 'incoming_call' and t.employee_id = ${employeeId}
  ) desc, n.id limit 1
)`

export function selectNumberToTry(sql: Queryable, actor: Actor, wanted: Parameters<typeof numberToTry>[2]) {
  return firstValue(sql<{ number: string | null }[]>`select ${numberToTry(sql, actor, wanted)} as number`)
}
