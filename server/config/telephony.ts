import { statSync } from 'node:fs'
import { isIP, isIPv6 } from 'node:net'
import { availableParallelism } from 'node:os'

import { z } from 'zod'

import { OperatorError } from '../platform/errors.ts'
import { readTrunks } from './trunks.ts'
import {
  address,
  type Environment,
  list,
  OWN_ADDRESS,
  PORT_DESCRIPTION,
  variables,
  wholeNumber,
} from './variables.ts'

/** Countries with moderate prices: the European Economic Area and its neighbours, and North America. */
const USUAL_COUNTRIES =
  'AT BE BG CA CH CY CZ DE DK EE ES FI FO FR GB GL GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK US'.split(
    ' ',
  )

/** The types of numbers, as libphonenumber names them. */
const NUMBER_TYPES = [
  'FIXED_LINE',
  'MOBILE',
  'FIXED_LINE_OR_MOBILE',
  'TOLL_FREE',
  'VOIP',
  'UAN',
  'VOICEMAIL',
  'PREMIUM_RATE',
  'SHARED_COST',
  'PERSONAL_NUMBER',
  'PAGER',
]
/** Types at the price of an ordinary call. */
const USUAL_TYPES = NUMBER_TYPES.slice(0, 7)

const rtpengineAddress = z.object({
  host: z.string().refine((text) => isIP(text) > 0),
  port: z.number().min(1),
  interfaces: z.object({ inside: z.string(), outside: z.string() }).optional(),
})

/** udp://10.0.0.5:2223?inside=priv&outside=pub; undefined is refused. */
function readRtpengine(text: string): unknown {
  if (!URL.canParse(text)) return undefined
  // What is not a known scheme has no host otherwise.
  const { protocol, hostname, port, searchParams } = new URL(text)
  if (protocol !== 'udp:') return undefined
  const [inside, outside] = [searchParams.get('inside'), searchParams.get('outside')]
  if ((inside === null) !== (outside === null)) return undefined
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port),
    ...(inside !== null && { interfaces: { inside, outside } }),
  }
}

/** The edge: its signalling, its media, and which numbers may be called. */
export const telephony = variables({
  SIP_HOST: [
    list().refine(isOneOfEachFamily).default(['127.0.0.1']),
    `${OWN_ADDRESS}; or an IPv4 and an IPv6 address separated by a comma, such as 0.0.0.0,::`,
  ],
  SIP_PORT: [wholeNumber(0, 65_535).default(5060), PORT_DESCRIPTION],
  SIP_ADVERTISED: [
    list()
      .pipe(z.array(z.union([z.ipv4(), z.ipv6()])))
      .refine(isOneOfEachFamily)
      .default([]),
    'the IP address at which phones and carriers reach this machine from outside; or an IPv4 and an IPv6 address ' +
      'separated by a comma',
  ],
  SIP_PROXIES: [
    list()
      .pipe(z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])))
      .default([]),
    'addresses or networks, separated by commas, such as 10.0.0.5,10.1.0.0/24',
  ],
  SIP_DOMAIN: [
    z
      .string()
      .regex(/^[A-Za-z0-9.-]+(:\d{1,5})?$/)
      .optional(),
    'the name at which phones register, such as phone.example.com or phone.example.com:5070',
  ],
  SIP_TLS_PORT: [wholeNumber(0, 65_535).default(5061), PORT_DESCRIPTION],
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
  MEDIA_THREADS: [
    wholeNumber(1, 64).default(Math.min(availableParallelism(), 64)),
    'a number of threads from 1 to 64',
  ],
  MEDIA_OPUS: [z.enum(['on', 'off']).default('on'), 'on or off'],
  MEDIA_PLANE: [z.enum(['embedded', 'rtpengine']).default('embedded'), 'embedded or rtpengine'],
  RTPENGINE: [
    list()
      .transform((texts) => texts.map(readRtpengine))
      .pipe(z.array(rtpengineAddress).min(1))
      .optional(),
    'the control addresses of rtpengine separated by commas, such as udp://10.0.0.5:2223',
  ],
  RTPENGINE_MEDIA_HOST: [
    z
      .string()
      .refine((text) => isIP(text) > 0)
      .default('127.0.0.1'),
    'the address of this machine at which rtpengine reaches it, such as 10.0.0.4',
  ],
  OUTBOUND_COUNTRIES: [
    list()
      .transform((codes) => codes.map((code) => code.toUpperCase()))
      .pipe(z.array(z.string().regex(/^([A-Z]{2}|\*)$/)))
      .default(USUAL_COUNTRIES),
    'codes of countries separated by commas, such as DK,SE,NO; or * for all of them',
  ],
  OUTBOUND_TYPES: [
    list()
      .transform((types) => types.map((type) => type.toUpperCase()))
      .pipe(z.array(z.enum([...NUMBER_TYPES, '*'])))
      .default(USUAL_TYPES),
    `types of numbers separated by commas, of ${NUMBER_TYPES.join(', ')}; or * for all of them`,
  ],
  OUTBOUND_PER_MINUTE: [wholeNumber(0, 10_000).default(30), 'a number of calls from 0 to 10000'],
  EDGE_HTTP_PORT: [wholeNumber(0, 65_535).default(3001), PORT_DESCRIPTION],
  EDGE_CALLS_MAX: [wholeNumber(10, 100_000).default(2_000), 'a number of calls from 10 to 100000'],
  EDGE_DRAIN_SECONDS: [wholeNumber(0, 86_400).default(600), 'a number of seconds from 0 to 86400'],
})

