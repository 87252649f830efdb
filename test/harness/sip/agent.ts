import { type Clock, systemClock } from '../../../server/platform/clock.ts'
import { createLog } from '../../../server/platform/log.ts'
import {
  type Body,
  type CallEvent,
  type IncomingCall,
  parseAddress,
  type RegistrationChange,
  sdpBody,
  type SipCall,
  type TrunkChange,
  type TrunkConfig,
  UserAgent,
  type UserAgentOptions,
} from '../../../server/sip/index.ts'
import { AsyncQueue } from './async-queue.ts'

type Options = Partial<UserAgentOptions> & {
  passwords?: Record<string, string>
  clock?: Clock
  /** Where it listens. */
  hosts?: string[]
}

const log = createLog({ level: 'warn' })

export const REALM = 'bellhop.test'

/** A user agent on loopback, with the ports of its first host, whose calls and events a test can await. */
export async function startAgent(options: Options = {}) {
  const calls = new AsyncQueue<IncomingCall>()
  const registrations = new AsyncQueue<RegistrationChange>()
  const trunkChanges = new AsyncQueue<TrunkChange>()
  const { passwords = {}, hosts = ['127.0.0.1'] } = options
  const agent = new UserAgent({
    clock: systemClock,
    log,
    realm: REALM,
    secret: Buffer.from('a secret of the test'),
    accounts: {
      find: (username) => {
        const password = passwords[username]
        return Promise.resolve(password === undefined ? undefined : { username, password })
      },
    },
    onInvite: calls.put,
    onRegistration: registrations.put,
    onTrunk: trunkChanges.put,
    ...options,
  })
  const protocols = options.tls ? (['udp', 'tcp', 'tls'] as const) : (['udp', 'tcp'] as const)
  const [udp, tcp, tls] = await agent.listen(
    ...hosts.flatMap((host) => protocols.map((protocol) => ({ protocol, host, port: 0 }))),
  )
  const ports = { udp: udp!.port, tcp: tcp!.port, tls: options.tls ? tls!.port : 0 }
  return { agent, calls, registrations, trunkChanges, ports }
}

export type TestAgent = Awaited<ReturnType<typeof startAgent>>

/** A carrier on loopback, identified by its address and reached at a port. */
export function loopbackTrunk(name: string, port: number, more: Partial<TrunkConfig> = {}): TrunkConfig {
  return {
    name,
    hosts: [{ host: '127.0.0.1', port }],
    protocol: 'udp',
    addresses: ['127.0.0.1'],
    probed: false,
    numberFormat: { style: 'e164' },
    codecs: ['PCMA'],
    ...more,
  }
}

export const ANNA = parseAddress('"Anna" <sip:+4520000001@bellhop.test>')!

/** A minimal session description; SIP itself does not parse bodies. */
export function sdp(port = 40_000, attribute = 'sendrecv'): Body {
  const lines = [
    'v=0',
    `o=- 1 ${port} IN IP4 127.0.0.1`,
    's=-',
    'c=IN IP4 127.0.0.1',
    't=0 0',
    `m=audio ${port} RTP/AVP 8 101`,
    'a=rtpmap:8 PCMA/8000',
    'a=rtpmap:101 telephone-event/8000',
    `a=${attribute}`,
    '',
  ]
  return sdpBody(lines.join('\r\n'))
}

type Event<T extends CallEvent['type']> = Extract<CallEvent, { type: T }>

/** The events of a call, which a test can await. */
export function follow(call: SipCall) {
  const events = new AsyncQueue<CallEvent>()
  call.listen(events.put)
  return {
    events,
    next: <T extends CallEvent['type']>(type: T): Promise<Event<T>> =>
      events.take((event): event is Event<T> => event.type === type),
  }
}
