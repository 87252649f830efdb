import type { Clock } from '../../platform/clock.ts'
import type { LegId, LegStatistics } from '../port.ts'
import type { Connections } from './connections.ts'
import type { LegGroup, RelayedLeg } from './leg-group.ts'
import { RTPENGINE_LIMITS } from './limits.ts'
import type { Uses } from './uses.ts'

interface DirectConnectionsParts {
  legs: ReadonlyMap<LegId, RelayedLeg>
  connections: Connections
  uses: Uses
  clock: Clock
  /** Has `update` called for the group, in its queue. */
  updateLater(group: LegGroup): void
}

/** Two legs that are about to be connected. */
interface Wait {
  peer: RelayedLeg
  isOver: boolean
  callOff(): void
}

const isTalking = ({ end, outsideSdp, session }: RelayedLeg) =>
  end && outsideSdp && session?.direction === 'sendrecv'

/** Which legs are connected at rtpengine, past this process. Everything here runs in the queue of the legs' group. */
export function createDirectConnections({
  legs,
  connections,
  uses,
  clock,
  updateLater,
}: DirectConnectionsParts) {
  const waits = new Map<RelayedLeg, Wait>()
  /** Packets that rtpengine had received from a leg when it was last asked. */
  const counted = new WeakMap<RelayedLeg, number>()

  /** With whom the leg only talks, and nobody else has anything to do with either. */
  function wantedPeer(leg: RelayedLeg): RelayedLeg | undefined {
    const way = connections.way(leg.id)
    const other = legs.get(way.at(-1) ?? '')
    if (!other || other === leg || other.group !== leg.group) return undefined
    return isTalking(leg) && isTalking(other) && uses.areFree([leg.id, ...way]) ? other : undefined
  }

  /** What has arrived since it was counted last. */
  async function count(leg: RelayedLeg): Promise<void> {
    const { peer, group } = leg
    const arrivals = peer && (await group.call?.arrivals())
    if (!arrivals) return
    for (const [one, other] of [
      [leg, peer],
      [peer, leg],
    ] as const) {
      const packets = arrivals.get(one.outside.tag)?.packets ?? 0
      const news = Math.max(0, packets - (counted.get(one) ?? 0))
      counted.set(one, packets)
      one.passed.received += news
      other.passed.sent += news
    }
  }

  /**
   * Connecting them gives both another stream. Some phones stay deaf if that happens before their jitter buffer has
   * played the first one.
   */
  function hasWaited(leg: RelayedLeg, peer: RelayedLeg): boolean {
    const wait = waits.get(leg)
    if (wait?.peer === peer) return wait.isOver
    wait?.callOff()
    const begun: Wait = {
      peer,
      isOver: false,
      callOff: clock.after(RTPENGINE_LIMITS.directAfterMs, () => {
        begun.isOver = true
        updateLater(leg.group)
      }),
    }
    waits.set(leg, begun)
    return false
  }

  function forgetWait(leg: RelayedLeg): void {
    waits.get(leg)?.callOff()
    waits.delete(leg)
  }

  async function join(a: RelayedLeg, b: RelayedLeg): Promise<void> {
    const call = a.group.begin()
    const arrivals = await call.arrivals()
    if (a.group.call !== call) return
    for (const leg of [a, b]) counted.set(leg, arrivals?.get(leg.outside.tag)?.packets ?? 0)
    a.peer = b
    b.peer = a
    // Else the reports of this process would still reach them.
    await Promise.all([a, b].map(({ inside, outside }) => call.disconnect(inside, outside)))
    if (!a.outsideSdp || !b.outsideSdp) return
    await Promise.all([
      call.connect(b.outside, b.outsideSdp, a.outside),
      call.connect(a.outside, a.outsideSdp, b.outside),
    ])
  }

  /** Both legs send to this process again. */
  async function part(leg: RelayedLeg): Promise<void> {
    const { peer, group } = leg
    if (!peer) return
    await count(leg)
    leg.peer = peer.peer = undefined
    const call = group.begin()
    for (const each of [peer, leg]) {
      if (!each.outsideSdp) continue
      await call.connect(each.inside, each.insideSdp, each.outside)
      await call.connect(each.outside, each.outsideSdp, each.inside)
    }
  }

  return {
    part,
    count,
    async update(group: LegGroup): Promise<void> {
      for (const leg of group.legs) if (leg.peer && wantedPeer(leg) !== leg.peer) await part(leg)
      for (const leg of group.legs) {
        const peer = leg.peer ? undefined : wantedPeer(leg)
        if (!peer || peer.peer) forgetWait(leg)
        else if (hasWaited(leg, peer)) await join(leg, peer)
      }
    },
    forget: forgetWait,
    /** With the packets that never reached this process. */
    counted: ({ passed }: RelayedLeg, inside: LegStatistics): LegStatistics => ({
      ...inside,
      receivedPackets: inside.receivedPackets + passed.received,
      sentPackets: inside.sentPackets + passed.sent,
    }),
    /** How long nothing has arrived from the leg at rtpengine, whose clock must not be far from ours. */
    async quietMs(leg: RelayedLeg, nowMs: number): Promise<number> {
      const arrivals = await leg.group.call?.arrivals()
      const last = arrivals?.get(leg.outside.tag)?.lastSecond
      return last ? nowMs - last * 1_000 : 0
    },
  }
}

export type DirectConnections = ReturnType<typeof createDirectConnections>
