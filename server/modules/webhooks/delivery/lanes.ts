import type { Room } from './queries.ts'

export const LIMITS = { perEndpointMax: 20, perEndpointAtFirst: 4, remembered: 10_000 }

/** The deliveries of one subscription that are under way. */
interface Lane {
  underWay: number
  /** How many there may be. */
  width: number
}

/**
 * How many deliveries each endpoint gets at once. An endpoint that answers earns more; one that does not answer is
 * asked one at a time, so that however many are dead, together they hold little of the worker.
 */
export interface Lanes {
  underWay(): number
  /** Of the lanes whose room differs from that of a new one. */
  rooms(): Room[]
  enter(subscriptionId: string): void
  leave(subscriptionId: string, answered: boolean): void
}

export function createLanes(): Lanes {
  const lanes = new Map<string, Lane>()
  let total = 0
  return {
    underWay: () => total,
    rooms: () =>
      [...lanes].map(([subscriptionId, { underWay, width }]) => ({
        subscriptionId,
        free: Math.max(0, width - underWay),
      })),
    enter(subscriptionId) {
      const lane = lanes.get(subscriptionId) ?? { underWay: 0, width: LIMITS.perEndpointAtFirst }
      lane.underWay++
      total++
      lanes.set(subscriptionId, lane)
    },
    leave(subscriptionId, answered) {
      const lane = lanes.get(subscriptionId)!
      lane.underWay--
      total--
      lane.width = answered ? Math.min(lane.width * 2, LIMITS.perEndpointMax) : 1
      if (lanes.size > LIMITS.remembered && lane.underWay === 0) lanes.delete(subscriptionId)
    },
  }
}
