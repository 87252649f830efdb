import { hostname } from 'node:os'

import type { Command } from 'commander'

import type { Config } from '../../server/config.ts'
import { createDevice } from '../../server/modules/devices/index.ts'
import { createVault } from '../../server/platform/crypto.ts'
import { encodeId } from '../../server/platform/ids.ts'
import { installationSecret } from '../../server/secret.ts'
import { idOf, operate, orMissing } from '../operate.ts'

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
        const domain = domainOf(config)
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
}

/** Where phones find us: a wildcard to listen on is no address to call. */
function domainOf({ baseUrl, host }: Config): string {
  if (baseUrl) return new URL(baseUrl).hostname
  return host === '0.0.0.0' || host === '::' ? hostname() : host
}
