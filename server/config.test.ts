import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

import { expect, test } from 'vitest'

import { newFolder } from '../test/harness/processes/bellhop-process.ts'
import { readConfig, variableNames } from './config.ts'
import { packageRoot } from './platform/package-root.ts'

const file = join(await newFolder(), 'file')
await writeFile(file, '')

const wrong: Record<(typeof variableNames)[number], { values: string[]; accepts: string }> = {
  PORT: {
    values: ['http', '-1', '65536', '3000.5', '0x50', ' 80', '1e3'],
    accepts: 'a port from 1 to 65535',
  },
  // Only listening shows it; see test/faults/start-and-stop.test.ts.
  HOST: { values: [], accepts: '' },
  BELLHOP_BASE_URL: {
    values: [
      'phone.example.com',
      'ftp://a.example',
      'http:a',
      'https://a.example/?b',
      'https://u:p@a.example',
    ],
    accepts: 'the http or https address',
  },
  BELLHOP_ALLOWED_ORIGINS: {
    values: ['*', 'crm.example.com', 'https://a.example/', 'https://a.example,', 'ws://a.example'],
    accepts: 'a list of web origins',
  },
  TRUSTED_PROXIES: {
    values: ['proxy.example', '10.0.0.0/33', '10.0.0.1;10.0.0.2', 'all'],
    accepts: 'addresses or networks, separated by commas',
  },
  WORKER_HTTP_PORT: { values: ['http', '65536'], accepts: 'a port from 1 to 65535' },
  HTTP_CONNECTIONS: { values: ['0', 'many', '1000001'], accepts: 'a number of connections' },
  HTTP_CONNECTIONS_PER_ADDRESS: { values: ['0', '-1'], accepts: 'a number of connections' },
  HTTP_RECEIVE_SECONDS: { values: ['0', '3601', '1.5'], accepts: 'a number of seconds' },
  BELLHOP_DATA_DIR: { values: [file], accepts: 'a folder' },
  BELLHOP_SECRET: { values: ['x'.repeat(31)], accepts: 'a random text of at least 32 characters' },
  DATABASE_URL: {
    values: [
      'bellhop',
      'mysql://127.0.0.1/bellhop',
      'localhost:5432/bellhop',
      'postgres://db1.example:5432,db2.example:x/bellhop',
      'postgres://db1.example,db2.example/bellhop?target_session_attrs=standby',
    ],
    accepts: 'the address of a PostgreSQL database, such as postgres://',
  },
  DATABASE_DIRECT_URL: { values: ['bellhop', 'https://db.example'], accepts: 'the address of a PostgreSQL' },
  DATABASE_POOL_SIZE: {
    values: ['0', '501', 'many', '-5'],
    accepts: 'a number of connections from 1 to 500',
  },
  SMTP_URL: {
    values: ['mail.example.com', 'http://mail.example.com'],
    accepts: 'the address of a mail server',
  },
  MAIL_FROM: { values: ['Bellhop', 'Bellhop <bellhop>', 'a@b c@d'], accepts: 'an e-mail address' },
  S3_URL: { values: ['s3.example', 'ftp://s3.example'], accepts: 'the address of an S3-compatible service' },
  S3_BUCKET: { values: ['Upper', '-x', 'a'], accepts: 'the name of a bucket' },
  // Only the service can tell.
  S3_REGION: { values: [], accepts: '' },
  S3_ACCESS_KEY_ID: { values: [], accepts: '' },
  S3_SECRET_ACCESS_KEY: { values: [], accepts: '' },
  BELLHOP_WEBHOOKS_ALLOW_INSECURE: { values: ['yes', '2'], accepts: '1 to let webhooks go' },
  MESSAGE_KEYS: {
    values: [
      'x'.repeat(40),
      `1:${'x'.repeat(31)}`,
      `1:${'x'.repeat(32)},1:${'y'.repeat(32)}`,
      `:${'x'.repeat(32)}`,
    ],
    accepts: 'keys as id:secret separated by commas',
  },
  SMS_PROVIDER: { values: ['Twilio', 'vonage'], accepts: 'one of simulator, telnyx, twilio' },
  SMS_TIMEOUT_SECONDS: { values: ['0', '61', '1.5'], accepts: 'a number of seconds from 1 to 60' },
  // Only the provider can tell.
  TELNYX_API_KEY: { values: [], accepts: '' },
  TELNYX_PUBLIC_KEY: { values: ['short', 'x'.repeat(44)], accepts: 'the public key of the Telnyx account' },
  TELNYX_URL: {
    values: ['api.telnyx.com', 'ftp://api.telnyx.com'],
    accepts: 'the address of the API of Telnyx',
  },
  TWILIO_ACCOUNT_SID: { values: ['AC123', `XX${'0'.repeat(32)}`], accepts: 'the SID of a Twilio account' },
  TWILIO_AUTH_TOKEN: { values: [], accepts: '' },
  TWILIO_URL: { values: ['api.twilio.com', 'https://a?b'], accepts: 'the address of the API of Twilio' },
  // Only listening shows whether it is an address of this machine.
  SIP_HOST: {
    values: ['127.0.0.1,10.0.0.1', '::,::1', '0.0.0.0,::,::1', '127.0.0.1,'],
    accepts:
      'an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them; or an IPv4 and an IPv6',
  },
  SIP_PORT: { values: ['sip', '65536'], accepts: 'a port from 1 to 65535' },
  SIP_PROXIES: { values: ['front', '10.0.0.5/33'], accepts: 'addresses or networks, separated by commas' },
  SIP_ADVERTISED: {
    values: ['phone.example.com', '1.2.3', '192.0.2.1,192.0.2.2', '192.0.2.1,2001:db8::1,2001:db8::2'],
    accepts: 'the IP address at which phones',
  },
  SIP_DOMAIN: { values: ['sip:a.example', 'a b'], accepts: 'the name at which phones register' },
  SIP_TLS_PORT: { values: ['-1'], accepts: 'a port from 1 to 65535' },
  SIP_TLS_CERT: { values: ['/no/such/file'], accepts: 'a file with the certificate' },
  SIP_TLS_KEY: { values: ['/no/such/file'], accepts: 'a file with the key' },
  SIP_WEBSOCKET_URL: { values: ['https://a.example', 'a.example'], accepts: 'the ws or wss address' },
  // Its errors are more specific; see below.
  SIP_TRUNKS: { values: [], accepts: '' },
  SIP_SIMULATOR: { values: ['yes', '1'], accepts: 'on or off' },
  MEDIA_PORTS: {
    values: ['20000', '20000-10000', '80-90', '60000-70000', '20000-20001'],
    accepts: 'a range of ports of at least four',
  },
  MEDIA_LAW: { values: ['g711', 'PCMA'], accepts: 'pcma or pcmu' },
  MEDIA_THREADS: { values: ['0', 'all', '65'], accepts: 'a number of threads from 1' },
  MEDIA_OPUS: { values: ['yes', 'ON'], accepts: 'on or off' },
  MEDIA_PLANE: { values: ['asterisk'], accepts: 'embedded or rtpengine' },
  RTPENGINE: {
    values: [
      '10.0.0.5:2223',
      'udp://10.0.0.5',
      'tcp://10.0.0.5:2223',
      'udp://media.example:2223',
      'udp://10.0.0.5:1?inside=a',
    ],
    accepts: 'the control addresses of rtpengine',
  },
  RTPENGINE_MEDIA_HOST: { values: ['edge.example'], accepts: 'the address of this machine' },
  OUTBOUND_COUNTRIES: { values: ['Denmark', 'DK;SE', '45'], accepts: 'codes of countries' },
  OUTBOUND_TYPES: { values: ['PREMIUM', 'MOBILE;VOIP', '1'], accepts: 'types of numbers' },
  OUTBOUND_PER_MINUTE: { values: ['many', '10001'], accepts: 'a number of calls from 0' },
  EDGE_HTTP_PORT: { values: ['http'], accepts: 'a port from 1 to 65535' },
  EDGE_CALLS_MAX: { values: ['all', '9'], accepts: 'a number of calls from 10' },
  EDGE_DRAIN_SECONDS: { values: ['soon', '86401'], accepts: 'a number of seconds from 0' },
  SHOPIFY_URL: { values: ['example.com', 'https://a?b'], accepts: 'the address of the Admin API' },
  ECONOMIC_URL: { values: ['example.com', 'ftp://a'], accepts: 'the address of the REST API of e-conomic' },
  EMBEDDINGS: { values: ['on', 'OpenAI'], accepts: 'embedded, openai' },
  EMBEDDINGS_URL: {
    values: ['api.openai.com', 'https://a?b'],
    accepts: 'the address that /v1/embeddings is appended to',
  },
  EMBEDDINGS_MODEL: { values: ['x'.repeat(201)], accepts: 'the name of an embedding model' },
  // Only the service can tell.
  EMBEDDINGS_API_KEY: { values: [], accepts: '' },
  TRANSCRIPTION_ENGINE: { values: ['whisper', 'Embedded'], accepts: 'one of embedded, openai, off' },
  TRANSCRIPTION_AT_ONCE: { values: ['0', '17', 'all'], accepts: 'a number of recordings from 1 to 16' },
  TRANSCRIPTION_URL: {
    values: ['api.openai.com', 'ftp://a.example/v1', 'https://a.example/v1?b'],
    accepts: 'the address of an OpenAI-compatible transcription endpoint',
  },
  TRANSCRIPTION_API_KEY: { values: [], accepts: '' },
  TRANSCRIPTION_MODEL: { values: [], accepts: '' },
  TRANSCRIPTION_TIMEOUT_SECONDS: { values: ['0', '3601', 'soon'], accepts: 'a number of seconds' },
  SUMMARY_URL: {
    values: ['api.openai.com', 'ws://a.example'],
    accepts: 'the address of an OpenAI-compatible chat endpoint',
  },
  SUMMARY_API_KEY: { values: [], accepts: '' },
  SUMMARY_MODEL: { values: [], accepts: '' },
  LOG_LEVEL: { values: ['loud', 'INFO'], accepts: 'one of fatal, error, warn, info, debug, trace, silent' },
  METRICS_TOKEN: { values: ['short', 'with some spaces in it'], accepts: 'at least 16 letters' },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    values: ['collector:4318', 'grpc://collector:4317', 'http://collector:4318?a=b'],
    accepts: 'the http or https URL of a collector',
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    values: ['collector:4318', 'ftp://a.example'],
    accepts: 'an http or https URL',
  },
  OTEL_EXPORTER_OTLP_PROTOCOL: { values: ['grpc', 'http/protobuf'], accepts: 'http/json' },
  OTEL_EXPORTER_OTLP_HEADERS: {
    values: ['secret', 'a=b,', 'a b=c', 'a=%0d', 'a=%zz'],
    accepts: 'headers in the form name=value',
  },
  OTEL_SERVICE_NAME: { values: [], accepts: '' },
  OTEL_TRACES_SAMPLER_ARG: { values: ['-0.1', '1.5', 'all', '10%'], accepts: 'a number from 0 to 1' },
}
const wrongValues = Object.entries(wrong).flatMap(([name, { values, accepts }]) =>
  values.map((value) => ({ name, value, accepts })),
)

