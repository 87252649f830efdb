import type { Command } from 'commander'

import { registerFirstPartyClient } from '../../server/modules/oauth/index.ts'
import { encodeId } from '../../server/platform/ids.ts'
import { runOperatorCommand } from '../operator-command.ts'

export function addOauthClientCommands(client: Command): void {
  client
    .command('create')
    .description('register your own application, with a permanent client id')
    .requiredOption('--name <name>', 'the name that employees see on the consent page')
    .requiredOption('--redirect-uri <uri...>', 'its redirect URIs; custom schemes are allowed')
    .action(({ name, redirectUri }: { name: string; redirectUri: string[] }, command: Command) =>
      runOperatorCommand(command, async (tx) => {
        const { id } = await registerFirstPartyClient(tx, { name, redirect_uris: redirectUri })
        const client_id = encodeId('cli', id)
        return { json: { client_id }, text: `Registered ${name}. Its client id is ${client_id}.` }
      }),
    )
}
