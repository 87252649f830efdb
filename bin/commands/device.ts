import type { Command } from 'commander'

import { createDevice, listPhones, removeDevice } from '../../server/modules/devices/index.ts'
import { requireEmployee } from '../../server/modules/employees/index.ts'
import { createVault } from '../../server/platform/crypto.ts'
import { encodeId } from '../../server/platform/ids.ts'
import { installationSecret } from '../../server/secret.ts'
import { sipDomain } from '../../server/sip-domain.ts'
import { idOf, operate, orMissing } from '../operate.ts'
import { table } from '../table.ts'

export function addDeviceCommands(program: Command): void {
  const device = program.command('device').description('SIP phones')

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
    .description('the phones of an employee')
    .requiredOption('--employee <id>', 'whose phones', idOf('emp'))
    .action((options: { employee: string }, command: Command) =>
      operate(command, async (tx) => {
        await orMissing('emp', options.employee, requireEmployee(tx, options.employee))
        const devices = (await listPhones(tx, options.employee)).map((row) => ({
          id: encodeId('dev', row.id),
          name: row.name,
          username: row.username,
          registered: row.is_registered,
          last_registered_at: row.last_registered_at,
        }))
        const rows = devices.map(({ id, name, username, registered }) => [
          id,
          username,
          name,
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
