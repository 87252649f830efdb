import type { RtpPacket } from './rtp/packet.ts'
import type { AudioSession } from './sdp/negotiate.ts'

/** How the packets of a leg travel. Above it they are in the clear, and from the right sender. */
export interface Wire {
  readonly port: number
  readonly rtcpPort: number
  /** What was agreed on: where the other side is, and with which keys. */
  apply(session: AudioSession): void
  /** `index` is the sequence number with all its turns. */
  send(packet: Buffer, index: number): void
  sendRtcp(packet: Buffer): void
  readonly refusedPackets: number
  /** Every 20 ms, for wires that must watch the time. */
  tick?(atMs: number): void
  close(): void
}

export interface WireListener {
  rtp(packet: RtpPacket): void
  rtcp(bytes: Buffer): void
  /** The way is open, though nothing may have come yet. */
  connected(): void
  lost(why: 'consent_expired' | 'dtls_failed'): void
}
