import { hashPassword } from '../../platform/crypto/passwords.ts'
import { type Queryable, type Tx, violatesConstraint } from '../../platform/db/database.ts'
import { AppError, fail, fieldError, notFound } from '../../platform/errors.ts'
import type { Actor } from '../../platform/http/route.ts'
import type { Language } from '../../platform/http/viewer-preferences.ts'
import { encodeId } from '../../platform/ids.ts'
import { enqueue } from '../../platform/jobs/job.ts'
import { normalizePhone } from '../../platform/text/phone.ts'
import { companyCountry, NOT_A_PHONE_NUMBER } from '../company/index.ts'
import { type EmailOrigin, requireEmailRate } from '../emails/index.ts'
import {
  availabilityChanged,
  presentEmployee,
  type QueueTx,
  withdrawOffers,
  withQueue,
} from '../queue/index.ts'
import { lockEmailState } from './email-change/email-change-queries.ts'
import { changeEmail } from './email-change/email-change.ts'
import { listExtensions } from './extensions/extensions.ts'
import { inviteEmployee } from './jobs.ts'
import { usedLanguage } from './language.ts'
import {
  deleteEmployeeRow,
  hasOtherEmployees,
  insertEmployee,
  lockSendingEmployee,
  selectCompanyOf,
  selectEmployee,
  selectEmployees,
  selectNumbersRinging,
  updateEmployeeRow,
  updateIsOperator,
  updateJoined,
} from './queries.ts'
import { type Employee, type EmployeeCreate, type EmployeeUpdate, NewPassword } from './schemas.ts'

type OfCompany = Pick<Actor, 'companyId'>

/** Enqueues the invitation; the employee can sign in after following its link. */
export async function createEmployee(
  tx: Tx,
  { companyId }: OfCompany,
  input: EmployeeCreate & { language?: Language },
): Promise<Employee> {
  const values = { ...input, ...(await e164(tx, companyId, input.phone)), invitation_pending: true }
  const row = await addEmployee(tx, companyId, values)
  await enqueue(tx, inviteEmployee, { employeeId: row.id })
  return presentEmployee(row)
}

/** For everybody but the operator: subject to the rate limit of e-mails. A team is taken to share a language. */
export async function inviteNewEmployee(
  tx: Tx,
  sender: EmailOrigin & Actor,
  input: EmployeeCreate,
): Promise<Employee> {
  await requireEmailRate(tx, sender, [input.email])
  const language = await usedLanguage(tx, sender)
  return createEmployee(tx, sender, { ...input, ...(language && { language }) })
}

export async function resendInvitation(tx: Tx, sender: EmailOrigin, id: string): Promise<void> {
  const employee = (await selectEmployee(tx, sender.companyId, id)) ?? fail(notFound())
  if (!employee.invitation_pending) throw invitationAccepted()
  await requireEmailRate(tx, sender, [employee.email])
  await enqueue(tx, inviteEmployee, { employeeId: id })
}

/** For the operator: an employee who can sign in at once, without an invitation. */
export async function createEmployeeWithPassword(
  tx: Tx,
  { companyId }: OfCompany,
  { password, ...input }: EmployeeCreate & { password: string },
  hash = hashPassword,
): Promise<Employee> {
  const password_hash = await hash(NewPassword.parse({ password }).password)
  const values = {
    ...input,
    ...(await e164(tx, companyId, input.phone)),
    password_hash,
    invitation_pending: false,
  }
  return presentEmployee(await addEmployee(tx, companyId, values))
}

/** With an extension. */
async function addEmployee(tx: Tx, companyId: string, values: Parameters<typeof insertEmployee>[2]) {
  const row = await insertEmployee(tx, companyId, values).catch(emailTaken)
  await listExtensions(tx, companyId)
  return row
}