test.each(wrongValues)('$name=$value is refused with what it accepts', ({ name, value, accepts }) => {
  let message = ''
  try {
    readConfig({ [name]: value })
  } catch (error) {
    message = (error as Error).message
  }
  expect(message).toMatch(/^[^\n]+\.$/)
  expect(message.startsWith(`${name} must be ${accepts}`)).toBe(true)
})

const SEVERAL_HOSTS =
  'postgres://bellhop:p%2Fw@db1.example:5432,[2001:db8::2]:5433,db3.example/bellhop?target_session_attrs=read-write'

const right: [name: string, value: string, setting: string, read: unknown][] = [
  ['PORT', '0', 'port', 0],
  ['PORT', '65535', 'port', 65_535],
  ['HOST', '::', 'host', '::'],
  ['BELLHOP_BASE_URL', 'https://phone.example.com/', 'baseUrl', 'https://phone.example.com'],
  [
    'BELLHOP_ALLOWED_ORIGINS',
    'https://a.example, http://b.example:81',
    'allowedOrigins',
    ['https://a.example', 'http://b.example:81'],
  ],
  ['BELLHOP_DATA_DIR', '/srv/bellhop', 'dataDir', '/srv/bellhop'],
  ['BELLHOP_SECRET', 's'.repeat(32), 'secret', 's'.repeat(32)],
  ['DATABASE_URL', 'postgresql://db.example/bellhop', 'databaseUrl', 'postgresql://db.example/bellhop'],
  ['DATABASE_URL', SEVERAL_HOSTS, 'databaseUrl', SEVERAL_HOSTS],
  ['DATABASE_POOL_SIZE', '500', 'databasePoolSize', 500],
  ['SMTP_URL', 'smtps://u:p@mail.example:465', 'smtpUrl', 'smtps://u:p@mail.example:465'],
  ['MAIL_FROM', 'bellhop@example.com', 'mailFrom', 'bellhop@example.com'],
  ['BELLHOP_WEBHOOKS_ALLOW_INSECURE', '1', 'webhooksAllowInsecure', true],
  ['BELLHOP_WEBHOOKS_ALLOW_INSECURE', '0', 'webhooksAllowInsecure', false],
  ['SIP_PORT', '0', 'sip', expect.objectContaining({ port: 0 })],
  ['SIP_HOST', '127.0.0.1', 'sip', expect.objectContaining({ hosts: ['127.0.0.1'] })],
  ['SIP_HOST', '0.0.0.0, ::', 'sip', expect.objectContaining({ hosts: ['0.0.0.0', '::'] })],
  [
    'SIP_PROXIES',
    '10.0.0.5,10.1.0.0/24',
    'sip',
    expect.objectContaining({ proxies: ['10.0.0.5', '10.1.0.0/24'] }),
  ],
  ['SIP_ADVERTISED', '192.0.2.1', 'sip', expect.objectContaining({ advertised: ['192.0.2.1'] })],
  ['DATABASE_URL', 'postgres://db.example/x', 'sip', expect.objectContaining({ simulator: false })],
  ['MEDIA_PORTS', '30000-30099', 'media', expect.objectContaining({ ports: { from: 30_000, to: 30_099 } })],
  ['MEDIA_THREADS', '3', 'media', expect.objectContaining({ threads: 3 })],
  ['RTPENGINE', 'udp://10.0.0.5:2223', 'media', expect.objectContaining({ rtpengine: undefined })],
  ['OUTBOUND_COUNTRIES', 'dk, se', 'outbound', expect.objectContaining({ countries: ['DK', 'SE'] })],
  ['OUTBOUND_TYPES', 'mobile, voip', 'outbound', expect.objectContaining({ types: ['MOBILE', 'VOIP'] })],
  ['EDGE_CALLS_MAX', '50', 'edge', expect.objectContaining({ callsMax: 50 })],
  ['EDGE_DRAIN_SECONDS', '5', 'edge', expect.objectContaining({ drainMs: 5_000 })],
  ['LOG_LEVEL', 'debug', 'logLevel', 'debug'],
  ['METRICS_TOKEN', 'x'.repeat(16), 'metricsToken', 'x'.repeat(16)],
  [
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'http://collector:4318/',
    'tracing',
    { url: 'http://collector:4318/v1/traces', headers: {}, serviceName: 'bellhop', ratio: 1 },
  ],
  [
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    'https://collector.example/spans?k=1',
    'tracing',
    expect.objectContaining({ url: 'https://collector.example/spans?k=1' }),
  ],
]

