import type { Claimed, Room } from './queries.ts'

export const LIMITS = {
  perEndpointMax: 20,
  perEndpointAtFirst: 4,
  /** An endpoint that keeps running dry has up to so many times as many claimed as it gets at once. */
  aheadMax: 50,
  /** What has waited here for longer is given back: its endpoint has become slow. */
  waitMs: 2_000,
  remembered: 1_000,
}

/** The deliveries of one subscription. */
interface Lane {
  underWay: number
  /** How many may be under way. */
  width: number
  /** How many times its width it may have claimed. */
  ahead: number
  waiting: { delivery: Claimed; since: number }[]
}

/**
 * How many deliveries each endpoint gets at once. An endpoint that answers earns more; one that does not answer is
 * asked one at a time, so that however many are dead, together they hold little of the worker.
 */
export interface Lanes {
  /** How many are under way or waiting. */
  size(): number
  /** Of the lanes whose room differs from that of a new one. */
  rooms(): Room[]
  enter(delivery: Claimed, now: number): void
  /** What may be sent now. */
  take(subscriptionId: string): Claimed[]
  leave(subscriptionId: string, answered: boolean): void
  /** Takes out what has waited too long. */
  removeStale(now: number): Claimed[]
  /** Takes out all that waits in a lane, or in all of them. */
  removeWaiting(subscriptionId?: string): Claimed[]
}

export function createLanes(): Lanes {
  const lanes = new Map<string, Lane>()
  let size = 0

  function remove(lane: Lane, count: number): Claimed[] {
    size -= count
    return lane.waiting.splice(0, count).map(({ delivery }) => delivery)
  }

  return {
    size: () => size,
    rooms: () =>
      [...lanes].map(([subscriptionId, { underWay, width, ahead, waiting }]) => ({
        subscriptionId,
        free: Math.max(0, width * ahead - underWay - waiting.length),
      })),
    enter(delivery, now) {
      const { subscriptionId } = delivery
      const lane = lanes.get(subscriptionId) ?? {
        underWay: 0,
        width: LIMITS.perEndpointAtFirst,
        ahead: 1,
        waiting: [],
      }
      lanes.set(subscriptionId, lane)
      lane.waiting.push({ delivery, since: now })
      size++
    },
    take(subscriptionId) {
      const lane = lanes.get(subscriptionId)!
      const taken = lane.waiting.splice(0, lane.width - lane.underWay)
      lane.underWay += taken.length
      return taken.map(({ delivery }) => delivery)
    },
    leave(subscriptionId, answered) {
      const lane = lanes.get(subscriptionId)!
      lane.underWay--
      size--
      lane.width = answered ? Math.min(lane.width * 2, LIMITS.perEndpointMax) : 1
      if (!answered) lane.ahead = 1
      else if (lane.waiting.length === 0) lane.ahead = Math.min(lane.ahead * 2, LIMITS.aheadMax)
      const idle = lane.underWay === 0 && lane.waiting.length === 0
      if (idle && lanes.size > LIMITS.remembered) lanes.delete(subscriptionId)
    },
    removeStale(now) {
      return [...lanes.values()].flatMap((lane) => {
        const fresh = lane.waiting.findIndex(({ since }) => now - since <= LIMITS.waitMs)
        const stale = fresh === -1 ? lane.waiting.length : fresh
        if (stale > 0) lane.ahead = 1
        return remove(lane, stale)
      })
    },
    removeWaiting(subscriptionId) {
      const chosen = subscriptionId === undefined ? [...lanes.values()] : [lanes.get(subscriptionId)]
      return chosen.flatMap((lane) => (lane ? remove(lane, lane.waiting.length) : []))
    },
  }
}
