import type { Clock } from '../../platform/clock.ts'

export interface AdmissionLimits {
  /** An edge that is busy for a larger share of the time is overloaded. */
  utilisationMax: number
  /** So is one of which a company that floods it uses a larger share by itself. */
  floodShareMax: number
  /** How often that is measured, while calls arrive or wait. */
  measureMs: number
  /** For how long an edge counts as overloaded after it was. */
  overloadMs: number
  /** The starts of calls that count: one so long ago counts for about a third. */
  startsMs: number
  /** So many starts, counted like that, are no flood. */
  startsSpared: number
  /** A company floods the edge if it starts so many times as many calls as another. */
  floodFactor: number
  /** For how long after its latest call a company counts as there, if it has no live one. */
  presentMs: number
  /** The shortest and the longest time between two waiting calls that are let in. */
  pauseMs: number
  pauseMsMax: number
  /** How long a call may wait. */
  waitMs: number
  /** The calls that may wait. */
  waitingMax: number
}

interface AdmissionOptions {
  clock: Clock
  limits: AdmissionLimits
  /** The share of the time, since it was asked last, in which the edge was busy: from 0 to 1. */
  utilisation(): number
  /** Those with a live call. */
  liveCompanies(): Iterable<string>
}

export interface Admission {
  /**
   * Undefined if the call may begin at once. Otherwise it waits: true if it may begin then, false if it has waited for
   * too long or is over.
   */
  enter(companyId: string, call: { readonly isOver: boolean }): Promise<boolean> | undefined
  /** Nothing that waits may begin. */
  close(): void
}

interface Company {
  /** Lately; older ones count less and less. */
  starts: number
  countedAt: number
  calledAt: number
  waiting: Waiting[]
}

interface Waiting {
  call: { readonly isOver: boolean }
  since: number
  decide(mayBegin: boolean): void
}

/**
 * A call costs most of its time after its start, so the pause between two grows fast with each measurement that is too
 * high, and shrinks slowly with the others: then about a tenth of them is too high, and calls begin evenly.
 */
const PAUSE_CHANGE = { slower: 1.3, faster: 0.97 }
/** Companies that are remembered before those without recent calls are looked for. */
const REMEMBERED = 1_000

/**
 * Divides an edge among companies. When it is overloaded, or one company uses too much of it, the calls of those that
 * start by far the most wait, and are let in one by one when the edge has time, those of the company with the fewest
 * starts first. A company that is alone never waits, nor do companies that all start about as many: there is nobody
 * whom that would help.
 */
