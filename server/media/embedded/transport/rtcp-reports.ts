import { FRAME_MS } from '../../audio/frame.ts'
import { MEDIA_LIMITS } from '../../limits.ts'
import type { RtpPacket } from '../../rtp/packet.ts'
import { createReception, type Reception } from '../../rtp/reception.ts'
import { compactNtp, readRtcp, writeReport } from '../../rtp/rtcp.ts'
import type { SendPath } from '../send-path.ts'

/** The RTCP reports of a leg, in both directions. */
export function createRtcpReports(voice: SendPath, startMs: number) {
  let reception: Reception | undefined
  /** Totals of earlier streams. */
  const earlier = { received: 0, lost: 0 }
  let sentBefore = 0
  let senderTime: { middle: number; atMs: number } | undefined
  let remoteLost = 0
  let roundTripMs: number | null = null
  // Spreads the reports of legs that begin together.
  let dueMs = startMs + FRAME_MS * (1 + (voice.ssrc % (MEDIA_LIMITS.reportEveryMs / FRAME_MS)))
  return {
    received(packet: RtpPacket, atMs: number, clockRate: number): void {
      if (reception?.ssrc !== packet.ssrc) {
        if (reception) {
          earlier.received += reception.received()
          earlier.lost += reception.lost()
        }
        reception = createReception(packet)
        senderTime = undefined
      }
      reception.count(packet, atMs, clockRate)
    },
    read(bytes: Buffer, atMs: number): void {
      const read = readRtcp(bytes)
      if (!read) return
      if (read.senderTime !== undefined) senderTime = { middle: read.senderTime, atMs }
      const about = read.about.find(({ ssrc }) => ssrc === voice.ssrc)
      if (!about) return
      remoteLost = Math.max(0, about.lost)
      if (about.lastReport === 0) return
      const elapsed = (compactNtp(atMs) - about.lastReport - about.sinceLastReport) | 0
      roundTripMs = Math.max(0, (elapsed * 1_000) / 65_536)
    },
    /** The next report, if it is due. */
    due(atMs: number): Buffer | undefined {
      if (atMs < dueMs) return undefined
      dueMs = atMs + MEDIA_LIMITS.reportEveryMs
      const block = reception && {
        ...reception.report(),
        lastReport: senderTime?.middle ?? 0,
        sinceLastReport: senderTime ? Math.round(((atMs - senderTime.atMs) * 65_536) / 1_000) >>> 0 : 0,
      }
      const speaking = voice.sent.packets > sentBefore
      sentBefore = voice.sent.packets
      const sent = {
        atMs,
        timestamp: voice.timestampAt(atMs),
        packets: voice.sent.packets,
        bytes: voice.sent.bytes,
      }
      return writeReport(voice.ssrc, speaking ? sent : undefined, block ? [block] : [])
    },
    figures() {
      return {
        receivedPackets: earlier.received + (reception?.received() ?? 0),
        lostPackets: earlier.lost + (reception?.lost() ?? 0),
        jitterMs: reception?.jitterMs() ?? 0,
        remoteLostPackets: remoteLost,
        roundTripMs,
      }
    },
  }
}
