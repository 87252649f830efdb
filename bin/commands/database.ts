import type { Command } from 'commander'

// Only when one of them runs: the help needs no database.
const load = () => import('../database.ts')

export function addDatabaseCommands(program: Command): void {
  program
    .command('migrate')
    .description('bring the database up to date (every start does so too)')
    .action(async (_: unknown, command: Command) => (await load()).bringUpToDate(command))

  program
    .command('copy-database')
    .description(
      'make a new embedded database out of one that another PostgreSQL serves, such as an older one',
    )
    .requiredOption('--from <address>', 'the folder of its socket, or its URL')
    .action(async ({ from }: { from: string }, command: Command) => (await load()).copyFrom(from, command))

  program
    .command('demo')
    .description('create the demo company; its sign-in and API key are shown this once')
    .action(async (_: unknown, command: Command) => (await load()).makeDemo(command))
}
