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
  let closed = false
  /** Whether our RTP socket is connected to its peer; undefined until that was tried. */
  let isConnected: boolean | undefined

  function onRtp(bytes: Buffer, from: RtpAddress): void {
    if (bytes.length < 2 || !session) return refuse()
    if (isRtcp(bytes)) return onRtcp(bytes, from)
    const plain = sealing ? sealing.open(bytes) : bytes
    const packet = plain && parseRtp(plain)
    if (!packet || (!sealing && !latch.accepts(from, packet))) return refuse()
    if (sealing) latch.proven(from)
    else if (latch.isCertain && isConnected === undefined) isConnected = connect(pair, latch.target!)
    listener.rtp(packet)
  }

  function onRtcp(bytes: Buffer, from: RtpAddress): void {
    const plain = sealing ? sealing.openRtcp(bytes) : bytes
    if (!plain || !session || from.address !== latch.target?.address) return refuse()
    if (!session.remote.rtcpMux) rtcpTarget = { address: from.address, port: from.port }
    listener.rtcp(plain)
  }

  function refuse(): void {
    transport.refusedPackets++
  }

  function post(socket: Socket, bytes: Buffer, target: RtpAddress | undefined): void {
    // Port 0 and the address 0.0.0.0 mean that the peer takes no media.
    if (closed || !target || target.port === 0 || target.address === '0.0.0.0') return
    socket.send(bytes, target.port, target.address)
  }

  function postRtp(bytes: Buffer): void {
    if (!isConnected) return post(pair.rtp, bytes, latch.target)
    if (!closed) pair.rtp.send(bytes)
  }

  function disconnect(): void {
    if (isConnected && !closed) pair.rtp.disconnect()
    isConnected = undefined
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

  // Fields instead of accessors, which would give every object a hidden class of its own in V8.
  const transport: Own<UdpTransport> = {
    family: pair.family,
    address: pair.address,
    port: pair.port,
    rtcpPort: pair.port + 1,
    refusedPackets: 0,
    moveTo(next) {
      if (closed) {
        next.rtp.close()
        next.rtcp.close()
        return
      }
      closeSockets()
      pair = next
      isConnected = undefined
      const { family, address, port } = next
      Object.assign(transport, { family, address, port, rtcpPort: port + 1 })
      attach(next)
    },
    apply(agreed) {
      session = agreed
      latch.aim(agreed.remote.rtp)
      // Keys may come later than the first packets.
      if (!latch.isCertain || agreed.remote.crypto) disconnect()
      rtcpTarget = agreed.remote.rtcp
      const { crypto } = agreed.remote
      if (!crypto) sealing = undefined
      else if (!sealing?.isFor(crypto.key))
        sealing = createSrtpContext(crypto.suite, keys[crypto.suite], crypto.key, crypto.mkiBytes)
    },
    send(packet, index) {
      postRtp(sealing ? sealing.seal(packet, index) : packet)
    },
    sendRtcp(packet) {
      if (!session) return
      const bytes = sealing ? sealing.sealRtcp(packet) : packet
      if (session.remote.rtcpMux) postRtp(bytes)
      else post(pair.rtcp, bytes, rtcpTarget)
    },
    close() {
      if (closed) return
      closed = true
      closeSockets()
    },
  }
  attach(pair)
  return transport
}

type Own<T> = { -readonly [Key in keyof T]: T[Key] }

/**
 * The system then drops the packets of all others, and sends ours without looking up a route for each. False if that is
 * not possible.
 */
function connect({ rtp, address: own }: SocketPair, { address, port }: RtpAddress): boolean {
  const bound = rtp.address().address
  rtp.connect(port, address)
  try {
    if (rtp.remoteAddress().port !== port) return false
  } catch {
    return false
  }
  // A socket of all addresses gets the one that leads to the peer, which may send to another: the one in our SDP.
  const connected = rtp.address().address
  if (connected === bound || connected === own) return true
  rtp.disconnect()
  return false
}
