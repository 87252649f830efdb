import { randomUUID } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { Duplex } from 'node:stream'

import { onTestFinished } from 'vitest'

import type { AcceptSipWebSocket } from '../../../server/api/sip-websockets.ts'
import { alwaysOpen } from '../../../server/modules/numbers/hours/business-hours.ts'
import type { StoredFlow } from '../../../server/modules/numbers/index.ts'
import { encodeId } from '../../../server/platform/ids.ts'
import type { Tracer } from '../../../server/platform/tracing/span.ts'
import { startEdge } from '../../../server/roles/edge.ts'
import {
  type CallEndReason,
  type IncomingCall,
  sdpBody,
  type SipCall,
  type TrunkConfig,
  type UserAgentOptions,
} from '../../../server/sip/index.ts'
import { afterFile } from '../after-file.ts'
import { newEmployee } from '../employees.ts'
import { type Harness, harness, type NewDatabase, type TestCompany } from '../index.ts'
import { follow, loopbackTrunk, startAgent } from '../sip/agent.ts'
import { type PhoneOptions, type RtpPhone, startPhone } from '../sound/rtp-phone.ts'
import { newDevice, startRegisteredPhone } from './edge.ts'
import { newNumber } from './telephony.ts'

export const CARRIER = { username: 'carrier', password: 'secret-of-the-test' }
export const CUSTOMER = '+4520112233'

/** An installation with an edge and a carrier, for one test file. */
export async function openPhoneSystem(
  environment: Record<string, string> = {},
  edgeParts: Partial<Parameters<typeof startEdge>[0]> = {},
  { otherTrunks = [], ...more }: { newDatabase?: NewDatabase; otherTrunks?: object[]; tracer?: Tracer } = {},
) {
  const carrier = await startAgent()
  const trunk = {
    name: 'carrier',
    hosts: [`127.0.0.1:${carrier.ports.udp}`],
    protocol: 'udp',
    // Phones call from the same address.
    addresses: [],
    inbound: CARRIER,
    numberFormat: { style: 'e164' },
  }
  const browsers = openBrowserDoor()
  const bellhop = await harness(
    {
      SIP_TRUNKS: JSON.stringify([trunk, ...otherTrunks]),
      SIP_SIMULATOR: 'off',
      OUTBOUND_COUNTRIES: 'DK',
      ...environment,
    },
    { receivePhone: browsers.receive, ...more },
  )
  const edge = await startEdge({ ...bellhop.parts, ...edgeParts })
  browsers.leadTo(edge.upgrade)
  const toEdge = (name: string, port: number, more: Partial<TrunkConfig> = {}) =>
    loopbackTrunk(name, port, { credentials: CARRIER, ...more })
  carrier.agent.setTrunks([toEdge('bellhop', edge.port)])
  afterFile(async () => {
    await carrier.agent.close()
    await edge.stop()
  })

  /** A customer calls. */
  async function dial(
    to: string,
    {
      from = CUSTOMER,
      host = 'carrier.test',
      headers = {},
      hz = 440,
      over = 'bellhop',
      by = carrier.agent,
      family = 4,
      encrypted = false,
    }: {
      from?: string
      host?: string
      headers?: Record<string, string>
      hz?: number
      over?: string
      by?: typeof carrier.agent
      family?: 4 | 6
      encrypted?: boolean
    } = {},
  ) {
    const phone = await startPhone({ family, encrypted })
    const call = by.invite(
      { to: 'trunk', trunk: over, number: to },
      {
        from: {
          uri: { scheme: 'sip', user: from, host, params: new Map() },
          params: new Map(),
        },
        body: sdpBody(phone.sdp()),
        headers,
      },
    )
    const { next } = follow(call)
    onTestFinished(() => {
      call.hangUp()
      phone.close()
    })
    return {
      ...phone,
      call,
      /** The edge has answered the call; an employee may not have yet. */
      async connected() {
        const { body } = await next('answered')
        phone.setRemote(body!.bytes.toString())
        phone.say(hz)
      },
      ended: () => endOf(next, phone),
      /** The re-INVITE that checks whether the customer is still there. */
      isAsked: async () => (await next('offer')).offer,
      hangUp: () => hangUp(call, phone),
    }
  }

  /** A customer whom an employee calls. */
  async function callee() {
    const call = await carrier.calls.take()
    return ringing(call, 500)
  }

  /** Connects the carrier to another edge too; `over` selects it by this name. */
  function connectCarrier(name: string, port: number, more: Partial<TrunkConfig> = {}): void {
    carrier.agent.setTrunks([toEdge('bellhop', edge.port), toEdge(name, port, more)])
  }

  /** Another carrier's host, which may fail. */
  async function newCarrier(port = edge.port) {
    const { agent } = await startAgent({ trunks: [toEdge('bellhop', port)] })
    onTestFinished(() => agent.close())
    return agent
  }

  return {
    bellhop,
    carrier,
    newCarrier,
    edge,
    browsers,
    trunk,
    dial,
    callee,
    connectCarrier,
    hire: hire(bellhop, { port: edge.port }),
    /** An employee whose phone is registered at another edge, or at another address. */
    hireAt: (port: number, host?: string) => hire(bellhop, { port, ...(host !== undefined && { host }) }),
    /** An employee whose phone is registered by TLS. */
    hireSecurely: (tls: UserAgentOptions['tls'], host = '127.0.0.1', port = edge.tlsPort!) =>
      hire(bellhop, { port, host, tls }),
  }
}

