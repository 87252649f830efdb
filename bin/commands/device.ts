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
import { idOf, operate, orMissing } from '../operate.ts'
import { table } from '../table.ts'

export function addDeviceCommands(device: Command): void {
  device
    .command('create')
    .description('make SIP credentials for a phone of an employee; the password is shown this once')
    .requiredOption('--employee <id>', 'whose phone it is', idOf('emp'))
    .option('--name <name>', 'what the phone is called')
    .action((options: { employee: string; name?: string }, command: Command) =>
      operate(command, async (tx, { config, log }) => {
        const vault = createVault(await installationSecret(config, log))
        const made = createDevice(tx, vault, options.employee, { name: options.name })
        const { id: uuid, username, password } = await orMissing('emp', options.employee, made)
        const id = encodeId('dev', uuid)
        const domain = await sipDomain(tx, config)
        return {
          json: { id, username, password, domain },
          text: `Created ${id}. Keep the password now, it is not shown again:

  user name  ${username}
  password   ${password}
  domain     ${domain}
`,
        }
      }),
    )

  device
    .command('list')
    .description('the phones of an employee, also those of browsers, API keys and applications')
    .requiredOption('--employee <id>', 'whose phones', idOf('emp'))
    .action((options: { employee: string }, command: Command) =>
      operate(command, async (tx) => {
        await orMissing('emp', options.employee, requireEmployee(tx, options.employee))
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
    .description('take a phone out of service at once')
    .requiredOption('--device <id>', 'which one', idOf('dev'))
    .action((options: { device: string }, command: Command) =>
      operate(command, async (tx) => {
        await orMissing('dev', options.device, removeDevice(tx, options.device))
        const id = encodeId('dev', options.device)
        return { json: { id, removed: true }, text: `Removed ${id}: it can register and call no more.` }
      }),
    )
}

/** What a browser or a program made itself a phone with; null for a phone that somebody set up. */
function makerOf({ signed_in_at, user_agent, api_key_name, application_name }: DeviceRow): string | null {
  if (signed_in_at) return `browser, signed in ${signed_in_at.toISOString()} (${user_agent})`
  if (api_key_name !== null) return `API key ${JSON.stringify(api_key_name)}`
  return application_name === null ? null : `application ${JSON.stringify(application_name)}`
}
