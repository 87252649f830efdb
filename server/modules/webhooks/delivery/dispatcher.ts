import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log.ts'
import type { Courier, Endpoint } from './courier.ts'
import { createLanes, LIMITS as LANE } from './lanes.ts'
import { type Attempt, LIMITS as ATTEMPT, type Outcome } from './post.ts'
import { type Claimed, type Finished, takeTurn } from './queries.ts'
import { judge } from './schedule.ts'

const LIMITS = {
  claimed: 10_000,
  /** As long as it may wait here, as an attempt may take, and time to write down how that went. */
  claimMs: LANE.waitMs + ATTEMPT.attemptMs + 3_000,
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
  /** The subscription was paused or deleted: what has not been sent is not sent. */
  drop(subscriptionId: string): void
  /** Makes what is due now, and returns when it is made. */
  runDue(): Promise<void>
  /** Lets what is under way finish, for a moment; may be called twice. */
  stop(): Promise<void>
}

export function createDispatcher({ db, clock, log, courier, chance }: DispatcherParts): DeliveryDispatcher {
  const lanes = createLanes()
  const underWay = new Set<Attempt>()
  /** As of the last claim of each subscription. */
  const endpoints = new Map<string, Endpoint>()
  const state = { stopping: false }
  let finished: Finished[] = []
  let givenBack: Claimed[] = []
  let bell = createBell()
  let loop: Promise<void> | undefined

  const now = () => clock.now().getTime()
  const isIdle = () => lanes.size() === 0 && finished.length === 0 && givenBack.length === 0

  /** Writes down what has ended and takes what is due; returns how many it took. */
  async function turn(): Promise<number> {
    const [ended, back] = [finished, [...givenBack, ...lanes.removeStale(now())]]
    finished = []
    givenBack = []
    try {
      const { claimed, endpoints: rows } = await takeTurn(db, {
        finished: ended,
        givenBack: back,
        now: clock.now(),
        until: new Date(now() + LIMITS.claimMs),
        limit: state.stopping ? 0 : Math.max(0, LIMITS.claimed - lanes.size()),
        perSubscription: LANE.perEndpointAtFirst,
        rooms: lanes.rooms(),
      })
      for (const delivery of claimed) lanes.enter(delivery, now())
      for (const row of rows) endpoints.set(row.id, courier.endpointOf(row))
      for (const { id } of rows) send(id)
      return claimed.length
    } catch (error) {
      finished = [...ended, ...finished]
      givenBack = [...back, ...givenBack]
      throw error
    }
  }

  function send(subscriptionId: string): void {
    for (const delivery of lanes.take(subscriptionId)) void deliver(delivery)
  }

  async function deliver(delivery: Claimed): Promise<void> {
    const start = clock.now()
    const attempt = courier.deliver(delivery, endpoints.get(delivery.subscriptionId)!)
    underWay.add(attempt)
    const outcome = await attempt.outcome
    underWay.delete(attempt)
    lanes.leave(delivery.subscriptionId, outcome.ok || outcome.why === 'refused')
    if (!outcome.ok && outcome.why === 'called_off') givenBack.push(delivery)
    else finished.push(resultOf(delivery, outcome, start, clock.now(), chance()))
    if (!state.stopping) send(delivery.subscriptionId)
    bell.ring()
  }

  async function run(): Promise<void> {
    while (!state.stopping) {
      bell = createBell()
      let callOff = clock.after(LIMITS.pollMs, bell.ring)
      try {
        await turn()
      } catch (error) {
        log.warn({ err: error }, 'webhook deliveries wait until the database answers')
        // What has ended rings too soon: the database needs a moment.
        bell = createBell()
        callOff = clock.after(LIMITS.pollMs, bell.ring)
      }
      await bell.rung
      callOff()
    }
  }

  async function runDue(): Promise<void> {
    for (;;) {
      bell = createBell()
      const { rung } = bell
      const taken = await turn()
      if (taken === 0 && isIdle()) return
      if (finished.length === 0 && givenBack.length === 0) await rung
    }
  }

  async function stop(): Promise<void> {
    state.stopping = true
    bell.ring()
    await loop
    givenBack.push(...lanes.removeWaiting())
    const callOff = clock.after(LIMITS.drainMs, () => {
      for (const attempt of underWay) attempt.callOff()
    })
    while (underWay.size > 0) {
      bell = createBell()
      await bell.rung
    }
    callOff()
    if (!isIdle()) await turn()
  }

  let stopped: Promise<void> | undefined
  return {
    start() {
      loop = run()
    },
    wake: () => bell.ring(),
    drop(subscriptionId) {
      givenBack.push(...lanes.removeWaiting(subscriptionId))
      endpoints.delete(subscriptionId)
    },
    runDue,
    stop: () => (stopped ??= stop()),
  }
}

function resultOf(delivery: Claimed, outcome: Outcome, start: Date, end: Date, chance: number): Finished {
  const verdict = judge(outcome, delivery.tries + 1, end, chance)
  return {
    companyId: delivery.companyId,
    id: delivery.id,
    subscriptionId: delivery.subscriptionId,
    status: verdict.status,
    gone: verdict.status === 'failed' && verdict.gone,
    nextAttemptAt: verdict.status === 'pending' ? verdict.nextAttemptAt.toISOString() : null,
    attempt: {
      at: start.toISOString(),
      status_code: 'status' in outcome ? outcome.status : null,
      outcome: outcome.ok ? 'delivered' : outcome.why,
      duration_ms: end.getTime() - start.getTime(),
    },
  }
}

function createBell() {
  let resolve: () => void
  const rung = new Promise<void>((done) => (resolve = done))
  return { rung, ring: () => resolve() }
}
