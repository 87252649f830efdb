import type { Command } from 'commander'

import {
  createDevice,
  type DeviceRow,
  listDevices,
  removeDevice,
} from '../../server/modules/devices/index.ts'
import { requireEmployee } from '../../server/modules/employees/index.ts'
import { createVault } from '../../server/platform/crypto/crypto.ts'
import { encodeId } from '../../server/platform/ids.ts'
import { installationSecret } from '../../server/wiring/secret.ts'
import { sipDomain } from '../../server/wiring/sip-domain.ts'
import { parseIdArgument, runOperatorCommand, withMissingName } from '../operator-command.ts'
import { table } from '../table.ts'

export function addDeviceCommands(device: Command): void {
  device
    .command('create')
    .description('create SIP credentials for a phone of an employee; the password is shown only once')
    .requiredOption('--employee <id>', 'the owner of the phone', parseIdArgument('emp'))
    .option('--name <name>', 'the name of the phone')
    .action((options: { employee: string; name?: string }, command: Command) =>
      runOperatorCommand(command, async (tx, { config, log }) => {
        const vault = createVault(await installationSecret(config, log))
        const made = createDevice(tx, vault, options.employee, { name: options.name })
        const { id: uuid, username, password } = await withMissingName('emp', options.employee, made)
        const id = encodeId('dev', uuid)
        const domain = await sipDomain(tx, config)
        return {
          json: { id, username, password, domain },
          text: `Created ${id}. Save the password now; it is not shown again:

  user name  ${username}
  password   ${password}
  domain     ${domain}
`,
        }
      }),
    )

  device
    .command('list')
    .description('list the phones of an employee, including those of browsers, API keys and applications')
    .requiredOption('--employee <id>', 'the owner of the phones', parseIdArgument('emp'))
    .action((options: { employee: string }, command: Command) =>
      runOperatorCommand(command, async (tx) => {
        await withMissingName('emp', options.employee, requireEmployee(tx, options.employee))
        const devices = (await listDevices(tx, options.employee)).map((row) => ({
          id: encodeId('dev', row.id),
          name: row.name,
          kind: row.kind,
          made_with: makerOf(row),
          username: row.username,
          registered: row.is_registered,
          last_registered_at: row.last_registered_at,
        }))
        const rows = devices.map(({ id, name, username, made_with, registered }) => [
          id,
          username ?? '',
          made_with ?? name,
          registered ? 'registered' : 'not registered',
        ])
        return { json: { devices }, text: table(rows, 'There are no phones.') }
      }),
    )

  device
    .command('remove')
    .description('remove a phone; takes effect at once')
    .requiredOption('--device <id>', 'the phone', parseIdArgument('dev'))
    .action((options: { device: string }, command: Command) =>
      runOperatorCommand(command, async (tx) => {
        await withMissingName('dev', options.device, removeDevice(tx, options.device))
        const id = encodeId('dev', options.device)
        return {
          json: { id, removed: true },
          text: `Removed ${id}. It can no longer register or place calls.`,
        }
      }),
    )
}

/** The browser or program that created the phone; null for a phone that somebody set up. */
function makerOf({ signed_in_at, user_agent, api_key_name, application_name }: DeviceRow): string | null {
  if (signed_in_at) return `browser, signed in ${signed_in_at.toISOString()} (${user_agent})`
  if (api_key_name !== null) return `API key ${JSON.stringify(api_key_name)}`
  return application_name === null ? null : `application ${JSON.stringify(application_name)}`
}
