import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { firstRow, hasRow } from '../../../platform/db/rows.ts'

export interface ExtensionRow {
  employee_id: string
  name: string
  extension: string
}

/** All employees of a company; the extension is null if none has been given yet. */
export function selectExtensions(sql: Queryable, companyId: string) {
  return sql<(Omit<ExtensionRow, 'extension'> & { extension: string | null })[]>`
    select e.id as employee_id, e.name, x.extension
    from employees e left join extensions x on x.company_id = e.company_id and x.employee_id = e.id
    where e.company_id = ${companyId} order by e.id`
}

/** False if the extension was taken meanwhile, or the employee has got one. */
export function insertExtension(tx: Tx, companyId: string, employeeId: string, extension: string) {
  return hasRow(tx`
    insert into extensions (company_id, employee_id, extension)
    select company_id, id, ${extension} from employees where company_id = ${companyId} and id = ${employeeId}
    on conflict do nothing returning extension`)
}

export async function upsertExtension(tx: Tx, companyId: string, employeeId: string, extension: string) {
  await tx`
    insert into extensions (company_id, employee_id, extension) values (${companyId}, ${employeeId}, ${extension})
    on conflict (employee_id) do update set extension = excluded.extension`
}

export function selectByExtension(sql: Queryable, companyId: string, extension: string) {
  return firstRow(sql<ExtensionRow[]>`
    select x.employee_id, e.name, x.extension
    from extensions x join employees e on e.company_id = x.company_id and e.id = x.employee_id
    where x.company_id = ${companyId} and x.extension = ${extension}`)
}
