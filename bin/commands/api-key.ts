import type { Command } from 'commander'

import { createApiKey, listApiKeys, revokeApiKey } from '../../server/modules/api-keys/index.ts'
import { requireEmployee } from '../../server/modules/employees/index.ts'
import { encodeId } from '../../server/platform/ids.ts'
import { parseIdArgument, runOperatorCommand, withMissingName } from '../operator-command.ts'
import { table } from '../table.ts'

export function addApiKeyCommands(apiKey: Command): void {
  apiKey
    .command('create')
    .description('create a key that acts for an employee; it is shown only once')
    .requiredOption('--employee <id>', 'the employee it acts for', parseIdArgument('emp'))
    .requiredOption('--name <name>', 'what it is used for')
    .action((options: { employee: string; name: string }, command: Command) =>
      runOperatorCommand(command, async (tx) => {
        const made = createApiKey(tx, options.employee, options.name)
        const { id: uuid, key } = await withMissingName('emp', options.employee, made)
        const id = encodeId('key', uuid)
        return {
          json: { id, key },
          text: `Created ${id}. Save the key now; it is not shown again:\n\n  ${key}\n`,
        }
      }),
    )

  apiKey
    .command('list')
    .description('list the keys of an employee')
    .requiredOption('--employee <id>', 'the employee they act for', parseIdArgument('emp'))
    .action(({ employee }: { employee: string }, command: Command) =>
      runOperatorCommand(command, async (tx) => {
        await withMissingName('emp', employee, requireEmployee(tx, employee))
        const api_keys = (await listApiKeys(tx, employee)).map(({ id, name, created_at }) => ({
          id: encodeId('key', id),
          name,
          created_at: created_at.toISOString(),
        }))
        const rows = api_keys.map(({ id, name, created_at }) => [
          id,
          name,
          `since ${created_at.slice(0, 10)}`,
        ])
        return { json: { api_keys }, text: table(rows, 'The employee has no API keys.') }
      }),
    )

  apiKey
    .command('revoke')
    .description('revoke a key; it stops working within a second')
    .requiredOption('--key <id>', 'the id of the key', parseIdArgument('key'))
    .action((options: { key: string }, command: Command) =>
      runOperatorCommand(command, async (tx) => {
        await withMissingName('key', options.key, revokeApiKey(tx, options.key))
        const id = encodeId('key', options.key)
        return { json: { id, revoked: true }, text: `Revoked ${id}.` }
      }),
    )
}
