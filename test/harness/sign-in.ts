import { randomUUID } from 'node:crypto'

import { createEmployeeWithPassword } from '../../server/modules/employees/index.ts'
import { encodeId } from '../../server/platform/ids.ts'
import type { Harness, TestCompany } from './index.ts'

export const PASSWORD = 'correct horse battery staple'

export interface SignInEmployee {
  /** On the wire. */
  id: string
  employeeId: string
  name: string
  email: string
  company: TestCompany
}

/** An employee who has a password, in a company of their own or the one given. */
export async function newSignInEmployee(bellhop: Harness, of?: TestCompany): Promise<SignInEmployee> {
  const company = of ?? (await bellhop.newCompany())
  const input = { name: 'Åse Ørsted', email: `${randomUUID()}@example.com` }
  const { id: employeeId } = await bellhop.db.tx((tx) =>
    createEmployeeWithPassword(tx, company, { ...input, password: PASSWORD }),
  )
  return { id: encodeId('emp', employeeId), employeeId, ...input, company }
}
