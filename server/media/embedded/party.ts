import { randomBytes, randomInt } from 'node:crypto'

import type { Log } from '../../platform/log.ts'
import type { Law } from '../audio/g711.ts'
import type { MediaEvent, RemoteSet } from '../port.ts'
import type { SessionDescription } from '../sdp/description.ts'
import type { Direction } from '../sdp/direction.ts'
import type { AudioSession } from '../sdp/negotiate.ts'
import { refuse, type SdpRefusal } from '../sdp/refusal.ts'
import { chooseAudio, type RemoteAudio, type Transport } from '../sdp/remote-audio.ts'
import { KEY_BYTES, type Suite } from '../sdp/sdes.ts'
import { type BrowserWire, createBrowserWire } from '../webrtc/browser-wire.ts'
import type { Wire, WireListener } from '../wire.ts'
import { createDescriptions } from './descriptions.ts'
import { createLeg, type Leg } from './leg.ts'
import { createLegTasks, type LegTasks } from './tasks.ts'
import type { BrowserPort } from './transport/browser-port.ts'
import type { PortPool } from './transport/ports.ts'
import { createUdpWire } from './transport/udp-wire.ts'

/** A leg with its session descriptions. Each agreement takes effect on the transport. */
export interface Party {
  leg: Leg
  tasks: LegTasks
  answer(offer: SessionDescription): Extract<RemoteSet, { ok: false }> | (RemoteSet & { sdp: string })
  offer(direction: Direction): string
  accept(answer: string): RemoteSet
}

export interface PartyParts {
  log: Log
  nowMs: () => number
  emit: (event: MediaEvent) => void
  pool: PortPool
  browsers: BrowserPort
  /** Our address in SDP. */
  address: string
  laws: readonly Law[]
  quietMs: number
}

export async function createParty(id: string, transport: Transport, parts: PartyParts): Promise<Party> {
  const { log, nowMs, emit, pool, browsers, address, laws, quietMs } = parts
  const keys = newKeys()
  const stream = newStream()
  let wire: Wire | undefined
  let browser: BrowserWire | undefined
  let makeWire: (listener: WireListener) => Wire
  if (transport === 'webrtc') {
    const { shared, certificate } = await browsers.open()
    makeWire = (listener) => (wire = browser = createBrowserWire(shared, certificate, listener, nowMs))
  } else {
    const pair = await pool.openPair()
    makeWire = (listener) => (wire = createUdpWire(pair, keys, listener, log))
  }
  const leg = createLeg({ id, stream, nowMs, emit, makeWire, quietMs })
  const { port, rtcpPort } = wire!
  const descriptions = createDescriptions(String(randomInt(2 ** 47)), transport, () => ({
    address,
    port,
    rtcpPort,
    laws,
    keys,
    ...(browser ? { identity: { ...browser.identity(), ssrc: stream.ssrc } } : {}),
  }))

  /** Called before an offer is answered, because an ICE restart changes the answer. */
  function meet({ transport: theirs, identity }: RemoteAudio): SdpRefusal | undefined {
    if ((theirs === 'webrtc') !== (transport === 'webrtc')) return 'protocol'
    if (!browser || !identity) return undefined
    return browser.meet(identity) === 'same' ? undefined : 'no_fingerprint'
  }

  function apply(session: AudioSession): Direction {
    leg.apply(session)
    return session.direction
  }

  return {
    leg,
    tasks: createLegTasks(leg, emit),
    answer(offer) {
      const chosen = chooseAudio(offer)
      if (!chosen.ok) return chosen
      const why = meet(chosen.audio)
      if (why) return refuse(why)
      const answered = descriptions.answer(offer)
      if (!answered.ok) return answered
      return { ok: true, direction: apply(answered.session), sdp: answered.sdp }
    },
    offer: (direction) => descriptions.offer(direction),
    accept(answer) {
      const accepted = descriptions.accept(answer)
      if (!accepted.ok) return accepted
      const why = meet(accepted.session.remote)
      return why ? refuse(why) : { ok: true, direction: apply(accepted.session) }
    },
  }
}

const newKeys = (): Record<Suite, Buffer> => ({
  AES_CM_128_HMAC_SHA1_80: randomBytes(KEY_BYTES),
  AES_CM_128_HMAC_SHA1_32: randomBytes(KEY_BYTES),
})

const newStream = () => ({
  ssrc: randomBytes(4).readUInt32BE(),
  // Far from wrapping: if packets were lost, the other side would have to guess the rollover counter (RFC 3711 §3.3.1).
  sequence: randomInt(2 ** 15),
  timestamp: randomBytes(4).readUInt32BE(),
})
