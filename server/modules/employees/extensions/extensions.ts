import { type Queryable, type Tx, violatesConstraint } from '../../../platform/db/database.ts'
import { fail, fieldError, notFound } from '../../../platform/errors.ts'
import { companyCountry } from '../../company/index.ts'
import { selectCompanyOf } from '../queries.ts'
import {
  type ExtensionRow,
  insertExtension,
  selectByExtension,
  selectExtensions,
  upsertExtension,
} from './extension-queries.ts'
import { EXTENSION, type ExtensionProblem, extensionProblem, firstFreeExtension } from './extension-rules.ts'

/**
 * The extensions of all employees of a company. Gives one to those who have none yet: employees of before there were
 * extensions, and those whom a process of the previous release has added.
 */
export async function listExtensions(tx: Tx, companyId: string): Promise<ExtensionRow[]> {
  for (;;) {
    const rows = await selectExtensions(tx, companyId)
    const missing = rows.find(({ extension }) => extension === null)
    if (!missing) return rows as ExtensionRow[]
    const taken = new Set(rows.flatMap(({ extension }) => extension ?? []))
    await giveExtensions(tx, companyId, rows, taken)
  }
}

async function giveExtensions(
  tx: Tx,
  companyId: string,
  rows: { employee_id: string; extension: string | null }[],
  taken: Set<string>,
): Promise<void> {
  const country = await companyCountry(tx, companyId)
  for (const { employee_id } of rows.filter(({ extension }) => extension === null)) {
    const extension = firstFreeExtension(taken, country)
    taken.add(extension)
    // Another transaction was faster: the list is read again.
    if (!(await insertExtension(tx, companyId, employee_id, extension))) return
  }
}

/** The employee's extension, given now if there is none yet. Undefined for an employee who has been deleted. */
export async function extensionOf(
  tx: Tx,
  companyId: string,
  employeeId: string,
): Promise<ExtensionRow | undefined> {
  return (await listExtensions(tx, companyId)).find(({ employee_id }) => employee_id === employeeId)
}

/** Undefined for what is dialled for something else, such as an emergency number. */
export async function findEmployeeByExtension(
  sql: Queryable,
  companyId: string,
  dialled: string,
): Promise<ExtensionRow | undefined> {
  if (!EXTENSION.test(dialled)) return undefined
  const found = await selectByExtension(sql, companyId, dialled)
  // The list of short numbers, and the country of a company, may change after an extension was given.
  if (!found || extensionProblem(dialled, await companyCountry(sql, companyId))) return undefined
  return found
}

const PROBLEMS: Record<ExtensionProblem, string> = {
  no_extension: 'must have two to five digits, and not begin with 0',
  short_number: 'is an emergency or short number of the country of the company',
  phone_number: 'is a phone number in the country of the company',
}

/** For the operator. */
export async function setExtension(tx: Tx, employeeId: string, extension: string): Promise<void> {
  const companyId = (await selectCompanyOf(tx, employeeId)) ?? fail(notFound())
  const problem = extensionProblem(extension, await companyCountry(tx, companyId))
  if (problem) throw fieldError('extension', PROBLEMS[problem])
  await upsertExtension(tx, companyId, employeeId, extension).catch((error: unknown) => {
    throw violatesConstraint(error, 'extensions_pkey')
      ? fieldError('extension', 'is the extension of another employee')
      : error
  })
}
