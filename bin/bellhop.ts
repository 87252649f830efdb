#!/usr/bin/env node
import { Command } from 'commander'

import { version } from '../server/version.ts'
import { addApiKeyCommands } from './commands/api-key.ts'
import { addCompanyCommands } from './commands/company.ts'
import { addDatabaseCommands } from './commands/database.ts'
import { addDeviceCommands } from './commands/device.ts'
import { addEmployeeCommands } from './commands/employee.ts'
import { addIntegrationCommands } from './commands/integration.ts'
import { addMessagesCommands } from './commands/messages.ts'
import { addNumberCommands } from './commands/number.ts'
import { addOauthClientCommands } from './commands/oauth-client.ts'
import { addServeCommands } from './commands/serve.ts'
import { addSimulateCommands } from './commands/simulate.ts'
import { addTranscriptCommands } from './commands/transcripts.ts'
import { reportFailure, usageSentence } from './failure.ts'

const program = new Command('bellhop')
  .description('Bellhop, a business phone system. Settings come from the environment; see .env.example.')
  .version(version)
  .option('--json', 'print one JSON object instead of text')
  .configureHelp({ showGlobalOptions: true })
  .configureOutput({ outputError: (message, write) => write(usageSentence(message)) })

addServeCommands(program)
addDatabaseCommands(program)
addCompanyCommands(program)
addEmployeeCommands(program)
addApiKeyCommands(program)
addNumberCommands(program)
addMessagesCommands(program)
addDeviceCommands(program)
addOauthClientCommands(program)
addIntegrationCommands(program)
addTranscriptCommands(program)
addSimulateCommands(program)

// A reader that has seen enough (`| head`) is no failure.
process.stdout.on('error', () => {})

if (process.argv.length === 2) program.outputHelp()
else await program.parseAsync().catch(reportFailure)
