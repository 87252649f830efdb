import { WEBHOOK_LIMITS } from '../limits.ts'
import { createDeferred } from './deferred.ts'
import { createDeliveryPoller, type DeliveryPollerParts } from './delivery-poller.ts'
import type { EndedAttempt, WebhookSender } from './sending/sender.ts'

export interface DispatcherParts extends Omit<DeliveryPollerParts, 'sender'> {
  startSender(onEnded: (ended: EndedAttempt) => void): WebhookSender
}

/** Makes the deliveries of a worker when they are due. */
export function createDispatcher({ startSender, ...parts }: DispatcherParts) {
  const { clock, log } = parts
  const sender = startSender(onEnded)
  const rounds = createDeliveryPoller({ ...parts, sender })
  const state = { stopping: false, writingSoon: false }
  let work = createDeferred()
  let ended = createDeferred()
  let loop: Promise<void> | undefined

  function onEnded(one: EndedAttempt): void {
    const { isLow } = rounds.end(one)
    ended.resolve()
    if (state.stopping) return
    if (isLow || rounds.unwritten() >= WEBHOOK_LIMITS.batch) work.resolve()
    else writeSoon()
  }

  function writeSoon(): void {
    if (state.writingSoon) return
    state.writingSoon = true
    clock.after(WEBHOOK_LIMITS.batchMs, () => {
      state.writingSoon = false
      work.resolve()
    })
  }

  function check(): void {
    rounds.requestPoll()
    work.resolve()
  }

  async function run(): Promise<void> {
    while (!state.stopping) {
      work = createDeferred()
      let pauseMs = WEBHOOK_LIMITS.pollMs
      try {
        await rounds.poll()
        if (rounds.isLooking()) work.resolve()
        pauseMs = rounds.nextPollMs()
      } catch (error) {
        log.warn({ err: error }, 'webhook deliveries wait until the database responds')
        // Outcomes would wake it too soon: the database needs a moment.
        work = createDeferred()
      }
      const callOff = clock.after(pauseMs, check)
      await work.promise
      callOff()
    }
  }

  async function runDue(): Promise<void> {
    do {
      ended = createDeferred()
      rounds.requestPoll()
      await rounds.poll(false)
      if (rounds.sending() > 0 && rounds.unwritten() === 0) await ended.promise
    } while (rounds.sending() > 0 || rounds.unwritten() > 0 || rounds.isLooking())
    await rounds.release()
  }

  async function stop(): Promise<void> {
    state.stopping = true
    work.resolve()
    await loop
    rounds.callOffWaiting()
    const callOff = clock.after(WEBHOOK_LIMITS.stopMs, () => sender.callOffAll())
    while (rounds.sending() > 0) {
      ended = createDeferred()
      await ended.promise
    }
    callOff()
    await rounds.release()
    await sender.stop()
  }

  let stopped: Promise<void> | undefined
  return {
    start(): void {
      loop = run()
    },
    /** Something may be due. */
    wake: check,
    /** The subscription was changed or deleted: unsent deliveries must not be sent with the old settings. */
    drop(subscriptionId: string): void {
      rounds.drop(subscriptionId)
      check()
    },
    /** Any subscription may have changed. */
    dropAll(): void {
      rounds.dropAll()
      check()
    },
    /** Makes the deliveries that are due now, and returns when they are done. */
    runDue,
    /** Waits a moment for deliveries in progress; may be called twice. */
    stop: (): Promise<void> => (stopped ??= stop()),
  }
}
