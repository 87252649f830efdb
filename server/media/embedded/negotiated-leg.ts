import { randomBytes, randomInt } from 'node:crypto'

import type { Log } from '../../platform/log.ts'
import type { Law } from '../audio/g711.ts'
import type { OpusCodecs } from '../audio/opus.ts'
import type { PacketTransport } from '../packet-transport.ts'
import type { IpFamily, MediaEvent, RemoteSet } from '../port.ts'
import type { OpusBand } from '../sdp/codecs.ts'
import type { SessionDescription } from '../sdp/description.ts'
import type { Direction } from '../sdp/direction.ts'
import type { NegotiatedAudio } from '../sdp/negotiate.ts'
import { refuseSdp, type SdpRefusal } from '../sdp/refusal.ts'
import {
  chooseAudio,
  type EncryptionPolicy,
  familyOfAudio,
  type RemoteAudio,
  type Transport,
} from '../sdp/remote-audio.ts'
import { KEY_BYTES, type Suite } from '../sdp/sdes.ts'
import { type BrowserTransport, createBrowserTransport } from '../webrtc/browser-transport.ts'
import { createMediaLeg, type MediaLeg, type MediaWork, type QuietLimits } from './media-leg.ts'
import { createSdpNegotiation } from './sdp-negotiation.ts'
import { createLegTasks, type LegTasks } from './tasks.ts'
import type { BrowserPort } from './transport/browser-port.ts'
import type { MakeTransport } from './transport/linked-transports.ts'
import type { PortPool, SocketPair } from './transport/ports.ts'
import { createUdpTransport, type UdpTransport } from './transport/udp-transport.ts'

/** A leg with its session descriptions. Each agreement takes effect on the transport. */
export interface NegotiatedLeg {
  leg: MediaLeg
  tasks: LegTasks
  answer(offer: SessionDescription): Extract<RemoteSet, { ok: false }> | (RemoteSet & { sdp: string })
  /** By default in the direction that we last agreed to. */
  offer(direction?: Direction): string
  /** As if nothing had been agreed yet. */
  offerAnew(transport: Transport): string
  /** Receives media in this family from now on, if it is not a browser and we have an address of it. */
  useFamily(family: IpFamily): Promise<void>
  /** Before an offer is answered: a phone that moves to another network may have another family there. */
  followFamily(offer: SessionDescription): Promise<void>
  accept(answer: string): RemoteSet
}

export interface NegotiatedLegParts {
  log: Log
  nowMs: () => number
  emit: (event: MediaEvent) => void
  work: MediaWork
  pool: PortPool
  browsers: BrowserPort
  /** Our address in SDP, where the leg has none of its own. */
  address: string
  laws: readonly Law[]
  opus: OpusCodecs
  quiet: QuietLimits & { browserAfterMs: number }
}

interface NegotiatedLegStart {
  transport: Transport
  encryption: EncryptionPolicy
  family?: IpFamily | undefined
  /** Opus is offered and preferred, in this bandwidth. */
  opus?: OpusBand | undefined
}

/** What a leg is reached by: a transport within this process, the port of the browsers, or sockets of its own. */
type OpenedWire =
  | { linked: MakeTransport }
  | { browsers: Awaited<ReturnType<BrowserPort['open']>> }
  | { pair: SocketPair }

/** A leg that is reached over the network. */
export async function createNegotiatedLeg(
  id: string,
  start: NegotiatedLegStart,
  parts: NegotiatedLegParts,
): Promise<NegotiatedLeg> {
  const opened =
    start.transport === 'webrtc'
      ? { browsers: await parts.browsers.open() }
      : { pair: await parts.pool.openPair(start.family) }
  return legOn(opened, id, start, parts)
}

/** A leg that is linked to another of this process. */
export const createLinkedLeg = (
  id: string,
  linked: MakeTransport,
  parts: NegotiatedLegParts,
): NegotiatedLeg => legOn({ linked }, id, { transport: 'rtp', encryption: 'if_offered' }, parts)

function legOn(
  opened: OpenedWire,
  id: string,
  { transport, encryption, opus: opusBand }: NegotiatedLegStart,
  parts: NegotiatedLegParts,
): NegotiatedLeg {
  const { log, nowMs, emit, work, pool, address, laws, opus } = parts
  const keys = newKeys()
  const stream = newStream()
  let wire: PacketTransport | undefined
  let browser: BrowserTransport | undefined
  let udp: UdpTransport | undefined
  let makeWire: MakeTransport
  if ('linked' in opened) {
    makeWire = (listener) => (wire = opened.linked(listener))
  } else if ('browsers' in opened) {
    const { shared, certificate } = opened.browsers
    makeWire = (listener) => (wire = browser = createBrowserTransport(shared, certificate, listener, nowMs))
  } else {
    makeWire = (listener) => (wire = udp = createUdpTransport(opened.pair, keys, listener, log))
  }
  const { browserAfterMs, ...quiet } = parts.quiet
  if (transport === 'webrtc') quiet.afterMs = browserAfterMs
  const leg = createMediaLeg({ id, stream, nowMs, emit, work, makeWire, quiet, opus })
  const descriptions = createSdpNegotiation(String(randomInt(2 ** 47)), transport, () => ({
    address: udp?.address ?? address,
    port: wire!.port,
    rtcpPort: wire!.rtcpPort,
    codecs: opusBand ? ['opus', ...laws] : laws,
    ...(opusBand && { opusBand }),
    keys,
    encryption,
    ...(browser ? { identity: { ...browser.identity(), ssrc: stream.ssrc } } : {}),
  }))

  /** Called before an offer is answered, because an ICE restart changes the answer. */
  function meet({ transport: theirs, identity }: RemoteAudio): SdpRefusal | undefined {
    if ((theirs === 'webrtc') !== (transport === 'webrtc')) return 'protocol'
    if (!browser || !identity) return undefined
    return browser.meet(identity) === 'same' ? undefined : 'no_fingerprint'
  }

  async function useFamily(wanted: IpFamily): Promise<void> {
    if (udp && udp.family !== wanted && pool.families.includes(wanted))
      udp.moveTo(await pool.openPair(wanted))
  }

  function apply(session: NegotiatedAudio): Direction {
    leg.apply(session)
    return session.direction
  }

  return {
    leg,
    tasks: createLegTasks(leg, emit),
    answer(offer) {
      const chosen = chooseAudio(offer, encryption)
      if (!chosen.ok) return chosen
      const why = meet(chosen.audio)
      if (why) return refuseSdp(why)
      const answered = descriptions.answer(offer)
      if (!answered.ok) return answered
      return { ok: true, direction: apply(answered.session), sdp: answered.sdp }
    },
    offer: (direction) => descriptions.offer(direction),
    offerAnew: (transport) => descriptions.offerAnew(transport),
    useFamily,
    async followFamily(offer) {
      const chosen = chooseAudio(offer, encryption)
      const wanted = chosen.ok ? familyOfAudio(chosen.audio) : undefined
      if (wanted) await useFamily(wanted)
    },
    accept(answer) {
      const accepted = descriptions.accept(answer)
      if (!accepted.ok) return accepted
      const why = meet(accepted.session.remote)
      return why ? refuseSdp(why) : { ok: true, direction: apply(accepted.session) }
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
