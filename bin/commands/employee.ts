import { type Command, Option } from 'commander'

import { requireCompany } from '../../server/modules/company/index.ts'
import {
  confirmEmail,
  createEmployee,
  createEmployeeWithPassword,
  EmployeeCreate,
  listEmployees,
  listExtensions,
  operatorIds,
  requireEmployee,
  setExtension,
  setOperator,
} from '../../server/modules/employees/index.ts'
import { systemClock } from '../../server/platform/clock.ts'
import { OperatorError } from '../../server/platform/errors.ts'
import { encodeId } from '../../server/platform/ids.ts'
import { parseIdArgument, runOperatorCommand, withMissingName } from '../operator-command.ts'
import { table } from '../table.ts'

interface CreateOptions {
  company: string
  name: string
  email: string
  password?: string
}

interface OperatorOptions {
  employee: string
  on?: true
  off?: true
}

export function addEmployeeCommands(employee: Command): void {
  employee
    .command('create')
    .description('add an employee; without a password they are invited by e-mail')
    .requiredOption('--company <id>', 'their company', parseIdArgument('com'))
    .requiredOption('--name <name>', 'their name')
    .requiredOption('--email <address>', 'the e-mail address they sign in with')
    .option('--password <password>', 'lets them sign in at once')
    .action(({ company, name, email, password }: CreateOptions, command: Command) =>
      runOperatorCommand(command, async (tx) => {
        await withMissingName('com', company, requireCompany(tx, company))
        const input = EmployeeCreate.parse({ name, email })
        const { id: uuid } =
          password === undefined
            ? await createEmployee(tx, { companyId: company }, input)
            : await createEmployeeWithPassword(tx, { companyId: company }, { ...input, password })
        const id = encodeId('emp', uuid)
        const how =
          password === undefined ? 'The running service sends the invitation.' : 'They can sign in now.'
        return { json: { id }, text: `Added ${name} (${id}). ${how}` }
      }),
    )

  employee
    .command('two-factor-off')
    .description(
      'switch off two-factor authentication for an employee who lost both phone and recovery codes',
    )
    .requiredOption('--employee <id>', 'the employee', parseIdArgument('emp'))
    .action(({ employee }: { employee: string }, command: Command) =>
      runOperatorCommand(command, async (tx) => {
        // Imported only here: the other commands start faster without the pages in memory.
        const { resetTwoFactor } = await import('../../server/modules/sign-in/index.ts')
        await withMissingName('emp', employee, requireEmployee(tx, employee))
        const had = await resetTwoFactor(tx, employee, systemClock.now())
        return {
          json: { two_factor_was_on: had },
          text: had
            ? 'Two-factor authentication is off, and they are signed out everywhere.'
            : 'They had no two-factor authentication: nothing was changed.',
        }
      }),
    )

  employee
    .command('confirm-email')
    .description('confirm the changed e-mail address of an employee who cannot read e-mails to the old one')
    .requiredOption('--employee <id>', 'the employee', parseIdArgument('emp'))
    .action(({ employee }: { employee: string }, command: Command) =>
      runOperatorCommand(command, async (tx) => {
        await withMissingName('emp', employee, requireEmployee(tx, employee))
        const email = (await confirmEmail(tx, employee)) ?? null
        return {
          json: { email },
          text: email
            ? `They now sign in with ${email}.`
            : 'There is no changed address to confirm: nothing was changed.',
        }
      }),
    )

  employee
    .command('extension')
    .description('change the extension that coworkers dial to call an employee')
    .requiredOption('--employee <id>', 'the employee', parseIdArgument('emp'))
    .requiredOption('--extension <digits>', 'two to five digits, unique in the company')
    .action(({ employee, extension }: { employee: string; extension: string }, command: Command) =>
      runOperatorCommand(command, async (tx) => {
        await withMissingName('emp', employee, setExtension(tx, employee, extension))
        return { json: { extension }, text: `Coworkers now dial ${extension} to call them.` }
      }),
    )

  employee
    .command('operator')
    .description('let an employee see the carriers of the installation in the dashboard, or no longer')
    .requiredOption('--employee <id>', 'the employee', parseIdArgument('emp'))
    .addOption(new Option('--on', 'they may').conflicts('off'))
    .option('--off', 'they may no longer')
    .action(({ employee, on, off }: OperatorOptions, command: Command) =>
      runOperatorCommand(command, async (tx) => {
        if (on === undefined && off === undefined) throw new OperatorError('Give --on or --off.')
        const operator = on === true
        await withMissingName('emp', employee, setOperator(tx, employee, operator))
        const text = operator ? 'They see the carriers in the dashboard.' : 'They no longer see the carriers.'
        return { json: { operator }, text }
      }),
    )

  employee
    .command('list')
    .description('list the employees of a company')
    .requiredOption('--company <id>', 'the company', parseIdArgument('com'))
    .action(({ company }: { company: string }, command: Command) =>
      runOperatorCommand(command, async (tx) => {
        await withMissingName('com', company, requireCompany(tx, company))
        const listed = await listEmployees(tx, { companyId: company })
        const extensions = new Map(
          (await listExtensions(tx, company)).map(({ employee_id, extension }) => [employee_id, extension]),
        )
        const operators = new Set(await operatorIds(tx))
        const employees = listed.map(({ id, name, email, invitation_pending }) => ({
          id: encodeId('emp', id),
          name,
          email,
          extension: extensions.get(id) ?? null,
          invitation_pending,
          operator: operators.has(id),
        }))
        const rows = employees.map(({ id, name, email, extension, invitation_pending, operator }) => [
          id,
          extension ?? '',
          name,
          email,
          [invitation_pending && 'invited', operator && 'operator'].filter(Boolean).join(', '),
        ])
        return { json: { employees }, text: table(rows, 'The company has no employees yet.') }
      }),
    )
}
