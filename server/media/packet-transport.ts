import type { ReceivedRtp } from './rtp/packet.ts'
import type { NegotiatedAudio } from './sdp/negotiate.ts'

/** The transport of a leg. It passes on decrypted packets from the right sender. */
export interface PacketTransport {
  readonly port: number
  readonly rtcpPort: number
  /** Applies the negotiated session: address and keys of the other side. */
  apply(session: NegotiatedAudio): void
  /** `index` is the sequence number with its rollovers. */
  send(packet: Buffer, index: number): void
  sendRtcp(packet: Buffer): void
  readonly refusedPackets: number
  /** Called every 20 ms, for transports with timeouts. */
  tick?(atMs: number): void
  close(): void
}

export interface PacketTransportListener {
  rtp(packet: ReceivedRtp): void
  rtcp(bytes: Buffer): void
  /** ICE and DTLS are complete, though no packet may have arrived yet. */
  connected(): void
  lost(why: 'consent_expired' | 'dtls_failed'): void
}
