import type { RtpAddress } from '../sdp/remote-audio.ts'
import type { RtpPacket } from './packet.ts'
import { sequenceDistance } from './packet.ts'

/** An address that was not signalled is accepted after this many packets in a row. */
const UNKNOWN_HOST_PACKETS = 3

type State =
  | { in: 'waiting' }
  | { in: 'doubting'; from: RtpAddress; ssrc: number; sequence: number; inARow: number }
  /** `certain` if the address is the signalled one. */
  | { in: 'latched'; to: RtpAddress; certain: boolean }

/**
 * Symmetric RTP with latching (RFC 7362): media is sent back to its source address, which works through NAT. The
 * first packets determine that address; after that, other senders are ignored and cannot hijack the stream.
 */
export function createLatch() {
  let signalled: RtpAddress | undefined
  let state: State = { in: 'waiting' }

  function setState(next: State): void {
    state = next
    latch.target = next.in === 'latched' ? next.to : signalled
    latch.isCertain = next.in === 'latched' && next.certain
  }

  function latchTo(to: RtpAddress, certain: boolean): true {
    setState({ in: 'latched', to: { address: to.address, port: to.port }, certain })
    return true
  }

  function doubt(from: RtpAddress, { ssrc, sequence }: Pick<RtpPacket, 'ssrc' | 'sequence'>): boolean {
    const goesOn =
      state.in === 'doubting' &&
      same(state.from, from) &&
      state.ssrc === ssrc &&
      sequenceDistance(state.sequence, sequence) === 1
    const inARow = goesOn && state.in === 'doubting' ? state.inARow + 1 : 1
    if (inARow >= UNKNOWN_HOST_PACKETS) return latchTo(from, false)
    setState({ in: 'doubting', from: { address: from.address, port: from.port }, ssrc, sequence, inARow })
    return false
  }

  // Fields instead of accessors, which would give every object a hidden class of its own in V8.
  const latch = {
    /** The address to send to. */
    target: undefined as RtpAddress | undefined,
    /** Nothing but a new address in SDP changes the target, unless packets are authenticated. */
    isCertain: false,
    /** Whether to accept a packet from this address. */
    accepts(from: RtpAddress, packet: Pick<RtpPacket, 'ssrc' | 'sequence'>): boolean {
      if (state.in === 'latched') {
        if (same(state.to, from)) return true
        return !state.certain && signalled !== undefined && same(signalled, from)
          ? latchTo(from, true)
          : false
      }
      if (!signalled) return false
      if (same(signalled, from)) return latchTo(from, true)
      // NAT changes the port.
      if (signalled.address === from.address) return latchTo(from, false)
      return doubt(from, packet)
    },
    /** A packet from this address was authenticated, which takes SRTP. */
    proven(from: RtpAddress): void {
      if (state.in !== 'latched' || !same(state.to, from)) latchTo(from, true)
    },
    /** SDP gives a new address. */
    aim(announced: RtpAddress): void {
      if (signalled && same(signalled, announced)) return
      signalled = announced
      setState({ in: 'waiting' })
    },
  }
  return latch
}

export type Latch = ReturnType<typeof createLatch>

const same = (a: RtpAddress, b: RtpAddress) => a.port === b.port && a.address === b.address