export function createAdmission({ clock, limits, utilisation, liveCompanies }: AdmissionOptions): Admission {
  const companies = new Map<string, Company>()
  const queued = new Set<Company>()
  let latest = -Infinity
  /** Never earlier than before, even if the clock of the machine is set back. */
  const now = () => (latest = Math.max(latest, clock.now().getTime()))
  let measuredAt = -Infinity
  let overloadedAt = -Infinity
  let pauseMs = limits.pauseMs
  let letInAt = -Infinity
  /** The starts of the companies that are there: of the first, of the last, and of all. */
  let [most, least, all] = [0, Infinity, 0]
  let waitingCount = 0
  let callOffWakeUp: (() => void) | undefined

  function measure(at: number): void {
    const busy = utilisation()
    measuredAt = at
    if (busy > Math.min(limits.utilisationMax, limits.floodShareMax) || isOverloaded(at)) compareCompanies(at)
    const floodShare = isFloodedBy(most) ? (busy * most) / all : 0
    const isTooBusy = busy > limits.utilisationMax || floodShare > limits.floodShareMax
    if (isTooBusy) overloadedAt = at
    pauseMs *= isTooBusy ? PAUSE_CHANGE.slower : PAUSE_CHANGE.faster
    pauseMs = Math.min(Math.max(pauseMs, limits.pauseMs), limits.pauseMsMax)
  }

  const isOverloaded = (at: number) => at - overloadedAt < limits.overloadMs

  function compareCompanies(at: number): void {
    ;[most, least, all] = [0, Infinity, 0]
    for (const [id, company] of companies) {
      if (at - company.calledAt > limits.presentMs && company.waiting.length === 0) companies.delete(id)
      else {
        count(company, at)
        most = Math.max(most, company.starts)
        least = Math.min(least, company.starts)
        all += company.starts
      }
    }
    // Of one that is alone, more calls may start before the next comparison than it had at this one.
    let others = companies.size - 1
    for (const id of liveCompanies()) {
      if (companies.has(id)) continue
      others++
      least = 0
    }
    if (others <= 0) least = Infinity
  }

  function companyOf(id: string, at: number): Company {
    const known = companies.get(id)
    if (known) {
      count(known, at)
      known.calledAt = at
      return known
    }
    if (companies.size >= REMEMBERED) compareCompanies(at)
    const company = { starts: 0, countedAt: at, calledAt: at, waiting: [] }
    companies.set(id, company)
    return company
  }

  function count(company: Company, at: number): void {
    company.starts *= Math.exp((company.countedAt - at) / limits.startsMs)
    company.countedAt = at
  }

  const isFloodedBy = (starts: number) => starts > limits.startsSpared && starts > least * limits.floodFactor
  const isFlood = ({ starts }: Company) => starts >= most / limits.floodFactor && isFloodedBy(starts)

  /** At the present pace. A carrier that hears so at once tries another edge sooner. */
  const wouldWaitTooLong = ({ waiting }: Company) => waiting.length * queued.size * pauseMs >= limits.waitMs

  function next(company: Company): Waiting {
    const waiting = company.waiting.shift()!
    leave(company, 1)
    return waiting
  }

  function leave(company: Company, count: number): void {
    waitingCount -= count
    if (company.waiting.length === 0) queued.delete(company)
  }

  function letIn(company: Company): void {
    company.starts++
    next(company).decide(true)
  }

  /** Lets in what may begin, and ends the waiting of what may not any more. */
  function serve(): void {
    const at = now()
    if (at - measuredAt >= limits.measureMs) measure(at)
    for (const company of queued) {
      const isLost = ({ call, since }: Waiting) => call.isOver || at - since >= limits.waitMs
      const lost = company.waiting.filter(isLost)
      if (lost.length > 0) company.waiting = company.waiting.filter((each) => !lost.includes(each))
      leave(company, lost.length)
      for (const { decide } of lost) decide(false)
      count(company, at)
      while (company.waiting.length > 0 && !isFlood(company)) letIn(company)
    }
    // The one with the fewest starts, so that several take turns.
    const [company] = [...queued].toSorted((one, other) => one.starts - other.starts)
    if (company && overloadedAt < measuredAt && at - letInAt >= pauseMs) {
      letInAt = at
      letIn(company)
    }
    wakeUp()
  }

  function wakeUp(): void {
    if (callOffWakeUp || queued.size === 0) return
    callOffWakeUp = clock.after(limits.pauseMs, () => {
      callOffWakeUp = undefined
      serve()
    })
  }

  return {
    enter(companyId, call) {
      const at = now()
      const company = companyOf(companyId, at)
      if (at - measuredAt >= limits.measureMs) measure(at)
      if (company.waiting.length === 0 && !(isOverloaded(at) && isFlood(company))) {
        company.starts++
        return undefined
      }
      if (waitingCount >= limits.waitingMax || wouldWaitTooLong(company)) return Promise.resolve(false)
      waitingCount++
      queued.add(company)
      wakeUp()
      return new Promise((decide) => company.waiting.push({ call, since: at, decide }))
    },
    close() {
      callOffWakeUp?.()
      callOffWakeUp = undefined
      for (const company of queued) while (company.waiting.length > 0) next(company).decide(false)
    },
  }
}
