import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'

import { z } from 'zod'

import { OperatorError } from '../platform/errors.ts'

const Credentials = z.strictObject({ username: z.string().min(1), password: z.string().min(1) })

const NumberFormat = z.discriminatedUnion('style', [
  z.strictObject({ style: z.literal('e164') }),
  z.strictObject({ style: z.literal('plain') }),
  z.strictObject({
    style: z.literal('national'),
    countryCode: z.string().regex(/^\d{1,3}$/),
    nationalPrefix: z.string().regex(/^\d*$/),
    internationalPrefix: z.string().regex(/^\d+$/),
  }),
])

const Host = z
  .string()
  .regex(
    /^([A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\])(:\d{1,5})?$/,
    'must be a name or address, with or without a port',
  )
  .transform((text) => {
    const [, host, port] = /^(.*?)(?::(\d+))?$/.exec(text)!
    return { host: host!.replace(/^\[|\]$/g, ''), ...(port !== undefined && { port: Number(port) }) }
  })

const Network = z
  .string()
  .refine(isNetwork, 'must be an address or a network, such as 192.0.2.7 or 192.0.2.0/24')

const Trunk = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'must be lower-case letters, digits and dashes')
      .refine((name) => name !== 'edges' && name !== 'simulator', 'is a name that Bellhop itself uses'),
    hosts: z.array(Host).min(1),
    protocol: z.enum(['udp', 'tcp', 'tls']).default('udp'),
    addresses: z.array(Network).optional(),
    inbound: Credentials.optional(),
    credentials: Credentials.optional(),
    registration: z
      .strictObject({
        user: z.string().min(1),
        domain: z.string().min(1),
        seconds: z.int().min(60).max(86_400).default(600),
      })
      .optional(),
    domain: z
      .string()
      .regex(/^([A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\])(:\d{1,5})?$/, 'must be a name or address')
      .optional(),
    from: z.enum(['number', 'account']).default('number'),
    identity: z.enum(['none', 'asserted', 'preferred']).optional(),
    probed: z.boolean().default(true),
    numberFormat: NumberFormat.default({ style: 'e164' }),
    codecs: z.array(z.enum(['PCMA', 'PCMU'])).default(['PCMA', 'PCMU']),
    prefixes: z
      .array(z.string().regex(/^\+\d*$/, 'must begin with a plus, such as +45'))
      .min(1)
      .optional(),
    encryption: z.enum(['none', 'optional', 'sdes']).default('none'),
  })
  .refine(({ from, credentials, registration }) => from === 'number' || credentials || registration, {
    path: ['from'],
    error: 'can only be account with credentials or a registration',
  })
  .transform(({ encryption, addresses, identity, ...trunk }) => ({
    ...trunk,
    ...identityField(trunk.from, identity),
    // A carrier that is reached at an IP address mostly calls from there too.
    addresses: addresses ?? trunk.hosts.map(({ host }) => host).filter((host) => isIP(host) !== 0),
    transport: encryption === 'none' ? ('rtp' as const) : ('sdes' as const),
    ...(encryption === 'sdes' && { isEncryptionRequired: true }),
  }))
  .refine(({ addresses, inbound }) => addresses.length > 0 || inbound !== undefined, {
    path: ['addresses'],
    error: 'are needed, or a password in inbound: otherwise its calls cannot be authenticated',
  })

/** A carrier that sees the account in From learns the number from another field. */
function identityField(from: 'number' | 'account', identity?: 'none' | 'asserted' | 'preferred') {
  const field = identity ?? (from === 'account' ? 'preferred' : 'none')
  return field === 'none' ? {} : { identity: field }
}

/** The configuration of a carrier; see docs/operating/telephony.md. */
export type TrunkSetting = z.output<typeof Trunk>

/** From JSON, or a file with JSON. */
export function readTrunks(setting: string | undefined): TrunkSetting[] {
  if (setting === undefined) return []
  const text = /^\s*\[/.test(setting) ? setting : readFile(setting)
  const result = z.array(Trunk).safeParse(readJson(text))
  if (!result.success) throw wrong(sentenceOf(result.error))
  const names = result.data.map(({ name }) => name)
  if (new Set(names).size < names.length) throw wrong('two carriers have the same name')
  return result.data
}

const wrong = (what: string) => new OperatorError(`SIP_TRUNKS: ${what}.`)

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw wrong(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw wrong(`this is not JSON (${(error as Error).message})`)
  }
}

/** Reports the first error only; the next start finds the next one. */
function sentenceOf({ issues }: z.ZodError): string {
  const { path, message } = issues[0]!
  const [index, ...field] = path
  if (index === undefined) return `a list of carriers is needed: ${message}`
  return `carrier ${Number(index) + 1}, ${field.join('.') || 'as a whole'}: ${message}`
}

function isNetwork(text: string): boolean {
  const [address, bits, ...more] = text.split('/')
  const family = isIP(address!)
  if (family === 0 || more.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32))
}