test.each(right)('%s=%s is accepted', (name, value, setting, read) => {
  expect(readConfig({ [name]: value })).toMatchObject({ [setting]: read })
})

const read = (SIP_HOST: string, SIP_ADVERTISED: string) => readConfig({ SIP_HOST, SIP_ADVERTISED }).sip

test('a public address needs a host of its family', () => {
  expect(() => read('0.0.0.0', '192.0.2.1,2001:db8::1')).toThrow(
    'SIP_ADVERTISED has an IPv6 address, but SIP_HOST has none: add one there.',
  )
  expect(() => read('::1', '192.0.2.1')).toThrow('SIP_ADVERTISED has an IPv4 address, but SIP_HOST has none')
  expect(read('0.0.0.0,::', '2001:db8::1, 192.0.2.1').advertised).toEqual(['2001:db8::1', '192.0.2.1'])
  expect(read('::', '192.0.2.1').advertised).toEqual(['192.0.2.1'])
})

test('an endpoint for languages that the embedded engine lacks is optional; as the only engine it is required', () => {
  const url = 'https://api.example/v1'
  const endpoint = { url, apiKey: undefined, model: 'whisper-1', answerMs: 300_000 }
  expect(readConfig({}).transcription).toEqual({ engine: 'embedded', atOnce: 1, endpoint: undefined })
  expect(readConfig({ TRANSCRIPTION_URL: `${url}/` }).transcription).toEqual({
    engine: 'embedded',
    atOnce: 1,
    endpoint,
  })
  const key = {
    TRANSCRIPTION_API_KEY: 'key',
    TRANSCRIPTION_MODEL: 'large',
    TRANSCRIPTION_TIMEOUT_SECONDS: '9',
  }
  expect(
    readConfig({ TRANSCRIPTION_ENGINE: 'openai', TRANSCRIPTION_URL: url, ...key }).transcription,
  ).toEqual({
    engine: 'openai',
    atOnce: 1,
    endpoint: { url, apiKey: 'key', model: 'large', answerMs: 9_000 },
  })
  expect(() => readConfig({ TRANSCRIPTION_ENGINE: 'openai' })).toThrow(/^TRANSCRIPTION_URL must be /)
})

