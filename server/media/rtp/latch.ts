import type { Endpoint } from '../sdp/remote-audio.ts'
import type { RtpPacket } from './packet.ts'
import { sequenceDistance } from './packet.ts'

/**
 * Symmetric RTP: sound goes back to where it comes from, for that is the way through the other side's router. Where
 * it comes from is settled by the first packets, and then no stranger is heard, nor can draw the sound to himself.
 */
export interface Latch {
  /** Whether a packet from there counts. */
  accepts(from: Endpoint, packet: Pick<RtpPacket, 'ssrc' | 'sequence'>): boolean
  /** A packet from there was proven genuine, which only encryption can do. */
  proven(from: Endpoint): void
  /** Where to send. */
  readonly target: Endpoint | undefined
  /** The description says anew where the other side is. */
  aim(signalled: Endpoint): void
}

/** An address that nobody announced must send so many packets in a row, before it is believed. */
const STRANGER_PACKETS = 3

type State =
  | { in: 'waiting' }
  | { in: 'doubting'; from: Endpoint; ssrc: number; sequence: number; inARow: number }
  /** `certain` where the address is the announced one. */
  | { in: 'latched'; to: Endpoint; certain: boolean }

export function createLatch(): Latch {
  let signalled: Endpoint | undefined
  let state: State = { in: 'waiting' }

  const latch = (to: Endpoint, certain: boolean): true => {
    state = { in: 'latched', to: { address: to.address, port: to.port }, certain }
    return true
  }

  function doubt(from: Endpoint, { ssrc, sequence }: Pick<RtpPacket, 'ssrc' | 'sequence'>): boolean {
    const goesOn =
      state.in === 'doubting' &&
      same(state.from, from) &&
      state.ssrc === ssrc &&
      sequenceDistance(state.sequence, sequence) === 1
    const inARow = goesOn && state.in === 'doubting' ? state.inARow + 1 : 1
    if (inARow >= STRANGER_PACKETS) return latch(from, false)
    state = { in: 'doubting', from: { address: from.address, port: from.port }, ssrc, sequence, inARow }
    return false
  }

  return {
    get target() {
      return state.in === 'latched' ? state.to : signalled
    },
    accepts(from, packet) {
      if (state.in === 'latched') {
        if (same(state.to, from)) return true
        return !state.certain && signalled !== undefined && same(signalled, from) ? latch(from, true) : false
      }
      if (!signalled) return false
      if (same(signalled, from)) return latch(from, true)
      // A router gives its own port to what passes through it.
      if (signalled.address === from.address) return latch(from, false)
      return doubt(from, packet)
    },
    proven(from) {
      if (state.in !== 'latched' || !same(state.to, from)) latch(from, true)
    },
    aim(announced) {
      if (signalled && same(signalled, announced)) return
      signalled = announced
      state = { in: 'waiting' }
    },
  }
}

const same = (a: Endpoint, b: Endpoint) => a.port === b.port && a.address === b.address
