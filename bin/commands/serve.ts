import type { Command } from 'commander'

import type { Roles } from '../service/serve.ts'

export function addServeCommands(program: Command): void {
  program
    .command('serve')
    .description('run everything in one process')
    .option(
      '--demo',
      'create a demo company if there is no company yet (an embedded database gets one anyway)',
    )
    .action(({ demo }: { demo?: true }, command: Command) =>
      start(command, { api: true, worker: true, edge: true, demo: demo ? 'make' : 'make if embedded' }),
    )
  program
    .command('api')
    .description('serve HTTP only')
    .action((_: unknown, command: Command) => start(command, { ...NOTHING, api: true }))
  program
    .command('worker')
    .description('run background work only')
    .action((_: unknown, command: Command) => start(command, { ...NOTHING, worker: true }))
  program
    .command('edge')
    .description('run calls only: phones and carriers connect to this process')
    .action((_: unknown, command: Command) => start(command, { ...NOTHING, edge: true }))
}

const NOTHING: Roles = { api: false, worker: false, edge: false, demo: 'no' }

// Loaded only when one of them runs: the help needs no service in memory.
const start = async (command: Command, roles: Roles) =>
  (await import('../service/serve.ts')).serve(command, roles)