test('an endpoint for summaries needs a model', () => {
  const url = 'https://api.example/v1'
  expect(readConfig({}).summary).toBeUndefined()
  expect(readConfig({ SUMMARY_URL: url, SUMMARY_MODEL: 'small' }).summary).toEqual({
    url,
    model: 'small',
    apiKey: undefined,
  })
  expect(() => readConfig({ SUMMARY_URL: url })).toThrow(/^SUMMARY_MODEL must be /)
})

test('an address past a pooler needs the address of the pooler', () => {
  const [DATABASE_URL, DATABASE_DIRECT_URL] = ['postgres://pooler.example/x', 'postgres://db.example/x']
  expect(readConfig({ DATABASE_URL, DATABASE_DIRECT_URL })).toMatchObject({
    databaseUrl: DATABASE_URL,
    databaseDirectUrl: DATABASE_DIRECT_URL,
  })
  expect(() => readConfig({ DATABASE_DIRECT_URL })).toThrow(
    /^DATABASE_URL must be .*, as DATABASE_DIRECT_URL is set\.$/,
  )
})

const bucket = {
  S3_URL: 'https://s3.example',
  S3_BUCKET: 'recordings',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'secret',
}

test('the four settings of a bucket are accepted together, with or without a region', () => {
  const s3 = {
    endpoint: 'https://s3.example',
    bucket: 'recordings',
    accessKeyId: 'id',
    secretAccessKey: 'secret',
  }
  expect(readConfig(bucket).s3).toEqual({ ...s3, region: 'us-east-1' })
  expect(readConfig({ ...bucket, S3_REGION: 'eu-west-1' }).s3).toEqual({ ...s3, region: 'eu-west-1' })
  expect(readConfig({ S3_REGION: 'eu-west-1' }).s3).toBeUndefined()
})

