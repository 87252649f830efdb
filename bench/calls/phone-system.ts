import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

import { createDevice } from '../../server/modules/devices/index.ts'
import { alwaysOpen } from '../../server/modules/numbers/hours/business-hours.ts'
import { addNumber } from '../../server/modules/numbers/index.ts'
import { systemClock } from '../../server/platform/clock.ts'
import { createVault } from '../../server/platform/crypto/crypto.ts'
import { encodeId } from '../../server/platform/ids.ts'
import { createLog } from '../../server/platform/log.ts'
import {
  type Body,
  type IncomingCall,
  type OutgoingCall,
  sdpBody,
  UserAgent,
} from '../../server/sip/index.ts'
import type { TrunkConfig } from '../../server/sip/trunk/config.ts'
import { databaseCpuMs } from '../database-cpu.ts'
import type { Fixture } from '../fixture.ts'

export const SECRET = 'a secret of all processes of the bench'
/** Not the address of the phones, so that it can be trusted. */
export const CARRIER_HOST = '127.0.0.2'
/** How the carrier formats it. */
export const TRUNK = 'bellhop'
const METRICS_TOKEN = 'a-token-of-the-bench'
const LIMITS = { readyMs: 120_000 }

/**
 * Numbers of one company, each with an employee whose phone answers every call at once, and a carrier that calls them.
 */
export interface PhoneSystem {
  sipPort: number
  numbers: string[]
  /** Calls a number; its audio goes to a port of this machine. */
  dial(line: number, port: number): OutgoingCall
  /** Called for every call that a phone has answered; returns where that phone receives audio. */
  onTaken(listener: (line: number, call: IncomingCall) => number): void
  /** CPU time of the service so far, without that of PostgreSQL. */
  cpuMs(): Promise<number>
  /** That of PostgreSQL; undefined where it cannot be read. */
  databaseCpuMs(): Promise<number | undefined>
  close(): Promise<void>
}

export async function openPhoneSystem(
  fixture: Fixture,
  { lines, recorded }: { lines: number; recorded: boolean },
): Promise<PhoneSystem> {
  const sipPort = await freePort()
  const url = await fixture.startBellhop({ ...environmentFor(sipPort), METRICS_TOKEN })
  const { numbers, devices } = await setUpLines(fixture, url, { lines, recorded })
  const connected = await connectParties({ sipPort, numbers, devices })
  await untilReady(fixture, devices.length)
  return {
    ...connected,
    async cpuMs() {
      const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
      const text = await (await fetch(`${url}/metrics`, { headers })).text()
      return Number(/^process_cpu_seconds_total ([\d.e-]+)/m.exec(text)![1]) * 1_000
    },
    databaseCpuMs: () => databaseCpuMs(fixture.sql),
  }
}

/** The settings of a service that serves these phones and this carrier. */
export function environmentFor(sipPort: number): Record<string, string> {
  const trunk = { name: 'carrier', hosts: [CARRIER_HOST], protocol: 'udp', addresses: [CARRIER_HOST] }
  return {
    SIP_PORT: String(sipPort),
    SIP_SIMULATOR: 'off',
    SIP_TRUNKS: JSON.stringify([{ ...trunk, numberFormat: { style: 'e164' } }]),
    BELLHOP_SECRET: SECRET,
  }
}

/** The phones of all numbers, which register, and the carrier. */
export async function connectParties({
  sipPort,
  numbers,
  devices,
}: {
  sipPort: number
  numbers: string[]
  devices: { username: string; password: string }[]
}): Promise<Omit<PhoneSystem, 'cpuMs' | 'databaseCpuMs'>> {
  let taken: (line: number, call: IncomingCall) => number = nowhere
  const phones = await openAgent('127.0.0.1', devices.map(phoneTrunk(sipPort)), (call) => {
    call.accept(sdpAt(taken(lineOf(call), call)))
  })
  const carrier = await openAgent(CARRIER_HOST, [lineTo(TRUNK, sipPort)], (call) => call.reject(404))
  return {
    sipPort,
    numbers,
    dial: (line, port) => dialFrom(carrier.agent, line, { number: numbers[line]!, port }),
    onTaken(listener) {
      taken = listener
    },
    async close() {
      await phones.agent.close()
      await carrier.agent.close()
    },
  }
}

interface Lines {
  lines: number
  recorded: boolean
  /** Of the numbers, so that several companies have different ones. */
  first?: number
  /** What callers hear first; nothing if it is null. */
  welcome?: string | null
}

