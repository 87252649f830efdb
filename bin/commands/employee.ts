import type { Command } from 'commander'

import { requireCompany } from '../../server/modules/company/index.ts'
import {
  confirmEmail,
  createEmployee,
  createEmployeeWithPassword,
  EmployeeCreate,
  listEmployees,
  requireEmployee,
} from '../../server/modules/employees/index.ts'
import { systemClock } from '../../server/platform/clock.ts'
import { encodeId } from '../../server/platform/ids.ts'
import { idOf, operate, orMissing } from '../operate.ts'
import { table } from '../table.ts'

interface CreateOptions {
  company: string
  name: string
  email: string
  password?: string
}

export function addEmployeeCommands(employee: Command): void {
  employee
    .command('create')
    .description('add an employee; without a password they are invited by e-mail')
    .requiredOption('--company <id>', 'where they work', idOf('com'))
    .requiredOption('--name <name>', 'what they are called')
    .requiredOption('--email <address>', 'what they sign in with')
    .option('--password <password>', 'lets them sign in at once')
    .action(({ company, name, email, password }: CreateOptions, command: Command) =>
      operate(command, async (tx) => {
        await orMissing('com', company, requireCompany(tx, company))
        const input = EmployeeCreate.parse({ name, email })
        const { id: uuid } =
          password === undefined
            ? await createEmployee(tx, { companyId: company }, input)
            : await createEmployeeWithPassword(tx, { companyId: company }, { ...input, password })
        const id = encodeId('emp', uuid)
        const how =
          password === undefined ? 'The invitation goes out while the service runs.' : 'They can sign in now.'
        return { json: { id }, text: `Added ${name} (${id}). ${how}` }
      }),
    )

  employee
    .command('two-factor-off')
    .description('for who has lost both phone and recovery codes: their password alone signs in again')
    .requiredOption('--employee <id>', 'whose second factor to forget', idOf('emp'))
    .action(({ employee }: { employee: string }, command: Command) =>
      operate(command, async (tx) => {
        // Only here: the other commands start faster without the pages in memory.
        const { forgetTwoFactor } = await import('../../server/modules/sign-in/index.ts')
        await orMissing('emp', employee, requireEmployee(tx, employee))
        const had = await forgetTwoFactor(tx, employee, systemClock.now())
        return {
          json: { two_factor_was_on: had },
          text: had
            ? 'Two-factor is off, and they are signed out everywhere.'
            : 'They had no two-factor: nothing was changed.',
        }
      }),
    )

  employee
    .command('confirm-email')
    .description('for who can no longer read letters to the address before: they sign in with the new one')
    .requiredOption('--employee <id>', 'whose changed address to confirm', idOf('emp'))
    .action(({ employee }: { employee: string }, command: Command) =>
      operate(command, async (tx) => {
        await orMissing('emp', employee, requireEmployee(tx, employee))
        const email = (await confirmEmail(tx, employee)) ?? null
        return {
          json: { email },
          text: email
            ? `They sign in with ${email} from now on.`
            : 'No changed address waits to be confirmed: nothing was changed.',
        }
      }),
    )

  employee
    .command('list')
    .description('list the employees of a company')
    .requiredOption('--company <id>', 'where they work', idOf('com'))
    .action(({ company }: { company: string }, command: Command) =>
      operate(command, async (tx) => {
        await orMissing('com', company, requireCompany(tx, company))
        const listed = await listEmployees(tx, { companyId: company })
        const employees = listed.map(({ id, name, email, invitation_pending }) => ({
          id: encodeId('emp', id),
          name,
          email,
          invitation_pending,
        }))
        const rows = employees.map(({ id, name, email, invitation_pending }) => [
          id,
          name,
          email,
          invitation_pending ? 'invited' : '',
        ])
        return { json: { employees }, text: table(rows, 'The company has no employees yet.') }
      }),
    )
}
