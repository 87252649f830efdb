import { setMaxListeners } from 'node:events'

import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log.ts'
import type { Courier } from './courier.ts'
import { createLanes, LIMITS as LANE } from './lanes.ts'
import { LIMITS as ATTEMPT, type Outcome } from './post.ts'
import {
  claimDeliveries,
  type Claimed,
  deactivateSubscription,
  type Finished,
  releaseDeliveries,
  saveFinished,
} from './queries.ts'
import { judge } from './schedule.ts'

const LIMITS = {
  underWay: 500,
  /** As long as an attempt may take, and time to write down how it went. */
  claimMs: ATTEMPT.attemptMs + 5_000,
  pollMs: 1_000,
  drainMs: 5_000,
}

export interface DispatcherParts {
  db: Database
  clock: Clock
  log: Log
  courier: Courier
  /** Between 0 and 1. */
  chance: () => number
}

/** Makes all deliveries of a worker, as they fall due. */
export interface DeliveryDispatcher {
  start(): void
  /** Something may be due. */
  wake(): void
  /** Makes what is due now, and returns when it is made. */
  runDue(): Promise<void>
  /** Lets what is under way finish, for a moment; may be called twice. */
  stop(): Promise<void>
}

export function createDispatcher({ db, clock, log, courier, chance }: DispatcherParts): DeliveryDispatcher {
  const lanes = createLanes()
  const underWay = new Map<string, Claimed>()
  const calledOff = new AbortController()
  setMaxListeners(LIMITS.underWay, calledOff.signal)
  let finished: Finished[] = []
  let gone: Claimed[] = []
  const state = { stopping: false }
  let bell = createBell()
  let loop: Promise<void> | undefined

  /** Writes down what has ended and takes what is due, in one transaction; returns how many it took. */
  async function turn(): Promise<number> {
    const [ended, quit] = [finished, gone]
    finished = []
    gone = []
    try {
      const claimed = await db.tx(async (tx) => {
        await saveFinished(tx, ended)
        for (const { companyId, subscriptionId } of quit)
          await deactivateSubscription(tx, companyId, subscriptionId)
        const limit = state.stopping ? 0 : LIMITS.underWay - lanes.underWay()
        if (limit <= 0) return []
        const now = clock.now()
        const until = new Date(now.getTime() + LIMITS.claimMs)
        const rooms = lanes.rooms()
        return claimDeliveries(tx, { now, until, limit, perSubscription: LANE.perEndpointAtFirst, rooms })
      })
      for (const delivery of claimed) void deliver(delivery)
      return claimed.length
    } catch (error) {
      finished = [...ended, ...finished]
      gone = [...quit, ...gone]
      throw error
    }
  }

  async function deliver(delivery: Claimed): Promise<void> {
    underWay.set(delivery.id, delivery)
    lanes.enter(delivery.subscriptionId)
    const start = clock.now()
    const outcome = await courier(delivery, calledOff.signal)
    lanes.leave(delivery.subscriptionId, outcome.ok || outcome.why === 'refused')
    // Called off, it has not been tried; its claim is given back.
    if (calledOff.signal.aborted) return
    underWay.delete(delivery.id)
    const end = clock.now()
    const verdict = judge(outcome, delivery.tries + 1, end, chance())
    if (verdict.status === 'failed' && verdict.gone) gone.push(delivery)
    finished.push({
      companyId: delivery.companyId,
      id: delivery.id,
      status: verdict.status,
      nextAttemptAt: verdict.status === 'pending' ? verdict.nextAttemptAt.toISOString() : null,
      attempt: {
        at: start.toISOString(),
        status_code: statusOf(outcome),
        outcome: outcome.ok ? 'delivered' : outcome.why,
        duration_ms: end.getTime() - start.getTime(),
      },
    })
    bell.ring()
  }

  async function run(): Promise<void> {
    while (!state.stopping) {
      bell = createBell()
      const callOff = clock.after(LIMITS.pollMs, bell.ring)
      try {
        await turn()
      } catch (error) {
        log.warn({ err: error }, 'webhook deliveries wait until the database answers')
        // What has ended rings too soon: the database needs a moment.
        bell = createBell()
        clock.after(LIMITS.pollMs, bell.ring)
      }
      await bell.rung
      callOff()
    }
  }

  async function runDue(): Promise<void> {
    for (;;) {
      const next = createBell()
      bell = next
      const taken = await turn()
      if (taken === 0 && underWay.size === 0 && finished.length === 0) return
      if (underWay.size > 0 && finished.length === 0) await next.rung
    }
  }

  async function stop(): Promise<void> {
    state.stopping = true
    bell.ring()
    await loop
    const callOff = clock.after(LIMITS.drainMs, () => {
      calledOff.abort()
      bell.ring()
    })
    while (underWay.size > 0 && !calledOff.signal.aborted) {
      bell = createBell()
      if (finished.length > 0) bell.ring()
      await bell.rung
      await turn()
    }
    callOff()
    await turn()
    if (underWay.size > 0) await releaseDeliveries(db.sql, [...underWay.values()])
  }

  let stopped: Promise<void> | undefined
  return {
    start() {
      loop = run()
    },
    wake: () => bell.ring(),
    runDue,
    stop: () => (stopped ??= stop()),
  }
}

function statusOf(outcome: Outcome): number | null {
  return 'status' in outcome ? outcome.status : null
}

function createBell() {
  let resolve: () => void
  const rung = new Promise<void>((done) => (resolve = done))
  return { rung, ring: () => resolve() }
}
