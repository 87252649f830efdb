import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log.ts'
import { createBell } from './bell.ts'
import type { Courier } from './courier.ts'
import { createLane, type Lane } from './lane.ts'
import type { LeaseRow } from './leases.ts'
import { LIMITS as ATTEMPT, type Outcome } from './post.ts'
import { type Due, type Finished, selectDue } from './queries.ts'
import { resultOf } from './result.ts'
import { writeTurn } from './turn.ts'
import { createUnderWay } from './under-way.ts'

/** As long as an attempt may take, and time to write down how that went. */
const ATTEMPT_AND_WRITING_MS = ATTEMPT.attemptMs + 3_000

const LIMITS = {
  leaseMs: ATTEMPT_AND_WRITING_MS + 7_000,
  /** A lease that has no more left is renewed: long before nothing more may be sent by it. */
  renewMs: ATTEMPT_AND_WRITING_MS + 2_000,
  leases: 10_000,
  /** So that workers who hear of much at the same time share it. */
  leasedAtOnce: 100,
  /** Deliveries in memory, unless there are so many endpoints that each has less than it gets at once. */
  held: 10_000,
  /** What has ended is written down when it is so much, or so old. */
  batch: 500,
  batchMs: 20,
  pollMs: 1_000,
  drainMs: 5_000,
  /** Endpoints whose pace is remembered while they have nothing to do. */
  remembered: 1_000,
}

export interface DispatcherParts {
  db: Database
  clock: Clock
  log: Log
  courier: Courier
  /** Between 0 and 1. */
  chance: () => number
  /** A uuid of its own for each worker. */
  holder: string
}

/** Makes the deliveries of a worker, as they fall due. */
export interface DeliveryDispatcher {
  start(): void
  /** Something may be due. */
  wake(): void
  /** The subscription was changed or deleted: what has not been sent is not sent as things were. */
  drop(subscriptionId: string): void
  /** Any of them may have been. */
  dropAll(): void
  /** Makes what is due now, and returns when it is made. */
  runDue(): Promise<void>
  /** Lets what is under way finish, for a moment; may be called twice. */
  stop(): Promise<void>
}

