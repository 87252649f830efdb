import { publishingPresence } from '../../live.ts'
import type { Fragment, Queryable } from '../../platform/db/database.ts'
import { type ChangeAudience, audienceOf, withoutSubscribers } from '../webhooks/index.ts'
import { insertingOffers, type Offer, selectingOffers } from './queries.ts'
import type { QueueTx } from './with-queue.ts'

/** The results of the database function `employee_status`. */
type EmployeeStatus = 'on_call' | 'do_not_disturb' | 'ringing' | 'available' | 'logged_out' | 'unknown'

export interface EmployeeRow {
  id: string
  name: string
  /** The unconfirmed address, if there is one. */
  email: string
  email_confirmation_pending: boolean
  phone: string | null
  invitation_pending: boolean
  /** Null if do-not-disturb is off or has expired, as is the next field. */
  do_not_disturb_activated_at: Date | null
  do_not_disturb_expires_at: Date | null
  status: EmployeeStatus
  created_at: Date
  updated_at: Date
}

/** An employee as the API shows them, with their presence, which may be known already. */
export const employeeColumns = (sql: Queryable, knownStatus: Fragment = status(sql)) => sql`
  id, name, coalesce(unconfirmed_email, email) as email,
  unconfirmed_email is not null as email_confirmation_pending, phone, invitation_pending, created_at, updated_at,
  ${knownStatus} as status,
  case when ${undisturbed(sql)} then do_not_disturb_activated_at end as do_not_disturb_activated_at,
  case when ${undisturbed(sql)} then do_not_disturb_expires_at end as do_not_disturb_expires_at`

function status(sql: Queryable) {
  return sql`
    employee_status(
      employees.company_id, employees.id,
      wants_no_calls(do_not_disturb_activated_at, do_not_disturb_expires_at), invitation_pending
    )`
}

function undisturbed(sql: Queryable) {
  return sql`coalesce(do_not_disturb_expires_at > now(), true)`
}

/** An employee whose presence has changed, and who learns of it. */
export type ChangedEmployee = EmployeeRow & ChangeAudience & { notified: null }

/**
 * Publishes on the live channel what has changed of these employees and of all who ring. Returns those whose presence
 * differs from what was last published, and those in `always` regardless, with the audience of the change.
 */
export function updatePublishedStatus(
  tx: QueueTx,
  companyId: string,
  ids: readonly string[],
  always: readonly string[],
) {
  return tx<ChangedEmployee[]>`
    with known as materialized (
      select id as employee_id, ${status(tx)} as current_status from employees
      where company_id = ${companyId} and id in (
        select unnest(${ids}::uuid[])
        union
        select employee_id from call_offers where company_id = ${companyId} and not declined
      )
    ), changed as (
      update employees set told_status = current_status from known
      where company_id = ${companyId} and id = employee_id
        and (id = any(${always}::uuid[]) or coalesce(told_status, 'logged_out') <> current_status)
      returning ${employeeColumns(tx, tx`current_status`)}
    )
    select changed.*, ${audienceOf(tx, companyId)}, ${publishingPresence(tx, companyId, tx`id`)} as notified
    from changed`
}

/** The setting of a transaction by which a statement names the employees who may be available now to the next one. */
const FREED = 'bellhop.freed_employees'

/** A value of no meaning: names them to `offerAndPublishStatus`, which is sent with this statement. */
export const namingFreed = (tx: QueueTx, employeeIds: Fragment) =>
  tx`set_config(${FREED}, array(${employeeIds})::text, true)`

/**
 * Makes offers, and publishes the presence of those who ring now, and of those whom the statement before has freed, if
 * it names them. For a transaction that commits with this statement: returns only the offers.
 */
export function offerAndPublishStatus(
  tx: QueueTx,
  companyId: string,
  { ownCallId = null, isAnybodyFreed = true }: { ownCallId?: string | null; isAnybodyFreed?: boolean },
) {
  const freed = tx`
    union all
    select id, ${status(tx)} from employees
    where company_id = ${companyId} and id = any(current_setting(${FREED})::uuid[])
      and id not in (select employee_id from offered)`
  return tx<Offer[]>`
    ${insertingOffers(tx, companyId)}, known as materialized (
      select employee_id, 'ringing' as current_status from offered ${isAnybodyFreed ? freed : tx``}
    ), told as (
      update employees set told_status = current_status from known
      where company_id = ${companyId} and id = any(array(select employee_id from known)) and id = employee_id
        and coalesce(told_status, 'logged_out') <> current_status
      returning ${withoutSubscribers(tx, companyId)}, ${publishingPresence(tx, companyId, tx`id`)}
    )
    ${selectingOffers(tx, companyId, ownCallId)}`
}

/** A part of a larger statement: the employee has a call now, if `answered` has a row. */
export const publishingOnCall = (
  tx: QueueTx,
  companyId: string,
  employeeId: string,
  answered: Fragment,
) => tx`
  update employees set told_status = 'on_call' from ${answered}
  where employees.company_id = ${companyId} and employees.id = ${employeeId}
    and told_status is distinct from 'on_call'
  returning ${publishingPresence(tx, companyId, tx`employees.id`)}`
