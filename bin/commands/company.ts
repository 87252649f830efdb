import { type Command, Option } from 'commander'

import {
  createCompany,
  listCompanies,
  setMessaging,
  setOutsideTransfers,
} from '../../server/modules/company/index.ts'
import { OperatorError } from '../../server/platform/errors.ts'
import { encodeId } from '../../server/platform/ids.ts'
import { parseIdArgument, runOperatorCommand, withMissingName } from '../operator-command.ts'
import { table } from '../table.ts'

export function addCompanyCommands(company: Command): void {
  company
    .command('create')
    .description('create a company')
    .requiredOption('--name <name>', 'its name')
    .requiredOption('--country <code>', 'its country, as two letters (DK)')
    .option('--messaging', 'let it send and receive texts', false)
    .action((options: { name: string; country: string; messaging: boolean }, command: Command) =>
      runOperatorCommand(command, async (tx) => {
        const { name, country, messaging } = options
        const { id: uuid } = await createCompany(tx, { name, country, messaging_enabled: messaging })
        const id = encodeId('com', uuid)
        return {
          json: { id },
          text: `Created ${name} (${id}).\nNext: bellhop employee create --company ${id} --name … --email …`,
        }
      }),
    )

  company
    .command('list')
    .description('list the companies')
    .action((_: unknown, command: Command) =>
      runOperatorCommand(command, async (tx) => {
        const companies = (await listCompanies(tx)).map(({ id, name, country, ...flags }) => ({
          id: encodeId('com', id),
          name,
          country,
          messaging: flags.messaging_enabled,
          outside_transfers: flags.outside_transfers_enabled,
        }))
        const rows = companies.map(({ id, name, country, messaging, outside_transfers }) => [
          id,
          name,
          country,
          messaging ? 'texting' : '',
          outside_transfers ? 'outside transfers' : '',
        ])
        return { json: { companies }, text: table(rows, 'There are no companies yet.') }
      }),
    )

  company
    .command('messaging')
    .description('switch texting on or off')
    .requiredOption('--company <id>', 'the company', parseIdArgument('com'))
    .addOption(new Option('--on', 'allow texts').conflicts('off'))
    .addOption(new Option('--off', 'refuse texts'))
    .action((options: { company: string; on?: true; off?: true }, command: Command) => {
      if (!options.on && !options.off) throw new OperatorError('Give --on or --off.')
      const enabled = options.on === true
      return runOperatorCommand(command, async (tx) => {
        await withMissingName('com', options.company, setMessaging(tx, options.company, enabled))
        const id = encodeId('com', options.company)
        return {
          json: { id, messaging: enabled },
          text: `Texting is ${enabled ? 'on' : 'off'} for ${id}.`,
        }
      })
    })

  company
    .command('outside-transfers')
    .description('allow or refuse transfers to numbers outside the company')
    .requiredOption('--company <id>', 'the company', parseIdArgument('com'))
    .addOption(new Option('--on', 'allow them; they are charged like calls').conflicts('off'))
    .addOption(new Option('--off', 'refuse them'))
    .action((options: { company: string; on?: true; off?: true }, command: Command) => {
      if (!options.on && !options.off) throw new OperatorError('Give --on or --off.')
      const enabled = options.on === true
      return runOperatorCommand(command, async (tx) => {
        await withMissingName('com', options.company, setOutsideTransfers(tx, options.company, enabled))
        const id = encodeId('com', options.company)
        return {
          json: { id, outside_transfers: enabled },
          text: `Transfers to numbers outside are ${enabled ? 'allowed' : 'refused'} for ${id}.`,
        }
      })
    })
}
