import type { Command } from 'commander'

// Loaded only when one of them runs: the help needs no database.
const load = () => import('../database.ts')

export function addDatabaseCommands(program: Command): void {
  program
    .command('migrate')
    .description('migrate the database (every start does so too)')
    .action(async (_: unknown, command: Command) => (await load()).migrateDatabase(command))

  program
    .command('copy-database')
    .description('copy the database of another PostgreSQL, such as an older version, into a new embedded one')
    .requiredOption('--from <address>', 'the folder of its socket, or its URL')
    .action(async ({ from }: { from: string }, command: Command) => (await load()).copyFrom(from, command))

  program
    .command('demo')
    .description('create the demo company; its password and API key are shown only once')
    .action(async (_: unknown, command: Command) => (await load()).createDemoCompany(command))
}
