#!/usr/bin/env node
import { Command } from 'commander'

import { version } from '../server/version.ts'
import { reportFailure, usageSentence } from './failure.ts'

/** In the order of the help. Each file is loaded when its noun is asked for: all of them take most of a second. */
const COMMANDS: { nouns: string[]; add: () => Promise<(program: Command) => void> }[] = [
  {
    nouns: ['serve', 'api', 'worker', 'edge'],
    add: async () => (await import('./commands/serve.ts')).addServeCommands,
  },
  {
    nouns: ['migrate', 'copy-database', 'demo'],
    add: async () => (await import('./commands/database.ts')).addDatabaseCommands,
  },
  { nouns: ['company'], add: async () => (await import('./commands/company.ts')).addCompanyCommands },
  { nouns: ['employee'], add: async () => (await import('./commands/employee.ts')).addEmployeeCommands },
  { nouns: ['api-key'], add: async () => (await import('./commands/api-key.ts')).addApiKeyCommands },
  { nouns: ['number'], add: async () => (await import('./commands/number.ts')).addNumberCommands },
  { nouns: ['messages'], add: async () => (await import('./commands/messages.ts')).addMessagesCommands },
  { nouns: ['device'], add: async () => (await import('./commands/device.ts')).addDeviceCommands },
  {
    nouns: ['oauth-client'],
    add: async () => (await import('./commands/oauth-client.ts')).addOauthClientCommands,
  },
  {
    nouns: ['integration'],
    add: async () => (await import('./commands/integration.ts')).addIntegrationCommands,
  },
  {
    nouns: ['transcripts'],
    add: async () => (await import('./commands/transcripts.ts')).addTranscriptCommands,
  },
  { nouns: ['simulate'], add: async () => (await import('./commands/simulate.ts')).addSimulateCommands },
]

const program = new Command('bellhop')
  .description('Bellhop, a business phone system. Settings come from the environment; see .env.example.')
  .version(version)
  .option('--json', 'print one JSON object instead of text')
  .configureHelp({ showGlobalOptions: true })
  .configureOutput({ outputError: (message, write) => write(usageSentence(message)) })

const words = process.argv.slice(2)
const asked = words.find((word) => !word.startsWith('-'))
const found = COMMANDS.filter(({ nouns }) => asked !== undefined && nouns.includes(asked))
for (const { add } of found.length > 0 ? found : COMMANDS) (await add())(program)

// A reader that has seen enough (`| head`) is no failure.
process.stdout.on('error', () => {})

if (words.length === 0) program.outputHelp()
else await program.parseAsync().catch(reportFailure)
