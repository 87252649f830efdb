import { Command } from 'commander'

import { version } from '../server/wiring/version.ts'
import { addDatabaseCommands } from './commands/database.ts'
import { addDoctorCommand } from './commands/doctor.ts'
import { addServeCommands } from './commands/serve.ts'
import { addSizeCommand } from './commands/size.ts'
import { reportFailure, usageSentence } from './failure.ts'

/** In the order of the help. Each noun is loaded only when needed: all of them take most of a second. */
const NOUNS: { noun: string; about: string; add: () => Promise<(noun: Command) => void> }[] = [
  {
    noun: 'company',
    about: 'companies and their features',
    add: async () => (await import('./commands/company.ts')).addCompanyCommands,
  },
  {
    noun: 'employee',
    about: 'people who answer and place calls',
    add: async () => (await import('./commands/employee.ts')).addEmployeeCommands,
  },
  {
    noun: 'api-key',
    about: 'keys for the HTTP API',
    add: async () => (await import('./commands/api-key.ts')).addApiKeyCommands,
  },
  {
    noun: 'number',
    about: 'business numbers',
    add: async () => (await import('./commands/number.ts')).addNumberCommands,
  },
  {
    noun: 'messages',
    about: 'encryption of stored texts',
    add: async () => (await import('./commands/messages.ts')).addMessagesCommands,
  },
  {
    noun: 'device',
    about: 'SIP phones',
    add: async () => (await import('./commands/device.ts')).addDeviceCommands,
  },
  {
    noun: 'trunk',
    about: 'carriers',
    add: async () => (await import('./commands/trunk.ts')).addTrunkCommands,
  },
  {
    noun: 'call',
    about: 'calls in progress, and their SIP messages',
    add: async () => (await import('./commands/call.ts')).addCallCommands,
  },
  {
    noun: 'oauth-client',
    about: 'applications that sign in with OAuth',
    add: async () => (await import('./commands/oauth-client.ts')).addOauthClientCommands,
  },
  {
    noun: 'integration',
    about: 'systems that know the callers of a company',
    add: async () => (await import('./commands/integration.ts')).addIntegrationCommands,
  },
  {
    noun: 'transcripts',
    about: 'transcription of recordings',
    add: async () => (await import('./commands/transcripts.ts')).addTranscriptCommands,
  },
  {
    noun: 'engines',
    about: 'the engines of speech, search and the embedded database',
    add: async () => (await import('./commands/engines.ts')).addEngineCommands,
  },
  {
    noun: 'simulate',
    about: 'simulate callers and texts, without a carrier',
    add: async () => (await import('./commands/simulate.ts')).addSimulateCommands,
  },
]

/** What launch.js calls. */
export default async function runCommand(): Promise<void> {
  const words = process.argv.slice(2)
  const program = new Command('bellhop')
    .description('Bellhop, a business phone system. Settings come from the environment; see .env.example.')
    .version(version)
    .option('--json', 'print one JSON object instead of text')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ outputError: (message, write) => write(usageSentence(message)) })
  addServeCommands(program)
  addDatabaseCommands(program)
  addDoctorCommand(program)
  addSizeCommand(program)
  for (const { noun, about, add } of NOUNS) {
    const command = program.command(noun).description(about)
    if (words.includes(noun)) (await add())(command)
  }

  // A reader that has seen enough (`| head`) is not a failure.
  process.stdout.on('error', () => {})

  if (words.length === 0) program.outputHelp()
  else await program.parseAsync().catch(reportFailure)
}
