import type { Command } from 'commander'

import { loadConfig } from '../../server/config.ts'
import { createDemo } from '../../server/demo.ts'
import { localUrl } from '../../server/local-url.ts'
import { copyIntoStore, openStore } from '../../server/store.ts'
import { demoJson, demoText } from '../demo-text.ts'
import { operate, print, quietLog } from '../operate.ts'

export function addDatabaseCommands(program: Command): void {
  program
    .command('migrate')
    .description('bring the database up to date (every start does so too)')
    .action(async (_: unknown, command: Command) => {
      const store = await openStore(loadConfig(), quietLog())
      await store.close()
      const { migrated } = store
      const text = migrated.length > 0 ? `Applied ${migrated.join(', ')}.` : 'The database was up to date.'
      print(command, { json: { migrated }, text })
    })

  program
    .command('copy-database')
    .description(
      'make a new embedded database out of one that another PostgreSQL serves, such as an older one',
    )
    .requiredOption('--from <address>', 'the folder of its socket, or its URL')
    .action(async ({ from }: { from: string }, command: Command) => {
      const { tables, migrated } = await copyIntoStore(loadConfig(), quietLog(), from)
      const steps = migrated.length > 0 ? ` Applied ${migrated.join(', ')}.` : ''
      print(command, { json: { tables, migrated }, text: `Copied ${tables} tables.${steps}` })
    })

  program
    .command('demo')
    .description('create the demo company; its sign-in and API key are shown this once')
    .action((_: unknown, command: Command) =>
      operate(command, async (tx, { config: { baseUrl, host, port } }) => {
        const demo = await createDemo(tx)
        const url = baseUrl ?? (port === 0 ? undefined : localUrl({ address: host, port }))
        return { json: demoJson(demo), text: demoText(demo, url) }
      }),
    )
}
