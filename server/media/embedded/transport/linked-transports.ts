import type { Log } from '../../../platform/log.ts'
import type { PacketTransport, PacketTransportListener } from '../../packet-transport.ts'
import { parseRtp } from '../../rtp/packet.ts'

export type MakeTransport = (listener: PacketTransportListener) => PacketTransport

/** The port in SDP where nothing is sent to it (RFC 863). Port 0 would refuse the media. */
export const DISCARD_PORT = 9

/** Two transports within this process: what one sends, the other receives. */
export function createLinkedTransports(log: Log): [MakeTransport, MakeTransport] {
  const open = new Map<0 | 1, PacketTransportListener>()

  /** As on a network, what goes wrong at the receiver is not the sender's failure. */
  function deliver(to: 0 | 1, hand: (listener: PacketTransportListener) => void): void {
    const listener = open.get(to)
    if (!listener) return
    try {
      hand(listener)
    } catch (err) {
      log.warn({ err }, 'handling a media packet failed')
    }
  }

  const end =
    (own: 0 | 1, other: 0 | 1): MakeTransport =>
    (listener) => {
      open.set(own, listener)
      return {
        port: DISCARD_PORT,
        rtcpPort: DISCARD_PORT,
        refusedPackets: 0,
        apply() {},
        send: (packet) => deliver(other, ({ rtp }) => rtp(parseRtp(packet)!)),
        sendRtcp: (packet) => deliver(other, ({ rtcp }) => rtcp(packet)),
        close() {
          open.delete(own)
        },
      }
    }
  return [end(0, 1), end(1, 0)]
}
