import {
  claimQueuedCall,
  type QueuedCallClaim,
  queueCall,
  releaseQueuedCall,
  unqueueCall,
} from '../../modules/calls/index.ts'
import {
  availabilityChanged,
  declineOffer,
  forgetDecline,
  isQueued,
  offeredEmployees,
  withQueue,
} from '../../modules/queue/index.ts'
import { inBackground } from '../../platform/background.ts'
import type { Tx } from '../../platform/db/database.ts'
import { encodeId } from '../../platform/ids.ts'
import type { Span } from '../../platform/tracing/span.ts'
import { type ControlParts, type CustomerCall } from '../call/customer-call.ts'
import type { EmployeeLeg } from '../conversation/employee-leg.ts'
import { TELEPHONY_LIMITS } from '../limits.ts'
import { secondsSince } from '../monitoring/metrics.ts'
import { holdMusic } from '../sound/hold-music.ts'
import { type Ringing, ringEmployee, type RingOutcome } from './ringing.ts'

export type WaitOutcome = { is: 'answered'; by: EmployeeLeg } | { is: 'no_answer' } | { is: 'gone' }

export interface QueueWaitOptions {
  employeeIds: string[]
  joinedAt: Date
  /** Published once for each call. */
  isFirst: boolean
  /** Null: no timeout. */
  timeoutMs: number | null
  /** Nobody is there, but somebody may come: without them, the wait is over earlier. */
  arrival?: { withinMs: number; hasArrived(): Promise<boolean> }
}

/** A caller waits in the queue. The database decides who is offered the call; this rings their phones. */
export class QueueWait {
  readonly #parts: ControlParts
  readonly #call: CustomerCall
  readonly #rings = new Map<string, Ringing>()
  readonly #outcome: Promise<WaitOutcome>
  readonly #settle: (outcome: WaitOutcome) => void
  readonly #timers = new Set<() => void>()
  /** Employees who declined, which the database may not know yet. */
  readonly #leftAlone = new Set<string>()
  /** Employees whose phone has dialled to pick the call up: it cannot ring. */
  readonly #pickingUp = new Set<string>()
  #span: Span | undefined
  #isOver = false
  #hasJoined = false
  /** How often the offers were to be read. */
  #checks = 0
  #looking: Promise<void> = Promise.resolve()

  constructor(parts: ControlParts, call: CustomerCall) {
    this.#parts = parts
    this.#call = call
    let settle!: (outcome: WaitOutcome) => void
    this.#outcome = new Promise((resolve) => (settle = resolve))
    this.#settle = settle
  }

  /** Nobody has answered, and the caller still waits. */
  get isOpen(): boolean {
    return !this.#isOver
  }

