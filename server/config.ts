import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'

import { z } from 'zod'

import { OperatorError } from './platform/errors.ts'
import { SMS_PROVIDERS } from './providers/sms/port.ts'
import { readTrunks } from './sip-trunks.ts'

const TRANSCRIPTION_ENGINES = ['embedded', 'openai', 'off'] as const
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** Where calls cost about what one expects: the European Economic Area and its neighbours, and North America. */
const USUAL_COUNTRIES =
  'AT BE BG CA CH CY CZ DE DK EE ES FI FO FR GB GL GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK US'.split(
    ' ',
  )

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
  MESSAGE_KEYS: [
    z
      .string()
      .transform((text) => text.split(',').map((key) => key.trim()))
      .refine(areMessageKeys)
      .optional(),
    'keys as id:secret separated by commas, the newest first; each secret has at least 32 characters',
  ],
  SMS_PROVIDER: [z.enum(SMS_PROVIDERS).default('simulator'), `one of ${SMS_PROVIDERS.join(', ')}`],
  SMS_TIMEOUT_SECONDS: [wholeNumber(1, 60).default(15), 'a number of seconds from 1 to 60'],
  TELNYX_API_KEY: [z.string().optional(), 'an API key of Telnyx'],
  TELNYX_PUBLIC_KEY: [
    z
      .string()
      .regex(/^[A-Za-z0-9+/]{43}=$/)
      .optional(),
    'the public key of the Telnyx account, in base64',
  ],
  TELNYX_URL: [
    address('http:', 'https:').refine(isBase).default('https://api.telnyx.com'),
    'the address of the API of Telnyx',
  ],
  TWILIO_ACCOUNT_SID: [
    z
      .string()
      .regex(/^AC[0-9a-f]{32}$/)
      .optional(),
    'the SID of a Twilio account, AC and 32 hexadecimal digits',
  ],
  TWILIO_AUTH_TOKEN: [z.string().optional(), 'the auth token of the Twilio account'],
  TWILIO_URL: [
    address('http:', 'https:').refine(isBase).default('https://api.twilio.com'),
    'the address of the API of Twilio',
  ],
  SIP_HOST: [
    z.string().default('127.0.0.1'),
    'an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them',
  ],
  SIP_PORT: [wholeNumber(0, 65_535).default(5060), 'a port from 1 to 65535, or 0 for any free one'],
  SIP_ADVERTISED: [
    z.union([z.ipv4(), z.ipv6()]).optional(),
    'the IP address at which phones and carriers outside reach this machine',
  ],
  SIP_DOMAIN: [
    z
      .string()
      .regex(/^[A-Za-z0-9.-]+(:\d{1,5})?$/)
      .optional(),
    'the name that phones are told to register at, such as phone.example.com or phone.example.com:5070',
  ],
  SIP_TLS_PORT: [wholeNumber(0, 65_535).default(5061), 'a port from 1 to 65535, or 0 for any free one'],
  SIP_TLS_CERT: [z.string().refine(isFile).optional(), 'a file with the certificate, in PEM'],
  SIP_TLS_KEY: [z.string().refine(isFile).optional(), 'a file with the key of the certificate, in PEM'],
  SIP_WEBSOCKET_URL: [
    address('ws:', 'wss:').optional(),
    'the ws or wss address at which browsers reach the edge, such as wss://phone.example.com/sip',
  ],
  SIP_TRUNKS: [z.string().optional(), 'a list of carriers in JSON, or a file with one'],
  SIP_SIMULATOR: [z.enum(['on', 'off']).optional(), 'on or off'],
  MEDIA_PORTS: [
    z
      .string()
      .regex(/^\d{4,5}-\d{4,5}$/)
      .transform((text) => text.split('-').map(Number) as [number, number])
      .refine(([from, to]) => from >= 1024 && to <= 65_535 && to - from >= 3)
      .default([20_000, 29_999]),
    'a range of ports of at least four, from 1024 to 65535, such as 20000-29999',
  ],
  MEDIA_LAW: [z.enum(['pcma', 'pcmu']).default('pcma'), 'pcma or pcmu'],
  OUTBOUND_COUNTRIES: [
    z
      .string()
      .transform((text) => text.split(',').map((code) => code.trim().toUpperCase()))
      .pipe(z.array(z.string().regex(/^([A-Z]{2}|\*)$/)))
      .default(USUAL_COUNTRIES),
    'codes of countries separated by commas, such as DK,SE,NO; or * for all of them',
  ],
  OUTBOUND_PER_MINUTE: [wholeNumber(0, 10_000).default(30), 'a number of calls from 0 to 10000'],
  EDGE_HTTP_PORT: [wholeNumber(0, 65_535).default(3001), 'a port from 1 to 65535, or 0 for any free one'],
  EDGE_DRAIN_SECONDS: [wholeNumber(0, 86_400).default(600), 'a number of seconds from 0 to 86400'],
  SHOPIFY_URL: [
    address('http:', 'https:').refine(isBase).optional(),
    'the address of the Admin API of all Shopify shops',
  ],
  ECONOMIC_URL: [
    address('http:', 'https:').refine(isBase).optional(),
    'the address of the REST API of e-conomic',
  ],
  EMBEDDINGS: [
    z.enum(['embedded', 'openai', 'off']).default('embedded'),
    'embedded, openai for a service that speaks as OpenAI does, or off to search by words alone',
  ],
  EMBEDDINGS_URL: [
    address('http:', 'https:').refine(isBase).optional(),
    'the address that /v1/embeddings is appended to, such as https://api.openai.com',
  ],
  EMBEDDINGS_MODEL: [z.string().max(200).optional(), 'the name of a model that makes vectors of texts'],
  EMBEDDINGS_API_KEY: [z.string().optional(), 'an API key of the service that makes vectors of texts'],
  TRANSCRIPTION_ENGINE: [
    z.enum(TRANSCRIPTION_ENGINES).default('embedded'),
    `one of ${TRANSCRIPTION_ENGINES.join(', ')}`,
  ],
  TRANSCRIPTION_AT_ONCE: [wholeNumber(1, 16).default(1), 'a number of recordings from 1 to 16'],
  TRANSCRIPTION_URL: [
    address('http:', 'https:').refine(isBase).optional(),
    'the address of an endpoint that transcribes as that of OpenAI, such as https://api.openai.com/v1',
  ],
  TRANSCRIPTION_API_KEY: [z.string().optional(), 'an API key of the endpoint'],
  TRANSCRIPTION_MODEL: [z.string().default('whisper-1'), 'the name of a model of the endpoint'],
  TRANSCRIPTION_TIMEOUT_SECONDS: [wholeNumber(1, 3600).default(300), 'a number of seconds from 1 to 3600'],
  SUMMARY_URL: [
    address('http:', 'https:').refine(isBase).optional(),
    'the address of an endpoint that chats as that of OpenAI, such as https://api.openai.com/v1',
  ],
  SUMMARY_API_KEY: [z.string().optional(), 'an API key of the endpoint'],
  SUMMARY_MODEL: [z.string().optional(), 'the name of a model of the endpoint'],
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
    messageKeys: value('MESSAGE_KEYS'),
    sms: smsOf(value('SMS_PROVIDER'), value('SMS_TIMEOUT_SECONDS'), {
      TELNYX_API_KEY: value('TELNYX_API_KEY'),
      TELNYX_PUBLIC_KEY: value('TELNYX_PUBLIC_KEY'),
      TELNYX_URL: value('TELNYX_URL'),
      TWILIO_ACCOUNT_SID: value('TWILIO_ACCOUNT_SID'),
      TWILIO_AUTH_TOKEN: value('TWILIO_AUTH_TOKEN'),
      TWILIO_URL: value('TWILIO_URL'),
    }),
    context: {
      shopifyUrl: value('SHOPIFY_URL')?.replace(/\/+$/, ''),
      economicUrl: value('ECONOMIC_URL')?.replace(/\/+$/, ''),
    },
    embeddings: embeddingsOf(value('EMBEDDINGS'), value('EMBEDDINGS_API_KEY'), {
      EMBEDDINGS_URL: value('EMBEDDINGS_URL'),
      EMBEDDINGS_MODEL: value('EMBEDDINGS_MODEL'),
    }),
    transcription: transcriptionOf(value('TRANSCRIPTION_ENGINE'), value('TRANSCRIPTION_URL'), {
      atOnce: value('TRANSCRIPTION_AT_ONCE'),
      apiKey: value('TRANSCRIPTION_API_KEY'),
      model: value('TRANSCRIPTION_MODEL'),
      answerMs: value('TRANSCRIPTION_TIMEOUT_SECONDS') * 1000,
    }),
    summary: summaryOf(value('SUMMARY_API_KEY'), {
      SUMMARY_URL: value('SUMMARY_URL'),
      SUMMARY_MODEL: value('SUMMARY_MODEL'),
    }),
    webhooksAllowInsecure: value('BELLHOP_WEBHOOKS_ALLOW_INSECURE') === '1',
    sip: {
      host: value('SIP_HOST'),
      port: value('SIP_PORT'),
      advertised: value('SIP_ADVERTISED'),
      domain: value('SIP_DOMAIN'),
      tls: certificateOf(value('SIP_TLS_PORT'), {
        SIP_TLS_CERT: value('SIP_TLS_CERT'),
        SIP_TLS_KEY: value('SIP_TLS_KEY'),
      }),
      websocketUrl: value('SIP_WEBSOCKET_URL'),
      trunks: readTrunks(value('SIP_TRUNKS')),
      // Whoever has a database of their own means business.
      simulator: (value('SIP_SIMULATOR') ?? (value('DATABASE_URL') ? 'off' : 'on')) === 'on',
    },
    media: { ports: { from: value('MEDIA_PORTS')[0], to: value('MEDIA_PORTS')[1] }, law: value('MEDIA_LAW') },
    outbound: { countries: value('OUTBOUND_COUNTRIES'), perMinute: value('OUTBOUND_PER_MINUTE') },
    edge: { httpPort: value('EDGE_HTTP_PORT'), drainMs: value('EDGE_DRAIN_SECONDS') * 1000 },
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

