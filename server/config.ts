import { existsSync } from 'node:fs'

import { http, readHttp } from './config/http.ts'
import { integrations, readIntegrations } from './config/integrations.ts'
import { mail, readMail } from './config/mail.ts'
import { operations, readOperations } from './config/operations.ts'
import { readSearch, search } from './config/search.ts'
import { readSecrets, secrets } from './config/secrets.ts'
import { readStorage, storage } from './config/storage.ts'
import { readTelephony, telephony } from './config/telephony.ts'
import { readTexting, texting } from './config/texting.ts'
import { readTranscripts, transcripts } from './config/transcripts.ts'
import type { Environment, Setting } from './config/variables.ts'
import { OperatorError } from './platform/errors.ts'

/** The variables, by subject. */
export const subjects = {
  HTTP: http,
  Data: storage,
  Secrets: secrets,
  'Log and metrics': operations,
  'E-mail': mail,
  'Webhooks and caller context': integrations,
  Texting: texting,
  Telephony: telephony,
  'Transcripts and summaries': transcripts,
  Search: search,
}

type Table = (typeof subjects)[keyof typeof subjects]['table']
type KeyOfEach<T> = T extends T ? keyof T : never
type VariableName = KeyOfEach<Table>

const VARIABLES = Object.assign({}, ...Object.values(subjects).map(({ table }) => table)) as Record<
  VariableName,
  Setting
>

export const variableNames = Object.keys(VARIABLES) as VariableName[]

export type Config = ReturnType<typeof readConfig>

export function readConfig(environment: Environment) {
  const kept = readStorage(environment)
  return {
    ...readHttp(environment),
    ...kept,
    ...readSecrets(environment),
    ...readOperations(environment),
    ...readMail(environment),
    ...readIntegrations(environment),
    ...readTexting(environment),
    // An external database means a real installation, so the simulator is off by default.
    ...readTelephony(environment, { simulated: kept.databaseUrl === undefined }),
    ...readTranscripts(environment),
    ...readSearch(environment),
  }
}

/** Reads the environment, and the .env file in the working directory for variables that are not set. */
export function loadConfig(): Config {
  if (existsSync('.env')) process.loadEnvFile('.env')
  return readConfig(process.env)
}

/** For a value that is found to be invalid only when it is used. */
export function wrongSetting(name: VariableName): OperatorError {
  return new OperatorError(`${name} must be ${VARIABLES[name][1]}.`)
}