export function readTelephony(environment: Environment, { simulated }: { simulated: boolean }) {
  const given = telephony.read(environment)
  const certificate = telephony.together(given, ['SIP_TLS_CERT', 'SIP_TLS_KEY'])
  const [from, to] = given.MEDIA_PORTS
  checkAdvertised(given.SIP_HOST, given.SIP_ADVERTISED)
  return {
    sip: {
      /** The first is the one that other edges use. */
      hosts: given.SIP_HOST,
      port: given.SIP_PORT,
      advertised: given.SIP_ADVERTISED,
      proxies: given.SIP_PROXIES,
      domain: given.SIP_DOMAIN,
      tls: certificate && {
        port: given.SIP_TLS_PORT,
        certFile: certificate.SIP_TLS_CERT,
        keyFile: certificate.SIP_TLS_KEY,
      },
      websocketUrl: given.SIP_WEBSOCKET_URL,
      trunks: readTrunks(given.SIP_TRUNKS),
      simulator: given.SIP_SIMULATOR === undefined ? simulated : given.SIP_SIMULATOR === 'on',
    },
    media: {
      ports: { from, to },
      law: given.MEDIA_LAW,
      opus: given.MEDIA_OPUS === 'on',
      threads: given.MEDIA_THREADS,
      rtpengine: readPlane(given),
    },
    outbound: {
      countries: given.OUTBOUND_COUNTRIES,
      types: given.OUTBOUND_TYPES,
      perMinute: given.OUTBOUND_PER_MINUTE,
    },
    edge: {
      httpPort: given.EDGE_HTTP_PORT,
      callsMax: given.EDGE_CALLS_MAX,
      drainMs: given.EDGE_DRAIN_SECONDS * 1000,
    },
  }
}

/** A name counts as IPv4. */
function isOneOfEachFamily(hosts: string[]): boolean {
  const families = hosts.map((host) => isIPv6(host))
  return !hosts.includes('') && new Set(families).size === families.length
}

/** Undefined if the media is embedded. */
function readPlane(given: ReturnType<typeof telephony.read>) {
  if (given.MEDIA_PLANE === 'embedded') return undefined
  if (!given.RTPENGINE)
    throw new OperatorError(`RTPENGINE must be ${telephony.table.RTPENGINE[1]}, as MEDIA_PLANE is rtpengine.`)
  return { instances: given.RTPENGINE, host: given.RTPENGINE_MEDIA_HOST }
}

function checkAdvertised(hosts: string[], advertised: string[]): void {
  for (const address of advertised) {
    // `::` alone takes IPv4 connections too.
    const isBound = hosts.some((host) => isIPv6(host) === isIPv6(address)) || hosts.join() === '::'
    if (isBound) continue
    const family = isIPv6(address) ? 'IPv6' : 'IPv4'
    throw new OperatorError(`SIP_ADVERTISED has an ${family} address, but SIP_HOST has none: add one there.`)
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    // Not there, or not ours to see: the setting is refused either way.
    return false
  }
}
