import type { Law } from '../audio/g711.ts'
import { codecAttributes, type Codecs, formatsOf, OFFERED_EVENTS, PAYLOAD_TYPE } from './codecs.ts'
import { type Attribute, attributeValue, type MediaLine, type SessionDescription } from './description.ts'
import { type Direction, narrowed, reversed } from './direction.ts'
import { dtlsAttributes, type LocalDtlsParameters } from './dtls.ts'
import { refuseSdp, type SdpResult } from './refusal.ts'
import {
  chooseAudio,
  type EncryptionPolicy,
  readAudio,
  type RemoteAudio,
  type Transport,
  withoutOptionalKeys,
} from './remote-audio.ts'
import { printCrypto, type Suite, SUITES } from './sdes.ts'

/** Our side of an offer or an answer. */
export interface LocalAudio {
  session: { id: string; version: number }
  address: string
  port: number
  rtcpPort: number
  /** Preferred first. */
  laws: readonly Law[]
  /** What we want; the result is never more than the other side allows. */
  direction: Direction
  keys: Record<Suite, Buffer>
  encryption: EncryptionPolicy
  /** For browsers. */
  identity?: LocalDtlsParameters
}

/** The negotiated session, seen from our side. */
export interface NegotiatedAudio {
  transport: Transport
  direction: Direction
  send: { law: Law; payloadType: number; events?: number }
  /** Payload types that may arrive. */
  receive: { laws: ReadonlyMap<number, Law>; events: ReadonlySet<number> }
  /** The crypto suite of both sides' keys. */
  suite?: Suite
  remote: RemoteAudio
}

/** An answer, with the session that it agrees to. */
type Answered = SdpResult<{ answer: SessionDescription; session: NegotiatedAudio }>

/** Accepts one law and telephone events from an offer; refuses every other line. */
export function answerOffer(offer: SessionDescription, local: LocalAudio): Answered {
  const chosen = chooseAudio(offer, local.encryption)
  if (!chosen.ok) return chosen
  const { audio } = chosen
  const codec = preferred(audio.codecs, local.laws)
  const codecs: Codecs = { ...audio.codecs, laws: [codec] }
  const direction = narrowed(local.direction, reversed(audio.direction))
  const session: NegotiatedAudio = {
    ...agreed(audio, codecs, direction),
    ...(audio.crypto ? { suite: audio.crypto.suite } : {}),
  }
  const line = ownLine(local, audio.protocol, codecs, direction, [
    ...(audio.crypto ? [crypto(audio.crypto.tag, audio.crypto.suite, local)] : []),
    ...(audio.mid === undefined ? [] : [{ name: 'mid', value: audio.mid }]),
    ...(audio.rtcpMux ? [{ name: 'rtcp-mux' }] : [rtcp(local)]),
    ...identity(local, audio.transport, 'passive'),
  ])
  const media = offer.media.map((theirs, index) => (index === audio.line ? line : refused(theirs)))
  return { ok: true, session, answer: describe(local, audio.transport, media, bundle(offer, audio)) }
}

/** `before` is the description that we sent last: a later offer keeps the order of its lines. */
export function makeOffer(
  local: LocalAudio,
  transport: Transport,
  before?: { description: SessionDescription; session: NegotiatedAudio },
): SessionDescription {
  const remote = before?.session.remote
  const codecs: Codecs = {
    laws: local.laws.map((law) => ({ law, payloadType: PAYLOAD_TYPE[law] })),
    events: before?.session.send.events ?? OFFERED_EVENTS,
  }
  const mid = remote?.mid ?? '0'
  const line = ownLine(local, remote?.protocol ?? PROTOCOL[transport], codecs, local.direction, [
    ...(transport === 'sdes' ? SUITES.map((suite, i) => crypto(String(i + 1), suite, local)) : []),
    ...(transport === 'webrtc' ? [{ name: 'mid', value: mid }] : [rtcp(local)]),
    { name: 'rtcp-mux' },
    ...identity(local, transport, 'actpass'),
  ])
  const place = remote?.line ?? 0
  const media = before?.description.media.map((each, i) => (i === place ? line : refused(each))) ?? [line]
  return describe(local, transport, media, transport === 'webrtc' ? mid : undefined)
}

