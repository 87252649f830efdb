import type { Clock } from '../clock.ts'
import type { Presence } from './presence.ts'

export interface FairTurnsLimits {
  /** Connections to the database that one company leaves to others: as many as the rest is what it has running. */
  sparedConnections: number
  /** What it has running after a while if all of it is quick. */
  quickAtOnce: number
  /** What has run for longer is not quick. */
  quickMs: number
  /** What has run for longer probably waits for somebody else's service: it leaves its place to the next. */
  placeMs: number
  /** A company that has used so much of the process's time, beyond its share, is busy. */
  burstMs: number
  /** The share of the process's time that a company may use in the long run without being busy. */
  share: number
  /** What all busy companies together have running while others are there, unless it has run for longer than `busyMs`. */
  busyAtOnce: number
  busyMs: number
  /** A busy company waits for what others have running, but the next one starts after so long at the latest. */
  pauseMs: number
  /** What may wait of one company. */
  waitingMax: number
  /** How long it may wait. */
  waitMs: number
}

interface FairTurnsOptions {
  clock: Clock
  /** Of companies that are not busy: busy ones need not spare each other. */
  presence: Presence
  limits: FairTurnsLimits
  /** Those to the database, and how many of them nothing uses at the moment. */
  connections: { total: number; countIdle(): number }
  /** Thrown at what comes when too much waits, or has waited for too long. */
  tooMany: Error
}

/** What is known of a turn. */
export interface FairTurn {
  /**
   * The company is busy, and others are there but have nothing running: the next turn may follow at once, and whoever
   * comes meanwhile waits. One that starts while others have something running is followed by a pause instead.
   */
  readonly shouldBeShort: boolean
}

export interface FairTurns {
  /** Runs `work` when it is the turn of the company. */
  run<T>(companyId: string, work: (turn: FairTurn) => Promise<T>): Promise<T>
}

interface Company {
  id: string
  /** The time of the process that it has used, less its share of the time that has passed since. */
  debtMs: number
  countedAt: number
  /** The time that it has used as a busy company: the one with the least is next. */
  servedMs: number
  /** What it may have running: more with each that was quick, until nothing is left to do. */
  places: number
  /** The oldest first. */
  running: Set<Turn>
  waiting: Waiting[]
}

interface Turn extends FairTurn {
  company: Company
  since: number
  partBefore: number
  isBusy: boolean
}

interface Waiting {
  since: number
  admit(turn: Turn): void
  refuse(error: Error): void
}

/** Companies that are remembered, besides those with something running or waiting. */
const REMEMBERED = 1_000
/** The most that a company may owe, in bursts: it counts as busy for a few seconds at the most. */
const DEBT_MAX = 10

/**
 * Divides a process among companies. A busy company waits while others are served, and busy ones take turns by the
 * time that they use; where all are busy, they may use everything. Time is measured as if all that runs had equal parts
 * of it.
 */
