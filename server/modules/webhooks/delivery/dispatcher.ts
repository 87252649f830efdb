import type { Log } from '../../../platform/log.ts'
import { LIMITS } from '../limits.ts'
import { createBell } from './bell.ts'
import { createRounds, type RoundsParts } from './rounds.ts'
import type { Ended, Sender } from './sending/sender.ts'

export interface DispatcherParts extends Omit<RoundsParts, 'sender'> {
  log: Log
  startSender(onEnded: (ended: Ended) => void): Sender
}

/** Makes the deliveries of a worker when they are due. */
export interface DeliveryDispatcher {
  start(): void
  /** Something may be due. */
  wake(): void
  /** The subscription was changed or deleted: unsent deliveries must not be sent with the old settings. */
  drop(subscriptionId: string): void
  /** Any subscription may have changed. */
  dropAll(): void
  /** Makes the deliveries that are due now, and returns when they are done. */
  runDue(): Promise<void>
  /** Waits a moment for deliveries in progress; may be called twice. */
  stop(): Promise<void>
}

export function createDispatcher({ log, startSender, ...parts }: DispatcherParts): DeliveryDispatcher {
  const { clock } = parts
  const sender = startSender(onEnded)
  const rounds = createRounds({ ...parts, sender })
  const state = { stopping: false, writingSoon: false }
  let work = createBell()
  let ended = createBell()
  let loop: Promise<void> | undefined

  function onEnded(one: Ended): void {
    const { isLow } = rounds.end(one)
    ended.ring()
    if (state.stopping) return
    if (isLow || rounds.unwritten() >= LIMITS.batch) work.ring()
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
    rounds.look()
    work.ring()
  }

  async function run(): Promise<void> {
    while (!state.stopping) {
      work = createBell()
      let callOff = clock.after(LIMITS.pollMs, look)
      try {
        await rounds.turn()
        if (rounds.isLooking()) work.ring()
      } catch (error) {
        log.warn({ err: error }, 'webhook deliveries wait until the database responds')
        // Outcomes would wake it too soon: the database needs a moment.
        work = createBell()
        callOff()
        callOff = clock.after(LIMITS.pollMs, look)
      }
      await work.rung
      callOff()
    }
  }

  async function runDue(): Promise<void> {
    do {
      ended = createBell()
      rounds.look()
      await rounds.turn()
      if (rounds.sending() > 0 && rounds.unwritten() === 0) await ended.rung
    } while (rounds.sending() > 0 || rounds.unwritten() > 0 || rounds.isLooking())
    await rounds.letGo()
  }

  async function stop(): Promise<void> {
    state.stopping = true
    work.ring()
    await loop
    rounds.callOffWaiting()
    const callOff = clock.after(LIMITS.stopMs, () => sender.callOffAll())
    while (rounds.sending() > 0) {
      ended = createBell()
      await ended.rung
    }
    callOff()
    await rounds.letGo()
    await sender.stop()
  }

  let stopped: Promise<void> | undefined
  return {
    start() {
      loop = run()
    },
    wake: look,
    drop(subscriptionId) {
      rounds.drop(subscriptionId)
      look()
    },
    dropAll() {
      rounds.dropAll()
      look()
    },
    runDue,
    stop: () => (stopped ??= stop()),
  }
}
