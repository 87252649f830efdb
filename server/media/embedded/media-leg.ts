import type { Digit } from '../audio/dtmf.ts'
import type { PacketTransport, PacketTransportListener } from '../packet-transport.ts'
import type { LegStatistics, MediaEvent } from '../port.ts'
import type { RtpPacket } from '../rtp/packet.ts'
import { writeBye } from '../rtp/rtcp.ts'
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
  /** The leg that gets this one's packets. */
  peer: MediaLeg | undefined
  /** All legs of its mix, this one included; empty if it is in none. */
  mixedWith: readonly MediaLeg[]
  /** The frame of the mix for this leg. */
  mixed: Int16Array | undefined
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
  makeWire: (listener: PacketTransportListener) => PacketTransport
  quiet: QuietLimits
}

/** When the absence of packets is reported, and how soon again. */
export interface QuietLimits {
  afterMs: number
  againMs: number
}

export function createMediaLeg({ id, stream, nowMs, emit, makeWire, quiet }: MediaLegParts): MediaLeg {
  const ear = createReceivePath()
  const voice = createSendPath(stream, (packet, index) => wire.send(packet, index))
  const reports = createRtcpReports(voice, nowMs())
  let session: NegotiatedAudio | undefined
  let connected = false
  let heardMs = nowMs()
  let reportedMs = -Infinity
  /** Identifies the stream of the other side; replaced when a new stream begins. */
  let source = { ssrc: -1 }

  const wire = makeWire({
    rtp: onRtp,
    rtcp(bytes) {
      heardMs = nowMs()
      reports.read(bytes, nowMs())
    },
    connected: connect,
    lost: (why) => emit({ on: 'leg.lost', leg: id, why }),
  })

  function connect(): void {
    if (connected) return
    connected = true
    emit({ on: 'leg.connected', leg: id })
  }

  function onRtp(packet: RtpPacket): void {
    const atMs = nowMs()
    heardMs = atMs
    connect()
    reports.received(packet, atMs)
    // A phone on hold may keep sending; nobody should hear it.
    if (!session || !receives(session.direction)) return
    if (packet.ssrc !== source.ssrc) source = { ssrc: packet.ssrc }
    const law = session.receive.laws.get(packet.payloadType)
    if (law) {
      ear.sound(packet, law)
      leg.peer?.voice.relay(source, packet, law, atMs)
    } else if (session.receive.events.has(packet.payloadType)) {
      const digit = ear.event(packet)
      leg.peer?.voice.relay(source, packet, 'event', atMs)
      if (digit) {
        // A peer without telephone events hears the tone.
        if (leg.peer?.session?.send.events === undefined) leg.peer?.voice.press([digit])
        leg.onDigit(digit, atMs)
      }
    }
  }

  const leg: MediaLeg = {
    id,
    ear,
    voice,
    peer: undefined,
    mixedWith: [],
    mixed: undefined,
    onDigit: () => {},
    get session() {
      return session
    },
    apply(agreed) {
      session = agreed
      // An SDP answer counts as a sign that the other side is there.
      heardMs = nowMs()
      wire.apply(agreed)
      voice.apply(agreed)
    },
    tick(atMs) {
      const report = session && reports.due(atMs)
      if (report) wire.sendRtcp(report)
      wire.tick?.(atMs)
      if (!session || atMs - heardMs < quiet.afterMs || atMs - reportedMs < quiet.againMs) return
      reportedMs = atMs
      emit({ on: 'leg.quiet', leg: id, quietMs: atMs - heardMs })
    },
    statistics: () => ({
      sentPackets: voice.sentPackets,
      refusedPackets: wire.refusedPackets,
      ...reports.figures,
    }),
    close() {
      try {
        if (session) wire.sendRtcp(writeBye(voice.ssrc))
      } catch {
        // The RTCP BYE is best effort.
      }
      wire.close()
    },
  }
  return leg
}