export function createDispatcher(parts: DispatcherParts): DeliveryDispatcher {
  const { db, clock, log, courier, chance, holder } = parts
  const lanes = new Map<string, Lane>()
  const underWay = createUnderWay(clock)
  /** Dropped while a turn was waiting for the database: what that knows is out of date. */
  const dropped = new Set<string>()
  const state = { looking: true, stopping: false, writingSoon: false }
  let finished: Finished[] = []
  let work = createBell()
  let ended = createBell()
  let loop: Promise<void> | undefined

  const now = () => clock.now().getTime()
  const open = () => [...lanes.values()].filter((lane) => lane.lease)
  const share = () => Math.floor(LIMITS.held / Math.max(1, lanes.size))

  /** Writes down what has ended, takes what is free and reads what is due. */
  async function turn(): Promise<void> {
    const saving = finished
    finished = []
    dropped.clear()
    const ours = open()
    const releasing = ours.filter((lane) => lane.exhausted && lane.isIdle())
    const kept = ours.filter((lane) => !releasing.includes(lane))
    const renewing = kept.filter((lane) => lane.lease!.until - now() <= LIMITS.renewMs)
    const limit = state.looking ? Math.min(LIMITS.leasedAtOnce, LIMITS.leases - kept.length) : 0
    const until = now() + LIMITS.leaseMs
    if (state.looking) for (const lane of kept) lane.exhausted = false
    state.looking = false
    try {
      const terms = { holder, now: clock.now(), until: new Date(until) }
      const written = await writeTurn(db, terms, { saving, releasing, renewing, kept, limit })
      for (const lane of releasing) lane.close()
      const renewed = new Set(written.renewed.map((row) => row.subscriptionId))
      for (const lane of renewing) if (!renewed.has(lane.subscriptionId)) lane.close()
      for (const row of [...written.renewed, ...written.taken]) hold(row, until)
      if (limit > 0 && written.taken.length === limit) look()
    } catch (error) {
      finished = [...saving, ...finished]
      state.looking = true
      throw error
    }
    for (const one of saving) lanes.get(one.subscriptionId)?.held.delete(one.id)
    forgetIdle()
    await read()
  }

  function hold(row: LeaseRow, until: number): void {
    const { companyId, subscriptionId } = row
    if (dropped.has(subscriptionId)) return
    const lane = lanes.get(subscriptionId) ?? createLane(companyId, subscriptionId)
    lanes.set(subscriptionId, lane)
    if (!lane.lease) lane.exhausted = false
    lane.lease = { until, endpoint: courier.endpointOf(row) }
  }

  async function read(): Promise<void> {
    const wanted = open()
      .filter((lane) => !lane.exhausted)
      .map((lane) => ({ lane, room: lane.room(share()) }))
      .filter(({ room }) => room > 0)
    if (wanted.length > 0) {
      const asked = wanted.map(({ lane: { companyId, subscriptionId }, room }) => ({
        companyId,
        subscriptionId,
        room,
      }))
      const held = wanted.flatMap(({ lane }) => [...lane.held])
      const rows = await selectDue(db.sql, holder, asked, held, clock.now())
      const left = wanted.map(({ room }) => room)
      for (const due of rows) {
        const { lane } = wanted[due.place - 1]!
        left[due.place - 1]!--
        if (lane.lease) lane.enter(due)
      }
      for (const [index, { lane }] of wanted.entries()) lane.exhausted = left[index]! > 0
    }
    for (const lane of open()) send(lane)
  }

  function send(lane: Lane): void {
    while (lane.lease && lane.lease.until - now() >= ATTEMPT_AND_WRITING_MS) {
      const due = lane.next()
      if (!due) return
      deliver(lane, due)
    }
  }

  function deliver(lane: Lane, due: Due): void {
    const start = clock.now()
    const attempt = courier.deliver(due, lane.lease!.endpoint, (outcome) => {
      underWay.remove(attempt)
      onEnded(lane, due, outcome, start)
    })
    underWay.add(attempt, start)
  }

  function onEnded(lane: Lane, due: Due, outcome: Outcome, start: Date): void {
    lane.leave(outcome.ok || outcome.why === 'refused')
    if (!outcome.ok && outcome.why === 'called_off') lane.held.delete(due.id)
    else {
      const result = resultOf(lane, due, outcome, { start, end: clock.now(), chance })
      if (result.gone) lane.close()
      finished.push(result)
    }
    ended.ring()
    if (state.stopping) return
    send(lane)
    const isLow = !lane.exhausted && lane.room(share()) > 0
    if (isLow || finished.length >= LIMITS.batch) work.ring()
    else writeSoon()
  }

  function writeSoon(): void {
    if (state.writingSoon) return
    state.writingSoon = true
    clock.after(LIMITS.batchMs, () => {
      state.writingSoon = false
      work.ring()
    })
  }

  function look(): void {
    state.looking = true
    work.ring()
  }

  function forgetIdle(): void {
    for (const [id, lane] of lanes) {
      if (lanes.size <= LIMITS.remembered) return
      if (!lane.lease && lane.isIdle()) lanes.delete(id)
    }
  }

  function drop(subscriptionId: string): void {
    dropped.add(subscriptionId)
    lanes.get(subscriptionId)?.close()
    look()
  }

  async function run(): Promise<void> {
    while (!state.stopping) {
      work = createBell()
      let callOff = clock.after(LIMITS.pollMs, look)
      try {
        await turn()
      } catch (error) {
        log.warn({ err: error }, 'webhook deliveries wait until the database answers')
        // What has ended rings too soon: the database needs a moment.
        work = createBell()
        callOff()
        callOff = clock.after(LIMITS.pollMs, look)
      }
      await work.rung
      callOff()
    }
  }

  async function runDue(): Promise<void> {
    for (;;) {
      ended = createBell()
      state.looking = true
      await turn()
      if ([...lanes.values()].every((lane) => lane.isIdle())) return letGo()
      // With nothing under way, what waits needs a longer lease first.
      if (finished.length === 0 && underWay.size() > 0) await ended.rung
    }
  }

  async function stop(): Promise<void> {
    state.stopping = true
    work.ring()
    await loop
    for (const lane of lanes.values()) lane.clear()
    const callOff = clock.after(LIMITS.drainMs, underWay.callOffAll)
    while (underWay.size() > 0) {
      ended = createBell()
      await ended.rung
    }
    callOff()
    await letGo()
  }

  /** Writes down what has ended and leaves all subscriptions to others. */
  async function letGo(): Promise<void> {
    const releasing = open()
    const terms = { holder, now: clock.now(), until: clock.now() }
    await writeTurn(db, terms, { saving: finished, releasing, renewing: [], kept: [], limit: 0 })
    finished = []
    for (const lane of releasing) lane.close()
  }

  let stopped: Promise<void> | undefined
  return {
    start() {
      loop = run()
    },
    wake: look,
    drop,
    dropAll() {
      for (const id of lanes.keys()) drop(id)
    },
    runDue,
    stop: () => (stopped ??= stop()),
  }
}
