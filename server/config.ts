import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'

import { z } from 'zod'

import { fail, OperatorError } from './platform/errors.ts'

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
  BELLHOP_ALLOWED_ORIGINS: [
    z
      .string()
      .transform((text) => text.split(',').map((origin) => origin.trim()))
      .pipe(z.array(z.string().refine(isOrigin)))
      .default([]),
    'a list of web origins separated by commas, such as https://crm.example.com',
  ],
  TRUSTED_PROXIES: [
    z
      .string()
      .transform((text) => text.split(',').map((one) => one.trim()))
      .pipe(z.array(z.union([z.literal('loopback'), z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])))
      .default(['loopback']),
    'addresses or networks, separated by commas, such as 10.0.0.5,192.168.0.0/16; or loopback',
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
  S3_URL: [
    address('http:', 'https:').refine(isBase).optional(),
    'the address of an S3-compatible service, such as https://s3.eu-central-1.amazonaws.com',
  ],
  S3_BUCKET: [
    z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/)
      .optional(),
    'the name of a bucket',
  ],
  S3_REGION: [z.string().default('us-east-1'), 'the region of the bucket'],
  S3_ACCESS_KEY_ID: [z.string().optional(), 'the id of an access key'],
  S3_SECRET_ACCESS_KEY: [z.string().optional(), 'the secret of the access key'],
  BELLHOP_WEBHOOKS_ALLOW_INSECURE: [
    z.enum(['0', '1']).default('0'),
    '1 to let webhooks go to http addresses and private networks, or 0',
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
    allowedOrigins: value('BELLHOP_ALLOWED_ORIGINS'),
    trustedProxies: value('TRUSTED_PROXIES'),
    dataDir: resolve(value('BELLHOP_DATA_DIR')),
    secret: value('BELLHOP_SECRET'),
    databaseUrl: value('DATABASE_URL'),
    databasePoolSize: value('DATABASE_POOL_SIZE'),
    smtpUrl: value('SMTP_URL'),
    mailFrom: value('MAIL_FROM'),
    s3: bucketOf(value('S3_REGION'), {
      S3_URL: value('S3_URL'),
      S3_BUCKET: value('S3_BUCKET'),
      S3_ACCESS_KEY_ID: value('S3_ACCESS_KEY_ID'),
      S3_SECRET_ACCESS_KEY: value('S3_SECRET_ACCESS_KEY'),
    }),
    webhooksAllowInsecure: value('BELLHOP_WEBHOOKS_ALLOW_INSECURE') === '1',
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

type BucketVariable = 'S3_URL' | 'S3_BUCKET' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY'

/** All of it or nothing: half a bucket would quietly leave recordings in the data folder. */
function bucketOf(region: string, settings: Record<BucketVariable, string | undefined>) {
  const names = Object.keys(settings) as BucketVariable[]
  const given = names.find((name) => settings[name] !== undefined)
  if (!given) return undefined
  const need = (name: BucketVariable) =>
    settings[name] ?? fail(new OperatorError(`${name} must be ${VARIABLES[name][1]}, as ${given} is set.`))
  return {
    endpoint: need('S3_URL'),
    bucket: need('S3_BUCKET'),
    region,
    accessKeyId: need('S3_ACCESS_KEY_ID'),
    secretAccessKey: need('S3_SECRET_ACCESS_KEY'),
  }
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

/** As a browser writes it: `https://crm.example.com`, nothing behind it. */
function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text
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
