import type { Queryable } from '../../../platform/db/database.ts'
import { firstRow } from '../../../platform/db/rows.ts'

export interface SignInAccount {
  company_id: string
  employee_id: string
  /** Null until the invitation was accepted. */
  password_hash: string | null
  has_two_factor: boolean
}

/** By the e-mail address alone, which is unique: the company is not known before the sign-in. */
export function selectAccount(sql: Queryable, email: string) {
  return firstRow(sql<SignInAccount[]>`
    select employees.company_id, id as employee_id, password_hash,
      two_factors.employee_id is not null as has_two_factor
    from employees
    left join two_factors
      on two_factors.company_id = employees.company_id and two_factors.employee_id = employees.id
    where lower(email) = lower(${email})`)
}
