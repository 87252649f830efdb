import {
  CLOCK_RATE,
  type ClockRate,
  type Codec,
  codecAttributes,
  type CodecFormat,
  type Codecs,
  EVENTS_PAYLOAD_TYPE,
  eventsBeside,
  eventsOf,
  formatsOf,
  type OpusBand,
  PAYLOAD_TYPE,
} from './codecs.ts'
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
  codecs: readonly Codec[]
  /** Full by default. */
  opusBand?: OpusBand
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
  send: CodecFormat & { events?: { payloadType: number; clockRate: ClockRate } }
  /** Payload types that may arrive. */
  receive: { codecs: ReadonlyMap<number, Codec>; events: ReadonlyMap<number, ClockRate> }
  /** The crypto suite of both sides' keys. */
  suite?: Suite
  remote: RemoteAudio
}

/** An answer, with the session that it agrees to. */
type Answered = SdpResult<{ answer: SessionDescription; session: NegotiatedAudio }>

/** Accepts one codec and telephone events from an offer; refuses every other line. */
export function answerOffer(offer: SessionDescription, local: LocalAudio): Answered {
  const chosen = chooseAudio(offer, local.encryption)
  if (!chosen.ok) return chosen
  const { audio } = chosen
  const format = preferred(audio.codecs, local.codecs)
  if (!format) return refuseSdp('no_codec')
  const codecs: Codecs = { formats: [format], events: eventsBeside(format, audio.codecs.events) }
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
  const codecs = offeredCodecs(local.codecs, before?.session.send)
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
  const offered = asked.audio.codecs
  const isOffered = ({ codec }: CodecFormat) => offered.formats.some((each) => each.codec === codec)
  const codecs: Codecs = { ...audio.codecs, formats: audio.codecs.formats.filter(isOffered) }
  if (codecs.formats.length === 0) return refuseSdp('no_codec')
  const session = agreed(audio, codecs, direction)
  const receive = {
    codecs: new Map([...receivable(offered), ...session.receive.codecs]),
    events: new Map([...eventsOf(offered.events), ...session.receive.events]),
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

/** Of our codecs that they offer, the one that we prefer. */
const preferred = ({ formats }: Codecs, ours: readonly Codec[]): CodecFormat | undefined =>
  ours.flatMap((codec) => formats.find((format) => format.codec === codec) ?? [])[0]

/** Payload types that were agreed on keep their meaning (RFC 3264 §8.3.2). */
function offeredCodecs(codecs: readonly Codec[], agreed?: NegotiatedAudio['send']): Codecs {
  const taken = new Set([agreed?.payloadType, agreed?.events?.payloadType])
  function free(wanted: number): number {
    let payloadType = wanted
    while (taken.has(payloadType)) payloadType++
    taken.add(payloadType)
    return payloadType
  }
  const formats = codecs.map((codec) => ({
    codec,
    payloadType: agreed?.codec === codec ? agreed.payloadType : free(PAYLOAD_TYPE[codec]),
  }))
  const events: Codecs['events'] = {}
  for (const rate of new Set(codecs.map((codec) => CLOCK_RATE[codec]))) {
    const isAgreed = agreed?.events?.clockRate === rate
    events[rate] = isAgreed ? agreed.events!.payloadType : free(EVENTS_PAYLOAD_TYPE[rate])
  }
  return { formats, events }
}

const receivable = ({ formats }: Codecs): [number, Codec][] =>
  formats.map(({ payloadType, codec }) => [payloadType, codec])

function agreed(remote: RemoteAudio, codecs: Codecs, direction: Direction): NegotiatedAudio {
  const format = codecs.formats[0]!
  const events = eventsOf(eventsBeside(format, codecs.events))
  const [payloadType, clockRate] = events[0] ?? []
  return {
    transport: remote.transport,
    direction,
    send: {
      ...format,
      ...(payloadType !== undefined && clockRate && { events: { payloadType, clockRate } }),
    },
    receive: { codecs: new Map(receivable(codecs)), events: new Map(eventsOf(codecs.events)) },
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
    attributes: [...codecAttributes(codecs, local.opusBand ?? 'full'), { name: direction }, ...more],
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