/** A company with as many numbers, each with an employee who has a phone. */
export async function setUpLines(
  fixture: Fixture,
  url: string,
  { lines, recorded, first = 0, welcome = 'Hej.' }: Lines,
) {
  const { companyId, apiKey } = await fixture.addCompany()
  const vault = createVault(SECRET)
  const numbers: string[] = []
  const devices: { username: string; password: string }[] = []
  for (let line = 0; line < lines; line++) {
    const number = `+45${31_000_000 + first + line}`
    const { numberId, employeeId } = await fixture.db.tx(async (tx) => {
      const [employee] = await tx<{ id: string }[]>`
        insert into employees (company_id, name, email, invitation_pending)
        values (${companyId}, ${`Employee ${line}`}, ${`${number}@bench.example`}, false) returning id`
      const added = await addNumber(tx, companyId, { name: `Line ${line}`, number, language: 'da' })
      devices.push(await createDevice(tx, vault, employee!.id, {}))
      await tx`
        update business_numbers set recording_enabled = ${recorded}, business_hours = ${tx.json(alwaysOpen)}
        where id = ${added.id}`
      return { numberId: added.id, employeeId: employee!.id }
    })
    const employee_ids = [encodeId('emp', employeeId)]
    const flow =
      welcome === null
        ? { type: 'TransferConfig', employee_ids }
        : { type: 'WelcomeTransferConfig', welcome, employee_ids }
    const path = `/api/v1/business_numbers/${encodeId('num', numberId)}/incoming_call_config`
    const put = await fetch(`${url}${path}`, {
      method: 'PUT',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(flow),
    })
    if (!put.ok) throw new Error(`${path}: ${put.status} ${await put.text()}`)
    numbers.push(number)
  }
  return { numbers, devices }
}

/** Until somebody listens: a port that nobody uses. */
export const nowhere = () => 9

/** Each number has its own caller, by which the phone that rings identifies it. */
export function dialFrom(
  carrier: UserAgent,
  line: number,
  { number, port }: { number: string; port: number },
): OutgoingCall {
  const uri = { scheme: 'sip', user: callerOf(line), host: CARRIER_HOST, params: new Map() } as const
  return carrier.invite(
    { to: 'trunk', trunk: TRUNK, number },
    { from: { uri, params: new Map() }, body: sdpAt(port) },
  )
}

const FIRST_CALLER = 20_000_000
const callerOf = (line: number) => `+45${FIRST_CALLER + line}`
export const lineOf = (call: IncomingCall) =>
  Number((call.from.uri as { user: string }).user.slice('+45'.length)) - FIRST_CALLER

export function lineTo(name: string, port: number): TrunkConfig {
  const hosts = [{ host: '127.0.0.1', port }]
  const format = { style: 'e164' } as const
  return {
    name,
    hosts,
    protocol: 'udp',
    addresses: ['127.0.0.1'],
    probed: false,
    numberFormat: format,
    codecs: [],
  }
}

const phoneTrunk = (port: number) => (credentials: { username: string; password: string }) => ({
  ...lineTo(credentials.username, port),
  credentials,
  registration: { user: credentials.username, domain: '127.0.0.1', seconds: 3_600 },
})

export async function openAgent(host: string, trunks: TrunkConfig[], onInvite: (call: IncomingCall) => void) {
  const agent = new UserAgent({
    clock: systemClock,
    log: createLog({ level: 'warn' }),
    realm: 'bench',
    secret: Buffer.from('bench'),
    accounts: { find: () => Promise.resolve(undefined) },
    trunks,
    onInvite,
  })
  const [udp] = await agent.listen({ protocol: 'udp', host, port: 0 })
  return { agent, port: udp!.port }
}

/** All phones are registered, and all greetings synthesised: otherwise callers would wait for them. */
export async function untilReady({ sql }: Fixture, devices: number): Promise<void> {
  for (const start = performance.now(); performance.now() - start < LIMITS.readyMs; await pause(100)) {
    const [row] = await sql<{ phones: number; unspoken: number }[]>`
      select (select count(*) from device_registrations)::int as phones,
        (select count(*) from prompts where audio_key is null)::int as unspoken`
    if (row!.phones >= devices && row!.unspoken === 0) return
  }
  throw new Error('the phones did not register, or the greetings were not spoken')
}

export function sdpAt(port: number): Body {
  const text = `v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio ${port} RTP/AVP 8\r\n`
  return sdpBody(text)
}

export const portOf = (body: Body) => Number(/^m=audio (\d+)/m.exec(body.bytes.toString())![1])

export async function freePort(): Promise<number> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  await new Promise<void>((resolve) => void socket.close(resolve))
  return port
}
