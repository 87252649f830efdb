import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'

import { z } from 'zod'

import { OperatorError } from './platform/errors.ts'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** Every variable: how it is read, and in words what it accepts. The only place that knows the environment. */
const VARIABLES = {
  PORT: [wholeNumber(0, 65_535).default(3000), 'a port from 1 to 65535, or 0 for any free one'],
  HOST: [
    z.string().default('127.0.0.1'),
    'an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them',
  ],
  BELLHOP_BASE_URL: [
    address('http:', 'https:').refine(isBase).optional(),
    'the http or https address at which people reach Bellhop, such as https://phone.example.com',
  ],
  BELLHOP_DATA_DIR: [z.string().refine(mayBeFolder).default('./data'), 'a folder'],
  BELLHOP_SECRET: [z.string().min(32).optional(), 'a random text of at least 32 characters'],
  DATABASE_URL: [
    address('postgres:', 'postgresql:').optional(),
    'the address of a PostgreSQL database, such as postgres://user:password@host:5432/bellhop',
  ],
  DATABASE_POOL_SIZE: [wholeNumber(1, 500).default(10), 'a number of connections from 1 to 500'],
  SMTP_URL: [
    address('smtp:', 'smtps:').optional(),
    'the address of a mail server, such as smtps://user:password@mail.example.com',
  ],
  MAIL_FROM: [
    z
      .string()
      .regex(/^([^<>\n]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/)
      .default('Bellhop <bellhop@localhost>'),
    'an e-mail address, such as Bellhop <bellhop@example.com>',
  ],
  LOG_LEVEL: [z.enum(LOG_LEVELS).default('info'), `one of ${LOG_LEVELS.join(', ')}`],
  METRICS_TOKEN: [
    z
      .string()
      .regex(/^[!-~]{16,}$/)
      .optional(),
    'at least 16 letters, digits or signs without spaces',
  ],
} satisfies Record<string, [z.ZodType, string]>

type VariableName = keyof typeof VARIABLES

export const variableNames = Object.keys(VARIABLES) as VariableName[]

export type Config = ReturnType<typeof readConfig>

export function readConfig(environment: NodeJS.ProcessEnv) {
  const value = <K extends VariableName>(name: K): z.output<(typeof VARIABLES)[K][0]> => {
    // An empty variable counts as unset: that is how it looks in a .env file that was not filled in.
    const result = VARIABLES[name][0].safeParse(environment[name] || undefined)
    if (!result.success) throw wrongSetting(name)
    return result.data as z.output<(typeof VARIABLES)[K][0]>
  }
  return {
    port: value('PORT'),
    host: value('HOST'),
    baseUrl: value('BELLHOP_BASE_URL')?.replace(/\/+$/, ''),
    dataDir: resolve(value('BELLHOP_DATA_DIR')),
    secret: value('BELLHOP_SECRET'),
    databaseUrl: value('DATABASE_URL'),
    databasePoolSize: value('DATABASE_POOL_SIZE'),
    smtpUrl: value('SMTP_URL'),
    mailFrom: value('MAIL_FROM'),
    logLevel: value('LOG_LEVEL'),
    metricsToken: value('METRICS_TOKEN'),
  }
}

/** The settings of this process: its environment, and below that a .env file in the folder it was started from. */
export function loadConfig(): Config {
  if (existsSync('.env')) process.loadEnvFile('.env')
  return readConfig(process.env)
}

/** Also for a value that turns out to be wrong only when it is used. */
export function wrongSetting(name: VariableName): OperatorError {
  return new OperatorError(`${name} must be ${VARIABLES[name][1]}.`)
}

function wholeNumber(min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max))
}

function address(...protocols: string[]) {
  return z.string().refine((text) => {
    const [scheme] = text.split('//', 1)
    return URL.canParse(text) && protocols.includes(scheme!.toLowerCase())
  })
}

/** Links are made by appending a path. */
function isBase(text: string): boolean {
  return !/[?#@]/.test(text)
}

/** Or nothing yet. What we may not look at is refused, with the reason, by whoever needs it. */
function mayBeFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? true
  } catch {
    return true
  }
}
