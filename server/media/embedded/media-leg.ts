import type { Digit } from '../audio/dtmf.ts'
import type { OpusCodecs } from '../audio/opus.ts'
import type { PacketTransport, PacketTransportListener } from '../packet-transport.ts'
import type { LegStatistics, MediaEvent } from '../port.ts'
import type { ReceivedRtp } from '../rtp/packet.ts'
import { writeBye } from '../rtp/rtcp.ts'
import { CLOCK_RATE, type ClockRate, type Codec } from '../sdp/codecs.ts'
import { receives } from '../sdp/direction.ts'
import type { NegotiatedAudio } from '../sdp/negotiate.ts'
import { createReceivePath, type ReceivePath } from './receive-path.ts'
import { createSendPath, type SendPath } from './send-path.ts'
import { createRtcpReports } from './transport/rtcp-reports.ts'

/** One leg: its transport, its receive path and its send path. */
export interface MediaLeg {
  readonly id: string
  readonly ear: ReceivePath
  readonly voice: SendPath
  readonly session: NegotiatedAudio | undefined
  /** What the other side sends, or is expected to send. */
  codec(): Codec | undefined
  /** The leg that gets this one's packets. */
  peer: MediaLeg | undefined
  /** All legs of its mix, this one included; empty if it is in none. */
  mixedWith: readonly MediaLeg[]
  /** The frame of the mix for this leg. */
  mixed: Int16Array | undefined
  /** There is something to do in the next tick, beside relaying packets. */
  wake(): void
  /** Called for every DTMF digit that is signalled, in a telephone event or by SIP. */
  onDigit: (digit: Digit, atMs: number) => void
  apply(session: NegotiatedAudio): void
  tick(atMs: number): void
  statistics(): LegStatistics
  close(): void
}

export interface MediaLegParts {
  id: string
  stream: { ssrc: number; sequence: number; timestamp: number }
  nowMs: () => number
  emit: (event: MediaEvent) => void
  work: MediaWork
  makeWire: (listener: PacketTransportListener) => PacketTransport
  quiet: QuietLimits
  opus: OpusCodecs
}

/** What there is to do for all legs of a plane. */
export interface MediaWork {
  /** Packets that were received. */
  packets: number
  /** Legs that need every tick; the others are looked after now and then. */
  readonly awake: Set<MediaLeg>
  /** Legs whose packets are decoded. */
  readonly listenedTo: Set<MediaLeg>
}

/** When the absence of packets is reported, and how soon again. */
export interface QuietLimits {
  afterMs: number
  againMs: number
}

type Own<T> = { -readonly [Key in keyof T]: T[Key] }

export function createMediaLeg({
  id,
  stream,
  nowMs,
  emit,
  work,
  makeWire,
  quiet,
  opus,
}: MediaLegParts): MediaLeg {
  const ear = createReceivePath(opus, (isHeard) => {
    if (isHeard) work.listenedTo.add(leg)
    else work.listenedTo.delete(leg)
  })
  const voice = createSendPath(stream, (packet, index) => wire.send(packet, index), wake, opus)
  const reports = createRtcpReports(voice, nowMs())
  let connected = false
  let heardMs = nowMs()
  let reportedMs = -Infinity
  /** Identifies the stream of the other side; replaced when a new stream begins. */
  let source = { ssrc: -1 }
  /** The payload type of the last packet, and what it stands for. */
  let payload = { type: -1, codec: undefined as Codec | undefined, clockRate: CLOCK_RATE.pcma }

  const wire = makeWire({
    rtp: onRtp,
    rtcp(bytes) {
      heardMs = nowMs()
      reports.read(bytes, nowMs())
    },
    connected: connect,
    lost: (why) => emit({ on: 'leg.lost', leg: id, why }),
  })

  function wake(): void {
    work.awake.add(leg)
  }

  function connect(): void {
    if (connected) return
    connected = true
    emit({ on: 'leg.connected', leg: id })
  }

  /** Best effort: a call works without its reports. */
  function sendRtcp(packet: Buffer): void {
    try {
      wire.sendRtcp(packet)
    } catch {
      // The next report is due in some seconds.
    }
  }

  function onRtp(packet: ReceivedRtp): void {
    const atMs = nowMs()
    heardMs = atMs
    work.packets++
    connect()
    const { session } = leg
    if (packet.payloadType !== payload.type) lookUp(packet.payloadType)
    const { codec, clockRate } = payload
    reports.received(packet, atMs, clockRate)
    // A phone on hold may keep sending; nobody should hear it.
    if (!session || !receives(session.direction)) return
    if (packet.ssrc !== source.ssrc) source = { ssrc: packet.ssrc }
    if (codec) {
      // Another codec may have to be transcoded.
      if (codec !== ear.codec) wake()
      ear.sound(packet, codec)
      leg.peer?.voice.relay(source, packet, codec, atMs)
      return
    }
    const eventRate = session.receive.events.get(packet.payloadType)
    if (eventRate) onEvent(packet, eventRate, atMs)
  }

  function lookUp(type: number): void {
    const codec = leg.session?.receive.codecs.get(type)
    payload = { type, codec, clockRate: CLOCK_RATE[codec ?? leg.codec() ?? 'pcma'] }
  }

  function onEvent(packet: ReceivedRtp, rate: ClockRate, atMs: number): void {
    const digit = ear.event(packet)
    const { peer } = leg
    const codec = leg.codec()
    const isRelayed =
      peer?.session?.send.events?.clockRate === rate && codec && !peer.voice.needsFrames(codec)
    if (isRelayed) peer.voice.relayEvent(source, packet, atMs)
    if (!digit) return
    // A peer with other telephone events gets its own; one without any hears the tone. A mix has no packets to relay.
    if (!isRelayed) for (const each of heardBy()) each.voice.press([digit])
    leg.onDigit(digit, atMs)
  }

  const heardBy = () => (leg.peer ? [leg.peer] : leg.mixedWith.filter((each) => each !== leg))

  const leg: Own<MediaLeg> = {
    id,
    ear,
    voice,
    session: undefined,
    peer: undefined,
    mixedWith: [],
    mixed: undefined,
    wake,
    onDigit: () => {},
    codec: () => ear.codec ?? leg.session?.send.codec,
    apply(agreed) {
      leg.session = agreed
      payload.type = -1
      wake()
      // An SDP answer counts as a sign that the other side is there.
      heardMs = nowMs()
      wire.apply(agreed)
      voice.apply(agreed)
    },
    tick(atMs) {
      const report = leg.session && reports.due(atMs)
      if (report) sendRtcp(report)
      wire.tick?.(atMs)
      if (!leg.session || atMs - heardMs < quiet.afterMs || atMs - reportedMs < quiet.againMs) return
      reportedMs = atMs
      emit({ on: 'leg.quiet', leg: id, quietMs: atMs - heardMs })
    },
    statistics: () => ({
      sentPackets: voice.sent.packets,
      refusedPackets: wire.refusedPackets,
      opusDecodedFrames: ear.opusFrames,
      opusEncodedFrames: voice.opusFrames(),
      ...reports.figures(),
    }),
    close() {
      if (leg.session) sendRtcp(writeBye(voice.ssrc))
      wire.close()
      ear.close()
      voice.close()
    },
  }
  return leg
}