  async run({ timeoutMs, arrival, ...place }: QueueWaitOptions): Promise<WaitOutcome> {
    const { edge, sounds } = this.#parts
    const { ref, number, customer } = this.#call
    const sound = number.wait_audio === 'music' ? holdMusic() : ({ tone: 'ringback' } as const)
    const stopSound = await sounds.loop(customer.sound, sound)
    inBackground(
      edge.log,
      'handle the hang-up of a caller',
      customer.ended.then(() => this.#finish({ is: 'gone' })),
    )
    if (timeoutMs !== null) this.#after(timeoutMs, () => this.#finish({ is: 'no_answer' }))
    if (arrival) this.#after(arrival.withinMs, () => this.#endUnless(arrival.hasArrived))
    // A notification may make phones ring, and somebody may answer, before our own insert has returned.
    inBackground(edge.log, 'queue a call', () =>
      this.#join({ ...place, numberId: number.id, edgeId: edge.edgeId }),
    )
    const { metrics } = edge
    const beganAt = edge.realTime.now()
    this.#span = this.#call.span?.child('queue')
    metrics.queueLength.inc()
    const outcome = await this.#outcome
    metrics.queueLength.dec()
    metrics.queueWaitSeconds.observe({ outcome: outcome.is }, secondsSince(edge, beganAt))
    this.#span?.set({ 'bellhop.outcome': outcome.is })
    this.#span?.end()
    stopSound()
    // The next step begins at once; its writes come after this one.
    if (outcome.is === 'no_answer') this.#write('take a call out of the queue', (tx) => unqueueCall(tx, ref))
    return outcome
  }

  async #join(place: Parameters<typeof queueCall>[2]): Promise<void> {
    const { store, edge } = this.#parts
    // The entry may be stored although PostgreSQL does not answer, and no notification says who is offered the call.
    const stopTimer = edge.realTime.after(TELEPHONY_LIMITS.joinAnswerMs, () => this.check())
    const checksBefore = this.#checks
    try {
      const offered = await store((tx) => queueCall(tx, this.#call.ref, place), 'step').finally(stopTimer)
      this.#hasJoined = true
      // If the offers have changed meanwhile, or were made by an attempt whose answer was lost, the database knows.
      if (offered.length === 0 || this.#checks > checksBefore) this.check()
      else if (!this.#isOver) this.#ringAll(new Set(offered))
    } catch (error) {
      // Without a queue entry, nobody would ever be offered this caller.
      this.#finish({ is: 'no_answer' })
      throw error
    }
  }

  #endUnless(hasArrived: () => Promise<boolean>): void {
    inBackground(this.#parts.edge.log, 'end the wait for somebody who did not come', async () => {
      if (!(await hasArrived())) this.#finish({ is: 'no_answer' })
    })
  }

  #write(what: string, run: (tx: Tx) => Promise<void>): void {
    inBackground(this.#parts.edge.log, what, this.#parts.store(run))
  }

  /** Reads the offers again. */
  check(): void {
    this.#checks++
    this.#looking = this.#looking
      .then(() => this.#ringAsOffered())
      .catch((err: unknown) => {
        // Once the database is back, the edge looks again.
        this.#parts.edge.log.warn(
          { err, call: this.#call.ref.callId },
          'the offers of a call could not be read',
        )
      })
  }

  /** For an employee who was deleted: not even a phone that is just answering gets the caller. */
  stopRinging(employeeId: string): void {
    this.#rings.get(employeeId)?.cancel()
  }

  /** An employee asked for the call, and the database offers it to them. False if it is over. */
  pickUp(employeeId: string): boolean {
    // They may have declined it before.
    this.#leftAlone.delete(employeeId)
    this.check()
    return !this.#isOver
  }

  /** An employee's phone dialled to pick the call up. `accept` answers it, if nobody else has answered meanwhile. */
  async pickUpWith(by: EmployeeLeg, accept: () => void): Promise<QueuedCallClaim> {
    const { ref } = this.#call
    this.#pickingUp.add(by.employeeId)
    try {
      const claim = await this.#parts.writes.tx((tx) => claimQueuedCall(tx, ref, by.employeeId))
      if (claim !== 'claimed') return claim
      if (this.#isOver || by.leg.isOver) {
        this.#write('release a call', (tx) => releaseQueuedCall(tx, ref, by.employeeId))
        return 'gone'
      }
      accept()
      this.#finish({ is: 'answered', by })
      return claim
    } finally {
      this.#pickingUp.delete(by.employeeId)
    }
  }

  async #ringAsOffered(): Promise<void> {
    if (this.#isOver) return
    const { edge } = this.#parts
    const { companyId, callId } = this.#call.ref
    const hadJoined = this.#hasJoined
    const wanted = new Set(await offeredEmployees(edge.db.sql, companyId, callId))
    // This edge was wrongly reaped: the call has ended in the database, and its queue entry is gone.
    const isForgotten = hadJoined && wanted.size === 0 && !(await isQueued(edge.db.sql, companyId, callId))
    if (this.#isOver) return
    if (isForgotten) return this.#finish({ is: 'gone' })
    for (const [employeeId, ringing] of this.#rings) {
      if (wanted.has(employeeId)) continue
      this.#rings.delete(employeeId)
      ringing.cancel()
    }
    this.#ringAll(wanted)
  }

  #ringAll(wanted: Set<string>): void {
    const { edge } = this.#parts
    const { companyId } = this.#call.ref
    for (const employeeId of wanted) {
      const isLeftAlone = this.#leftAlone.has(employeeId) || this.#pickingUp.has(employeeId)
      if (isLeftAlone || this.#rings.has(employeeId)) continue
      const span = this.#span?.child('ring employee', {
        attributes: { 'bellhop.employee.id': encodeId('emp', employeeId) },
      })
      const ringing = ringEmployee(edge, { companyId, employeeId }, this.#call.ringDisplay, {
        near: this.#call.customer.sound,
        span,
      })
      this.#rings.set(employeeId, ringing)
      inBackground(
        edge.log,
        'handle the outcome of ringing an employee',
        ringing.outcome.then((outcome) => {
          span?.set({ 'bellhop.outcome': outcome.is })
          span?.end()
          this.#rang(employeeId, ringing, outcome)
        }),
      )
      this.#after(TELEPHONY_LIMITS.ringAnewMs, () => this.#ringAnew(employeeId, ringing))
    }
  }

  /** A phone that vanished while it rang may have registered again. */
  #ringAnew(employeeId: string, ringing: Ringing): void {
    if (this.#rings.get(employeeId) !== ringing) return
    this.#rings.delete(employeeId)
    ringing.cancel()
    this.check()
  }

  #rang(employeeId: string, ringing: Ringing, outcome: RingOutcome): void {
    if (outcome.is === 'answered') {
      if (this.#isOver) return outcome.leg.hangUp()
      this.#call.progress.wasRungAlone = this.#rings.size === 1 && this.#leftAlone.size === 0
      return this.#finish({ is: 'answered', by: { employeeId, leg: outcome.leg } })
    }
    if (this.#isOver || outcome.is === 'called_off' || this.#rings.get(employeeId) !== ringing) return
    this.#rings.delete(employeeId)
    const isAway = outcome.is === 'unreachable' && outcome.isAway
    this.#leaveAlone(employeeId, isAway ? TELEPHONY_LIMITS.phoneBackMs : TELEPHONY_LIMITS.declinedMs)
  }

  /** Starts at once, because the database may learn of it later. */
  #leaveAlone(employeeId: string, pauseMs: number): void {
    const { companyId, callId } = this.#call.ref
    this.#leftAlone.add(employeeId)
    this.#write('pause offers to an employee who declined', (tx) =>
      withQueue(tx, companyId, async (queue) => {
        await declineOffer(queue, companyId, callId, employeeId)
        await availabilityChanged(queue, companyId, [employeeId])
      }),
    )
    this.#after(pauseMs, () => {
      this.#write('resume offers to an employee who declined', (tx) =>
        withQueue(tx, companyId, async (queue) => {
          await forgetDecline(queue, companyId, callId, employeeId)
          await availabilityChanged(queue, companyId, [])
        }),
      )
      this.#leftAlone.delete(employeeId)
      // If the database never learned of it, the offer still stands.
      this.check()
    })
  }

  #after(ms: number, run: () => void): void {
    const stop = this.#parts.edge.clock.after(ms, () => {
      this.#timers.delete(stop)
      if (!this.#isOver) run()
    })
    this.#timers.add(stop)
  }

  #finish(outcome: WaitOutcome): void {
    if (this.#isOver) return
    this.#isOver = true
    for (const stop of this.#timers) stop()
    // This does nothing to the phone that has answered.
    const why = outcome.is === 'answered' ? 'elsewhere' : undefined
    for (const ringing of this.#rings.values()) ringing.cancel(why)
    this.#settle(outcome)
  }
}