export function acceptAnswer(
  offer: SessionDescription,
  answer: SessionDescription,
): SdpResult<{ session: NegotiatedAudio }> {
  const place = offer.media.findIndex((line) => line.port !== 0)
  const [ours, theirs] = [offer.media[place], answer.media[place]]
  if (!ours || theirs?.kind !== 'audio' || theirs.port === 0) return refuseSdp('no_audio')
  const [asked, read] = [readAudio(offer, ours, place), readAudio(answer, theirs, place)]
  if (!asked.ok) return asked
  if (!read.ok) return read
  // Keys that answer none of ours are of no use.
  const audio = asked.audio.transport === 'rtp' ? withoutOptionalKeys(read.audio) : read.audio
  if (audio.transport !== asked.audio.transport) return refuseSdp('protocol')
  const direction = narrowed(asked.audio.direction, reversed(audio.direction))
  const session = agreed(audio, audio.codecs, direction)
  const offered = asked.audio.codecs
  const receive = {
    laws: new Map([...offered.laws, ...audio.codecs.laws].map((each) => [each.payloadType, each.law])),
    events: new Set([...session.receive.events, ...(offered.events === undefined ? [] : [offered.events])]),
  }
  return {
    ok: true,
    session: { ...session, receive, ...(audio.crypto ? { suite: audio.crypto.suite } : {}) },
  }
}

const PROTOCOL: Record<Transport, string> = {
  rtp: 'RTP/AVP',
  sdes: 'RTP/SAVP',
  webrtc: 'UDP/TLS/RTP/SAVPF',
}

/** Our law if they offer it, else their preference. */
function preferred({ laws }: Codecs, ours: readonly Law[]): Codecs['laws'][number] {
  const rank = ({ law }: { law: Law }) => (ours.includes(law) ? ours.indexOf(law) : ours.length)
  return laws.toSorted((a, b) => rank(a) - rank(b))[0]!
}

function agreed(remote: RemoteAudio, { laws, events }: Codecs, direction: Direction): NegotiatedAudio {
  return {
    transport: remote.transport,
    direction,
    send: { ...laws[0]!, ...(events === undefined ? {} : { events }) },
    receive: {
      laws: new Map(laws.map(({ law, payloadType }) => [payloadType, law])),
      events: new Set(events === undefined ? [] : [events]),
    },
    remote,
  }
}

function ownLine(
  local: LocalAudio,
  protocol: string,
  codecs: Codecs,
  direction: Direction,
  more: Attribute[],
): MediaLine {
  return {
    kind: 'audio',
    port: local.port,
    protocol,
    formats: formatsOf(codecs),
    connection: local.address,
    attributes: [...codecAttributes(codecs), { name: direction }, ...more],
  }
}

/** A refused line, which stays in its place (RFC 3264 §6). */
const refused = ({ kind, protocol, formats }: MediaLine): MediaLine => ({
  kind,
  port: 0,
  protocol,
  formats: formats.slice(0, 1),
  attributes: [],
})

const describe = (
  local: LocalAudio,
  transport: Transport,
  media: MediaLine[],
  bundled: string | undefined,
): SessionDescription => ({
  origin: { sessionId: local.session.id, version: String(local.session.version), address: local.address },
  connection: local.address,
  attributes: [
    ...(transport === 'webrtc' ? [{ name: 'ice-lite' }] : []),
    ...(bundled === undefined ? [] : [{ name: 'group', value: `BUNDLE ${bundled}` }]),
  ],
  media,
})

function bundle(offer: SessionDescription, { mid }: RemoteAudio): string | undefined {
  const [semantics, ...mids] = (attributeValue(offer.attributes, 'group') ?? '').split(/ +/)
  return semantics === 'BUNDLE' && mid !== undefined && mids.includes(mid) ? mid : undefined
}

const crypto = (tag: string, suite: Suite, local: LocalAudio): Attribute => ({
  name: 'crypto',
  value: printCrypto({ tag, suite, key: local.keys[suite] }),
})

const rtcp = (local: LocalAudio): Attribute => ({ name: 'rtcp', value: String(local.rtcpPort) })

function identity(local: LocalAudio, transport: Transport, setup: 'actpass' | 'passive'): Attribute[] {
  if (transport !== 'webrtc' || !local.identity) return []
  return dtlsAttributes(local.identity, setup)
}