/** The WebSocket server of softphones. A test can cut their connections, and reject them for a while. */
function openBrowserDoor() {
  const sockets = new Set<Duplex>()
  let lead: AcceptSipWebSocket | undefined
  let isShut = false
  const receive: AcceptSipWebSocket = (request, socket, head) => {
    if (isShut || !lead) return void socket.destroy()
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    lead(request, socket, head)
  }
  return {
    receive,
    leadTo: (to: AcceptSipWebSocket) => (lead = to),
    shut() {
      isShut = true
      for (const socket of sockets) socket.destroy()
    },
    open: () => (isShut = false),
  }
}

export type PhoneSystem = Awaited<ReturnType<typeof openPhoneSystem>>

/** An employee with a desk phone. */
function hire(
  bellhop: Harness,
  { port, host = '127.0.0.1', tls }: { port: number; host?: string; tls?: UserAgentOptions['tls'] },
) {
  const family = isIPv6(host) ? 6 : 4
  return async (company: TestCompany, name: string, hz: number) => {
    const input = { name, email: `${randomUUID()}@example.com` }
    const employee = await bellhop.db.tx((tx) => newEmployee(tx, company.companyId, input))
    const { api } = await bellhop.keyFor(employee.id)
    const device = await newDevice(bellhop, { employeeId: employee.id })
    const phone = await startRegisteredPhone({ ...device, port, host, tls })
    await phone.registered()
    return {
      id: encodeId('emp', employee.id),
      uuid: employee.id,
      name,
      api,
      device,
      agent: phone.agent,
      trace: phone.trace,
      leave: phone.leave,
      registerAgain: phone.registerAgain,
      registered: phone.registered,
      /** The next call that rings. */
      rings: async () => ringing(await phone.calls.take(), hz),
      /** Calls that ring and that the test has not consumed. */
      unanswered: () => phone.calls.waiting.length,
      async dial(number: string, headers: Record<string, string> = {}, media: PhoneOptions = {}) {
        const sound = await startPhone({ family, ...media })
        const place = `${family === 6 ? `[${host}]` : host}:${port}${tls ? ';transport=tls' : ''}`
        const call = phone.agent.invite(
          { to: 'uri', uri: `sip:${encodeURIComponent(number)}@${place}` },
          {
            credentials: { username: device.username, password: device.password },
            from: {
              uri: { scheme: 'sip', user: device.username, host: 'bellhop', params: new Map() },
              params: new Map(),
            },
            body: sdpBody(sound.sdp()),
            headers,
          },
        )
        const { next } = follow(call)
        onTestFinished(() => {
          call.hangUp()
          sound.close()
        })
        return {
          ...sound,
          call,
          hangUp: () => hangUp(call, sound),
          /** Returns the SDP answer. */
          async answered() {
            const sdp = (await next('answered')).body!.bytes.toString()
            sound.setRemote(sdp)
            sound.say(hz)
            return sdp
          },
          ended: () => endOf(next, sound),
          hold: () => call.reinvite(sdpBody(sound.sdp('sendonly'))),
          resume: () => call.reinvite(sdpBody(sound.sdp('sendrecv'))),
        }
      },
    }
  }
}

export type Employee = Awaited<ReturnType<ReturnType<typeof hire>>>

/** A call that rings a phone. */
async function ringing(call: IncomingCall, hz: number) {
  const offer = call.body?.bytes
  const phone = await startPhone({
    encrypted: offer?.includes('RTP/SAVP') ?? false,
    family: offer?.includes('c=IN IP6') ? 6 : 4,
  })
  const { next } = follow(call)
  call.ring()
  onTestFinished(() => {
    call.hangUp()
    phone.close()
  })
  const own = (direction?: string) => sdpBody(phone.sdp(direction))
  return {
    ...phone,
    call,
    async answer() {
      phone.setRemote(call.body!.bytes.toString())
      call.accept(own())
      await next('connected')
      phone.say(hz)
    },
    /** Accepts the re-INVITE that checks whether the phone is still there. */
    async isAsked() {
      const { offer } = await next('offer')
      phone.setRemote(offer.body!.bytes.toString())
      offer.accept(own())
    },
    decline: () => call.reject(603),
    hangUp: () => hangUp(call, phone),
    ended: () => endOf(next, phone),
    hold: () => call.reinvite(own('sendonly')),
    resume: () => call.reinvite(own('sendrecv')),
  }
}

/** A phone that hangs up is silent: the ports it sends to may soon belong to another call. */
function hangUp(call: SipCall, phone: RtpPhone): void {
  phone.shutUp()
  call.hangUp()
}

async function endOf(next: ReturnType<typeof follow>['next'], phone: RtpPhone): Promise<CallEndReason> {
  const { ending } = await next('ended')
  phone.shutUp()
  return ending
}

/** A number with this call flow, always open. */
export async function numberWith(
  bellhop: Harness,
  company: TestCompany,
  incoming: StoredFlow | Record<string, unknown>,
  more: Record<string, unknown> = {},
) {
  const uuid = await newNumber(company, { mute: true })
  const id = encodeId('num', uuid)
  await bellhop.db.sql`
    update business_numbers set business_hours = ${bellhop.db.sql.json(alwaysOpen)}, ${bellhop.db.sql({
      recording_enabled: false,
      ...more,
    })}
    where id = ${uuid}`
  const put = await company.api.put(`/business_numbers/${id}/incoming_call_config`, incoming)
  if (put.status !== 200) throw new Error(`${put.status} ${JSON.stringify(put.body)}`)
  return { id, uuid, number: put.body.number as string }
}