test.each(Object.keys(bucket))(
  'a bucket without %s is refused, and the error names what is missing',
  (name) => {
    const sentence = new RegExp(`^${name} must be [^\\n]+, as S3_\\w+ is set\\.$`)
    expect(() => readConfig({ ...bucket, [name]: '' })).toThrow(sentence)
  },
)

const accounts = {
  telnyx: { TELNYX_API_KEY: 'KEY1', TELNYX_PUBLIC_KEY: `${'x'.repeat(43)}=` },
  twilio: { TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`, TWILIO_AUTH_TOKEN: 'token' },
}

test.each(Object.entries(accounts))('%s needs all settings of its account', (name, account) => {
  expect(readConfig({ SMS_PROVIDER: name, ...account }).sms).toMatchObject({ provider: name })
  expect(readConfig(account).sms).toMatchObject({ provider: 'simulator', [name]: expect.any(Object) })
  for (const missing of Object.keys(account)) {
    const sentence = new RegExp(`^${missing} must be [^\\n]+, as SMS_PROVIDER is ${name}\\.$`)
    expect(() => readConfig({ SMS_PROVIDER: name, ...account, [missing]: '' })).toThrow(sentence)
  }
})

test('an embedding service needs a URL and a model; the key is optional', () => {
  const service = { EMBEDDINGS_URL: 'https://a.example/', EMBEDDINGS_MODEL: 'm' }
  const engine = { engine: 'openai', url: 'https://a.example', model: 'm' }
  expect(readConfig({ EMBEDDINGS: 'openai', ...service }).embeddings).toEqual(engine)
  expect(readConfig({ EMBEDDINGS: 'openai', EMBEDDINGS_API_KEY: 'k', ...service }).embeddings).toEqual({
    ...engine,
    apiKey: 'k',
  })
  expect(readConfig(service).embeddings).toEqual({ engine: 'embedded' })
  for (const missing of Object.keys(service)) {
    const sentence = new RegExp(`^${missing} must be [^\\n]+, as EMBEDDINGS is openai\\.$`)
    expect(() => readConfig({ EMBEDDINGS: 'openai', ...service, [missing]: '' })).toThrow(sentence)
  }
})

test('several encryption keys of texts are accepted, the newest first', () => {
  const keys = [`2026-11:${'a'.repeat(32)}`, `old:${'b'.repeat(32)}`]
  expect(readConfig({ MESSAGE_KEYS: keys.join(', ') }).messageKeys).toEqual(keys)
})

test('an empty variable counts as unset', () => {
  expect(readConfig(Object.fromEntries(variableNames.map((name) => [name, ''])))).toEqual(readConfig({}))
})

test('.env.example lists every variable, each below a comment, with a value that is accepted', async () => {
  const example = await readFile(join(packageRoot, '.env.example'), 'utf8')
  const settings = [...example.matchAll(/^((?:# .*\n)+)#([A-Z\d_]+)=(.*)$/gm)]
  expect(new Set(settings.map(([, , name]) => name))).toEqual(new Set(variableNames))
  expect(settings).toHaveLength(variableNames.length)
  expect(example.match(/^#?[A-Z\d_]+=/gm)).toHaveLength(settings.length)

  const uncommented = example.replace(/^#(?=[A-Z\d_]+=)/gm, '')
  const { BELLHOP_BASE_URL, DATABASE_URL, DATABASE_DIRECT_URL, SMTP_URL, ...others } = parseEnv(uncommented)
  const { S3_URL, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, ...defaults } = others
  expect(readConfig(defaults)).toEqual(readConfig({}))
  readConfig({ BELLHOP_BASE_URL, DATABASE_URL, DATABASE_DIRECT_URL, SMTP_URL })
  readConfig({ S3_URL, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY })
})

const carrier = { name: 'carrier', hosts: ['sip.carrier.example'], addresses: ['192.0.2.0/24'] }

test('a carrier is read from JSON or from a file, with defaults', async () => {
  const read = {
    name: 'carrier',
    hosts: [{ host: 'sip.carrier.example' }],
    protocol: 'udp',
    addresses: ['192.0.2.0/24'],
    from: 'number',
    probed: true,
    numberFormat: { style: 'e164' },
    codecs: ['PCMA', 'PCMU'],
    transport: 'rtp',
  }
  expect(readConfig({ SIP_TRUNKS: JSON.stringify([carrier]) }).sip.trunks).toEqual([read])
  const path = join(await newFolder(), 'trunks.json')
  await writeFile(path, JSON.stringify([carrier]))
  expect(readConfig({ SIP_TRUNKS: path }).sip.trunks).toEqual([read])
  const byAddress = { name: 'carrier', hosts: ['192.0.2.7:5070'] }
  expect(readConfig({ SIP_TRUNKS: JSON.stringify([byAddress]) }).sip.trunks).toMatchObject([
    { hosts: [{ host: '192.0.2.7', port: 5070 }], addresses: ['192.0.2.7'] },
  ])
})

test.each([
  [{}, undefined],
  [{ from: 'account' }, 'preferred'],
  [{ from: 'account', identity: 'asserted' }, 'asserted'],
  [{ from: 'account', identity: 'none' }, undefined],
  [{ identity: 'asserted' }, 'asserted'],
])('a carrier with %j gets the identity %s', (given, identity) => {
  const credentials = { username: 'acme', password: 'secret' }
  const [trunk] = readConfig({ SIP_TRUNKS: JSON.stringify([{ ...carrier, credentials, ...given }]) }).sip
    .trunks
  expect(trunk!.identity).toBe(identity)
})

test.each([
  ['/no/such/file', 'SIP_TRUNKS: /no/such/file cannot be read (ENOENT).'],
  ['[{]', 'SIP_TRUNKS: this is not JSON'],
  [JSON.stringify([{ ...carrier, hosts: [] }]), 'SIP_TRUNKS: carrier 1, hosts: '],
  [JSON.stringify([{ ...carrier, addresses: ['loopback'] }]), 'SIP_TRUNKS: carrier 1, addresses.0: must be'],
  [JSON.stringify([{ ...carrier, addresses: undefined }]), 'SIP_TRUNKS: carrier 1, addresses: are needed'],
  [
    JSON.stringify([{ ...carrier, from: 'account' }]),
    'SIP_TRUNKS: carrier 1, from: can only be account with',
  ],
  [JSON.stringify([{ ...carrier, domain: 'a b' }]), 'SIP_TRUNKS: carrier 1, domain: must be a name'],
  [JSON.stringify([{ ...carrier, name: 'edges' }]), 'SIP_TRUNKS: carrier 1, name: is a name that'],
  [JSON.stringify([{ ...carrier, pasword: 'x' }]), 'SIP_TRUNKS: carrier 1, as a whole: '],
  [JSON.stringify([carrier, carrier]), 'SIP_TRUNKS: two carriers have the same name.'],
])('invalid carriers are refused with one sentence: %s', (setting, sentence) => {
  let message = ''
  try {
    readConfig({ SIP_TRUNKS: setting })
  } catch (error) {
    message = (error as Error).message
  }
  expect(message.startsWith(sentence)).toBe(true)
  expect(message).toMatch(/^[^\n]+\.$/)
})
