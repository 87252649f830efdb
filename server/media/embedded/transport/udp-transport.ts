import type { Socket } from 'node:dgram'

import type { Log } from '../../../platform/log.ts'
import type { PacketTransport, PacketTransportListener } from '../../packet-transport.ts'
import type { IpFamily } from '../../port.ts'
import { createLatch } from '../../rtp/latch.ts'
import { isRtcp, parseRtp } from '../../rtp/packet.ts'
import type { NegotiatedAudio } from '../../sdp/negotiate.ts'
import type { RtpAddress } from '../../sdp/remote-audio.ts'
import type { Suite } from '../../sdp/sdes.ts'
import { createSrtpContext, type SrtpContext } from '../../srtp/srtp-context.ts'
import type { SocketPair } from './ports.ts'

/** The transport of phones and carriers. */
export interface UdpTransport extends PacketTransport {
  /** Of our sockets. */
  readonly family: IpFamily
  /** Our address in SDP. */
  readonly address: string
  /** Continues on these sockets, for a peer of another family. */
  moveTo(pair: SocketPair): void
}

/** RTP, plain or encrypted with the keys in SDP. */
export function createUdpTransport(
  first: SocketPair,
  keys: Record<Suite, Buffer>,
  listener: PacketTransportListener,
  log: Log,
): UdpTransport {
  let pair = first
  const latch = createLatch()
  let session: NegotiatedAudio | undefined
  let sealing: SrtpContext | undefined
  let rtcpTarget: RtpAddress | undefined
  let refused = 0
  let closed = false

  function onRtp(bytes: Buffer, from: RtpAddress): void {
    if (bytes.length < 2 || !session) return refuse()
    if (isRtcp(bytes)) return onRtcp(bytes, from)
    const plain = sealing ? sealing.open(bytes) : bytes
    const packet = plain && parseRtp(plain)
    if (!packet || (!sealing && !latch.accepts(from, packet))) return refuse()
    if (sealing) latch.proven(from)
    listener.rtp(packet)
  }

  function onRtcp(bytes: Buffer, from: RtpAddress): void {
    const plain = sealing ? sealing.openRtcp(bytes) : bytes
    if (!plain || !session || from.address !== latch.target?.address) return refuse()
    if (!session.remote.rtcpMux) rtcpTarget = { address: from.address, port: from.port }
    listener.rtcp(plain)
  }

  function refuse(): void {
    refused++
  }

  function post(socket: Socket, bytes: Buffer, target: RtpAddress | undefined): void {
    // Port 0 and the address 0.0.0.0 mean that the peer takes no media.
    if (closed || !target || target.port === 0 || target.address === '0.0.0.0') return
    socket.send(bytes, target.port, target.address)
  }

  /** A packet that cannot be handled is dropped. */
  const guarded =
    (handle: (bytes: Buffer, from: RtpAddress) => void) => (bytes: Buffer, from: RtpAddress) => {
      try {
        handle(bytes, from)
      } catch (err) {
        refuse()
        log.warn({ err }, 'handling a media packet failed')
      }
    }

  function attach({ rtp, rtcp }: SocketPair): void {
    // ICMP errors, such as port unreachable.
    for (const socket of [rtp, rtcp])
      socket.on('error', (err) => log.debug({ err }, 'a media packet could not be sent'))
    rtp.on('message', guarded(onRtp))
    rtcp.on(
      'message',
      guarded((bytes, from) => {
        if (bytes.length >= 8) onRtcp(bytes, from)
      }),
    )
  }

  function closeSockets(): void {
    pair.rtp.close()
    pair.rtcp.close()
  }

  attach(pair)
  return {
    get family() {
      return pair.family
    },
    get address() {
      return pair.address
    },
    get port() {
      return pair.port
    },
    get rtcpPort() {
      return pair.port + 1
    },
    moveTo(next) {
      if (closed) {
        next.rtp.close()
        next.rtcp.close()
        return
      }
      closeSockets()
      pair = next
      attach(next)
    },
    get refusedPackets() {
      return refused
    },
    apply(agreed) {
      session = agreed
      latch.aim(agreed.remote.rtp)
      rtcpTarget = agreed.remote.rtcp
      const { crypto } = agreed.remote
      if (!crypto) sealing = undefined
      else if (!sealing?.isFor(crypto.key))
        sealing = createSrtpContext(crypto.suite, keys[crypto.suite], crypto.key, crypto.mkiBytes)
    },
    send(packet, index) {
      post(pair.rtp, sealing ? sealing.seal(packet, index) : packet, latch.target)
    },
    sendRtcp(packet) {
      if (!session) return
      const bytes = sealing ? sealing.sealRtcp(packet) : packet
      if (session.remote.rtcpMux) post(pair.rtp, bytes, latch.target)
      else post(pair.rtcp, bytes, rtcpTarget)
    },
    close() {
      if (closed) return
      closed = true
      closeSockets()
    },
  }
}
