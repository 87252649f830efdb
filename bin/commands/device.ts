import type { Command } from 'commander'

import {
  createDevice,
  type DeviceRow,
  listDevices,
  removeDevice,
  setEncryption,
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
          encryption: row.encryption,
          encryption_refused_at: row.encryption_refused_at,
        }))
        const rows = devices.map((each) => [
          each.id,
          each.username ?? '',
          each.made_with ?? each.name,
          each.registered ? 'registered' : 'not registered',
          encryptionOf(each),
        ])
        return { json: { devices }, text: table(rows, 'There are no phones.') }
      }),
    )

  device
    .command('encryption')
    .description('set whether the media of a phone is encrypted, and offer it again to a phone that refused')
    .requiredOption('--device <id>', 'the phone', parseIdArgument('dev'))
    .requiredOption('--mode <mode>', 'auto (if it registers by TLS and accepts), required or off')
    .action(({ device: deviceId, mode }: { device: string; mode: string }, command: Command) =>
      runOperatorCommand(command, async (tx) => {
        await withMissingName('dev', deviceId, setEncryption(tx, deviceId, { encryption: mode }))
        const id = encodeId('dev', deviceId)
        return { json: { id, encryption: mode }, text: `The encryption of ${id} is ${mode}.` }
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

/** Nothing for what goes without saying: browsers always encrypt. */
function encryptionOf({ kind, encryption, encryption_refused_at: refusedAt }: EncryptionShown): string {
  if (kind === 'browser') return ''
  const setting = encryption === 'auto' ? '' : `encryption ${encryption}`
  return refusedAt
    ? [setting, `refused encryption ${refusedAt.toISOString()}`].filter(Boolean).join(', ')
    : setting
}

type EncryptionShown = Pick<DeviceRow, 'kind' | 'encryption' | 'encryption_refused_at'>

/** The browser or program that created the phone; null for a phone that somebody set up. */
function makerOf({ signed_in_at, user_agent, api_key_name, application_name }: DeviceRow): string | null {
  if (signed_in_at) return `browser, signed in ${signed_in_at.toISOString()} (${user_agent})`
  if (api_key_name !== null) return `API key ${JSON.stringify(api_key_name)}`
  return application_name === null ? null : `application ${JSON.stringify(application_name)}`
}