export async function updateEmployee(
  tx: Tx,
  sender: EmailOrigin & Actor,
  id: string,
  { email, ...input }: EmployeeUpdate,
): Promise<Employee> {
  const values = { ...input, ...(await e164(tx, sender.companyId, input.phone)) }
  const employee = (await lockEmailState(tx, sender.companyId, id)) ?? fail(notFound())
  const change = email === undefined ? undefined : changeEmail(sender, employee, email)
  // Locks the rate limit before the address, in the same order as an invitation, to avoid deadlocks.
  await change?.prepare(tx)
  const row = await updateEmployeeRow(tx, sender.companyId, id, { ...values, ...change?.values }).catch(
    emailTaken,
  )
  return presentEmployee(row ?? fail(notFound()))
}

/** The employee has accepted the invitation, so calls can be offered to them. */
export async function employeeJoined(tx: QueueTx, companyId: string, employeeId: string): Promise<void> {
  await updateJoined(tx, companyId, employeeId)
  await availabilityChanged(tx, companyId, [employeeId])
}

/**
 * The database deletes the employee's API keys and devices with the row, keeps the name for the history of calls, and
 * notifies the edges, which hang up the employee's phones.
 */
export async function deleteEmployee(tx: Tx, actor: Actor, id: string): Promise<void> {
  if (id === actor.employeeId) throw creatorOfKeyInUse()
  await withQueue(tx, actor.companyId, async (queue) => {
    // Locked first, so that no call flow can add the employee between the check and the deletion.
    if (!(await lockSendingEmployee(queue, actor.companyId, id))) throw notFound()
    const numbers = await selectNumbersRinging(queue, actor.companyId, id)
    if (numbers.length > 0) throw employeeIsCallTarget(numbers)
    // Two employees may delete each other at the same moment.
    if (!(await hasOtherEmployees(queue, actor.companyId, id))) throw lastEmployee()
    await withdrawOffers(queue, actor.companyId, id)
    await deleteEmployeeRow(queue, actor.companyId, id)
  })
}

export async function readEmployee(sql: Queryable, actor: Actor, id: string): Promise<Employee> {
  return presentEmployee((await selectEmployee(sql, actor.companyId, id)) ?? fail(notFound()))
}

export async function listEmployees(sql: Queryable, { companyId }: OfCompany): Promise<Employee[]> {
  return (await selectEmployees(sql, companyId)).map(presentEmployee)
}

/** For the operator, across all companies: throws if there is no such employee. */
export async function requireEmployee(sql: Queryable, id: string): Promise<void> {
  if ((await selectCompanyOf(sql, id)) === undefined) throw notFound()
}

/** For the command line: whether the employee sees what belongs to the installation rather than to a company. */
export async function setOperator(tx: Tx, id: string, isOperator: boolean): Promise<void> {
  if (!(await updateIsOperator(tx, id, isOperator))) throw notFound()
}

const creatorOfKeyInUse = () =>
  new AppError({
    status: 403,
    code: 'creator_of_key_in_use',
    message:
      'You are acting as this employee. Use the API key or access token of another one to delete them.',
  })

const lastEmployee = () =>
  new AppError({
    status: 409,
    code: 'last_employee',
    message: 'This is the last employee, and somebody must be able to sign in. Invite another one first.',
  })

const invitationAccepted = () =>
  new AppError({
    status: 409,
    code: 'invitation_accepted',
    message: 'The employee has accepted the invitation already.',
  })

const employeeIsCallTarget = (numbers: { id: string; name: string }[]) =>
  new AppError({
    status: 422,
    code: 'employee_is_call_target',
    message: 'Calls to these numbers ring the employee. Remove the employee from their call flows first.',
    body: { business_numbers: numbers.map(({ id, name }) => ({ id: encodeId('num', id), name })) },
  })

async function e164(sql: Queryable, companyId: string, phone: string | null | undefined) {
  if (phone === undefined || phone === null) return {}
  const normalized = normalizePhone(phone, await companyCountry(sql, companyId))
  return { phone: normalized ?? fail(fieldError('phone', NOT_A_PHONE_NUMBER)) }
}

function emailTaken(error: unknown): never {
  throw violatesConstraint(error, 'employees_email')
    ? fieldError('email', 'is already used by another employee')
    : error
}