export function createFairTurns(options: FairTurnsOptions): FairTurns {
  const { clock, presence, limits, connections, tooMany } = options
  // Of few connections, fewer are spared.
  const spared = Math.min(limits.sparedConnections, Math.floor(connections.total / 4))
  const atOnce = connections.total - spared
  const companies = new Map<string, Company>()
  const queued = new Set<Company>()
  const running = new Set<Turn>()
  let latest = -Infinity
  /** Never earlier than before, even if the clock of the machine is set back. */
  const now = () => (latest = Math.max(latest, clock.now().getTime()))
  /** The time of the process that something has had that runs since the beginning. */
  let partMs = 0
  let partAt = now()
  let busyTurnAt = -Infinity
  let busyServedMs = 0
  let isWakeUpSet = false

  function companyOf(id: string, at: number): Company {
    let company = companies.get(id)
    if (company) settleDebt(company, at)
    else {
      if (companies.size >= REMEMBERED) forgetIdle(at)
      company = { id, debtMs: 0, countedAt: at, servedMs: 0, places: atOnce, running: new Set(), waiting: [] }
      companies.set(id, company)
    }
    if (!isBusy(company)) presence.note(id, at)
    return company
  }

  function settleDebt(company: Company, at: number): void {
    company.debtMs = Math.max(0, company.debtMs - (at - company.countedAt) * limits.share)
    company.countedAt = at
  }

  function forgetIdle(at: number): void {
    for (const company of companies.values()) {
      settleDebt(company, at)
      if (company.debtMs === 0 && company.running.size + company.waiting.length === 0)
        companies.delete(company.id)
    }
  }

  const isBusy = ({ debtMs }: Company) => debtMs > limits.burstMs
  const isAlone = ({ id }: Company, at: number) => presence.isAlone(id, at)

  function hasPlace(company: Company, at: number): boolean {
    const count = company.running.size
    const [oldest] = company.running
    if (!oldest || at - oldest.since <= limits.quickMs) return count < company.places
    let long = 0
    for (const { since } of company.running) if (at - since > limits.placeMs) long++
    if (long === 0) return count < atOnce
    // They may occupy connections, unless they wait for something else.
    const least = long < atOnce ? 1 : 0
    return count - long < Math.min(atOnce, Math.max(least, connections.countIdle() - spared))
  }

  function countRunning(at: number): { busy: number; others: number } {
    let [busy, others] = [0, 0]
    for (const turn of running) {
      if (at - turn.since > limits.placeMs) continue
      if (!turn.isBusy) others++
      else if (at - turn.since <= limits.busyMs) busy++
    }
    return { busy, others }
  }

  /** Whether it is the turn of the busy companies. */
  function isBusyTurn(at: number): boolean {
    const { busy, others } = countRunning(at)
    return busy < limits.busyAtOnce && (others === 0 || at - busyTurnAt >= limits.pauseMs)
  }

  function begin(company: Company, at: number): Turn {
    measure(at)
    const mustSpare = isBusy(company) && !isAlone(company, at)
    const shouldBeShort = mustSpare && countRunning(at).others === 0
    const turn = { company, since: at, partBefore: partMs, isBusy: mustSpare, shouldBeShort }
    if (turn.isBusy) {
      busyTurnAt = at
      busyServedMs = company.servedMs = Math.max(company.servedMs, busyServedMs)
    }
    company.running.add(turn)
    running.add(turn)
    return turn
  }

  function end(turn: Turn): void {
    const at = now()
    measure(at)
    const { company } = turn
    company.running.delete(turn)
    running.delete(turn)
    const usedMs = Math.min(partMs - turn.partBefore, limits.placeMs)
    const isMore = company.running.size + company.waiting.length > 0 && at - turn.since <= limits.quickMs
    company.places = isMore ? Math.min(company.places + 1, limits.quickAtOnce) : atOnce
    settleDebt(company, at)
    company.debtMs = Math.min(company.debtMs + usedMs, limits.burstMs * DEBT_MAX)
    if (turn.isBusy) company.servedMs += usedMs
    if (queued.size > 0) serve(at)
  }

  function measure(at: number): void {
    if (running.size > 0) partMs += (at - partAt) / running.size
    partAt = at
  }

  /** Lets in whatever may start. */
  function serve(at: number): void {
    const busy: Company[] = []
    for (const company of queued) {
      settleDebt(company, at)
      while (company.waiting.length > 0 && at - company.waiting[0]!.since > limits.waitMs)
        next(company).refuse(tooMany)
      if (isBusy(company) && !isAlone(company, at)) busy.push(company)
      else while (company.waiting.length > 0 && hasPlace(company, at)) next(company).admit(begin(company, at))
    }
    while (isBusyTurn(at)) {
      const ready = busy.filter((company) => company.waiting.length > 0 && hasPlace(company, at))
      if (ready.length === 0) break
      const company = ready.reduce((one, other) => (other.servedMs < one.servedMs ? other : one))
      next(company).admit(begin(company, at))
    }
    wakeUp()
  }

  function next(company: Company): Waiting {
    const waiting = company.waiting.shift()!
    if (company.waiting.length === 0) queued.delete(company)
    return waiting
  }

  /** Nothing may end for a while. */
  function wakeUp(): void {
    if (isWakeUpSet || queued.size === 0) return
    isWakeUpSet = true
    clock.after(limits.pauseMs, () => {
      isWakeUpSet = false
      serve(now())
    })
  }

  function enter(companyId: string): Turn | Promise<Turn> {
    const at = now()
    const company = companyOf(companyId, at)
    const mayBegin =
      company.waiting.length === 0 && (!isBusy(company) || isAlone(company, at)) && hasPlace(company, at)
    if (mayBegin) return begin(company, at)
    if (company.waiting.length >= limits.waitingMax) throw tooMany
    return new Promise((admit, refuse) => {
      company.waiting.push({ since: at, admit, refuse })
      queued.add(company)
      serve(at)
    })
  }

  return {
    async run(companyId, work) {
      const entered = enter(companyId)
      const turn = entered instanceof Promise ? await entered : entered
      try {
        return await work(turn)
      } finally {
        end(turn)
      }
    },
  }
}