type Settings<Name extends VariableName> = Record<Name, string | undefined>

/** All of them or none: half a bucket would quietly leave recordings in the data folder. */
function together<Name extends VariableName>(
  settings: Settings<Name>,
  names: Name[],
  wanted?: string,
): Record<Name, string> | undefined {
  const given = names.find((name) => settings[name] !== undefined)
  const reason = wanted ?? (given && `${given} is set`)
  if (!reason) return undefined
  for (const name of names)
    if (settings[name] === undefined)
      throw new OperatorError(`${name} must be ${VARIABLES[name][1]}, as ${reason}.`)
  return settings as Record<Name, string>
}

function bucketOf(
  region: string,
  settings: Settings<'S3_URL' | 'S3_BUCKET' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY'>,
) {
  const given = together(settings, ['S3_URL', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'])
  return (
    given && {
      endpoint: given.S3_URL,
      bucket: given.S3_BUCKET,
      region,
      accessKeyId: given.S3_ACCESS_KEY_ID,
      secretAccessKey: given.S3_SECRET_ACCESS_KEY,
    }
  )
}

function certificateOf(port: number, settings: Settings<'SIP_TLS_CERT' | 'SIP_TLS_KEY'>) {
  const given = together(settings, ['SIP_TLS_CERT', 'SIP_TLS_KEY'])
  return given && { port, certFile: given.SIP_TLS_CERT, keyFile: given.SIP_TLS_KEY }
}

/** A key is not asked for: a service in one's own network may need none. */
function embeddingsOf(
  engine: 'embedded' | 'openai' | 'off',
  apiKey: string | undefined,
  settings: Settings<'EMBEDDINGS_URL' | 'EMBEDDINGS_MODEL'>,
) {
  if (engine !== 'openai') return { engine } as const
  const given = together(settings, ['EMBEDDINGS_URL', 'EMBEDDINGS_MODEL'], 'EMBEDDINGS is openai')!
  return {
    engine: 'openai' as const,
    url: given.EMBEDDINGS_URL.replace(/\/+$/, ''),
    model: given.EMBEDDINGS_MODEL,
    apiKey,
  }
}

type SmsVariable = 'TELNYX_API_KEY' | 'TELNYX_PUBLIC_KEY' | 'TWILIO_ACCOUNT_SID' | 'TWILIO_AUTH_TOKEN'

/** A provider that is set up is listened to, also when another one sends: what it took, it still reports. */
function smsOf(
  provider: (typeof SMS_PROVIDERS)[number],
  timeoutSeconds: number,
  settings: Settings<SmsVariable> & { TELNYX_URL: string; TWILIO_URL: string },
) {
  const wanted = (name: string) => (provider === name ? `SMS_PROVIDER is ${name}` : undefined)
  const telnyx = together<SmsVariable>(settings, ['TELNYX_API_KEY', 'TELNYX_PUBLIC_KEY'], wanted('telnyx'))
  const twilio = together<SmsVariable>(
    settings,
    ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN'],
    wanted('twilio'),
  )
  return {
    provider,
    answerMs: timeoutSeconds * 1000,
    telnyx: telnyx && {
      url: settings.TELNYX_URL.replace(/\/+$/, ''),
      apiKey: telnyx.TELNYX_API_KEY,
      publicKey: telnyx.TELNYX_PUBLIC_KEY,
    },
    twilio: twilio && {
      url: settings.TWILIO_URL.replace(/\/+$/, ''),
      accountSid: twilio.TWILIO_ACCOUNT_SID,
      authToken: twilio.TWILIO_AUTH_TOKEN,
    },
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** Beside the embedded engine, an endpoint is asked for what that does not know. */
function transcriptionOf(
  engine: (typeof TRANSCRIPTION_ENGINES)[number],
  url: string | undefined,
  { atOnce, ...rest }: { atOnce: number; apiKey: string | undefined; model: string; answerMs: number },
) {
  if (engine === 'openai')
    together({ TRANSCRIPTION_URL: url }, ['TRANSCRIPTION_URL'], 'TRANSCRIPTION_ENGINE is openai')
  return {
    engine,
    atOnce,
    endpoint: url === undefined ? undefined : { url: url.replace(/\/+$/, ''), ...rest },
  }
}

function summaryOf(apiKey: string | undefined, settings: Settings<'SUMMARY_URL' | 'SUMMARY_MODEL'>) {
  const given = together(settings, ['SUMMARY_URL', 'SUMMARY_MODEL'])
  return given && { url: given.SUMMARY_URL.replace(/\/+$/, ''), model: given.SUMMARY_MODEL, apiKey }
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

/** `2026-11:…`: what a key encrypts names it by its id. */
export const MESSAGE_KEY = /^([\w.-]{1,32}):([^\s:,]{32,})$/

export function areMessageKeys(keys: string[]): boolean {
  const ids = keys.map((key) => MESSAGE_KEY.exec(key)?.[1])
  return !ids.includes(undefined) && new Set(ids).size === ids.length
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
