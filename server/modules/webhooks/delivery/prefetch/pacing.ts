import type { Presence } from '../../../../platform/async/presence.ts'
import type { Clock } from '../../../../platform/clock.ts'
import { WEBHOOK_LIMITS } from '../../limits.ts'

const { pacedPerSecond, pacedBurst, pacedAtOnce } = WEBHOOK_LIMITS

/** Companies that are remembered, unless more have used some of their burst. */
const REMEMBERED = 1_000

/**
 * How fast the deliveries of each company are read. A company may have a burst of them; then it is paced while others are
 * there, whose requests and deliveries the process would otherwise serve between hundreds of its own.
 */
export interface Pacing {
  /** How many deliveries of the company may be read now. */
  room(companyId: string): number
  /** So many were read. */
  use(companyId: string, count: number): void
}

interface Company {
  /** Deliveries that were read, less those that were allowed since. */
  used: number
  at: number
}

export function createPacing(clock: Clock, presence: Presence): Pacing {
  const companies = new Map<string, Company>()
  const now = () => clock.now().getTime()

  function usedBy(companyId: string, at: number): number {
    const company = companies.get(companyId)
    if (!company) return 0
    const allowed = (Math.max(0, at - company.at) / 1_000) * pacedPerSecond
    return Math.max(0, company.used - allowed)
  }

  function forgetIdle(at: number): void {
    for (const id of companies.keys()) if (usedBy(id, at) === 0) companies.delete(id)
  }

  return {
    room(companyId) {
      const at = now()
      if (presence.isAlone(companyId, at)) return Infinity
      const left = pacedBurst - usedBy(companyId, at)
      // A few at a time: a query for each would cost more than the deliveries themselves.
      return left < pacedAtOnce ? 0 : Math.floor(left)
    },
    use(companyId, count) {
      const at = now()
      const before = usedBy(companyId, at)
      // One that is paced uses what it is allowed all the time, and need not be spared itself.
      if (before < pacedBurst / 2) presence.note(companyId, at)
      if (companies.size >= REMEMBERED) forgetIdle(at)
      companies.set(companyId, { used: Math.min(before + count, pacedBurst), at })
    },
  }
}
