import { answerInternalCall, type CallRef, internalCallPickedUp } from '../../modules/calls/index.ts'
import { inBackground } from '../../platform/background.ts'
import { encodeId } from '../../platform/ids.ts'
import type { ReferRequest } from '../../sip/index.ts'
import type { ControlParts } from '../call/customer-call.ts'
import type { Leg } from '../call/leg.ts'
import type { EmployeeLeg } from '../conversation/employee-leg.ts'
import { SerialQueue } from '../conversation/serial-queue.ts'
import { TELEPHONY_LIMITS } from '../limits.ts'
import type { EmployeeCall } from '../port.ts'
import {
  type ReleasedCoworker,
  type RingDisplay,
  type RingOutcome,
  type Ringing,
  ringEmployee,
} from '../ring/ringing.ts'
import { holdMusic } from '../sound/hold-music.ts'

export type InternalEnd =
  | 'declined'
  | 'unreachable'
  | 'not_answered'
  | 'caller_hung_up'
  | 'hung_up'
  /** One of them was put through to a customer by the other. */
  | 'transferred'

/** Two employees: one calls the other, and they talk until one hangs up. */
export class InternalConversation {
  readonly #parts: ControlParts
  readonly #ref: CallRef
  readonly #turns: SerialQueue
  readonly #over: Promise<void>
  readonly #music = new Map<Leg, () => void>()
  readonly #caller: EmployeeLeg
  #callee: EmployeeLeg | undefined
  #rung: { employeeId: string; ringing: Ringing } | undefined
  /** Whoever picked the call up, instead of the coworker. */
  #pickedUp: { by: EmployeeLeg; rung: string } | undefined
  #isOver = false
  #isTransferred = false
  /** A phone requested a transfer; what it does next waits for it. */
  #asking: Promise<unknown> | undefined
  #asked: { party: EmployeeLeg; request: ReferRequest } | undefined
  #end!: () => void
  #answer!: () => void

  constructor(parts: ControlParts, ref: CallRef, caller: EmployeeLeg) {
    this.#parts = parts
    this.#ref = ref
    this.#caller = caller
    this.#over = new Promise((resolve) => (this.#end = resolve))
    const { log } = parts.edge
    this.#turns = new SerialQueue(parts.store, {
      turnFailed: (err) => {
        log.error({ err, call: ref.callId }, 'a call between coworkers failed and was ended')
        this.#hangUp()
      },
      writingFailed: (err) =>
        log.error({ err, call: ref.callId }, 'a change in a call between coworkers could not be stored'),
    })
    this.#watch(caller)
  }

  /** Rings all phones of the coworker. */
  async ring(employeeId: string, display: RingDisplay): Promise<InternalEnd | 'answered'> {
    const { edge } = this.#parts
    const { companyId } = this.#ref
    const options = { ringMs: TELEPHONY_LIMITS.internalRingMs, near: this.#caller.leg.sound }
    const ringing = ringEmployee(edge, { companyId, employeeId }, async () => display, options)
    this.#rung = { employeeId, ringing }
    if (this.#isOver) ringing.cancel()
    const pickedUp = new Promise<void>((resolve) => (this.#answer = resolve))
    const outcome = await Promise.race([ringing.outcome, this.#over, pickedUp])
    if (this.#isTransferred) return 'transferred'
    this.#rung = undefined
    if (this.#pickedUp) return this.#answerWith(this.#pickedUp.by, outcome || undefined)
    if (outcome?.is === 'answered') {
      this.#callee = { employeeId, leg: outcome.leg }
      this.#watch(this.#callee)
      // The caller hung up at the same moment.
      if (this.#isOver) this.#hangUp()
    }
    if (this.#isOver || !outcome) return 'caller_hung_up'
    return outcome.is === 'called_off' ? 'not_answered' : outcome.is
  }

  /** The coworker may have answered at the same moment. */
  #answerWith(by: EmployeeLeg, outcome: RingOutcome | undefined): InternalEnd | 'answered' {
    if (outcome?.is === 'answered') outcome.leg.hangUp()
    this.#callee = by
    this.#watch(by)
    if (this.#isOver) this.#hangUp()
    return this.#isOver ? 'caller_hung_up' : 'answered'
  }

  /** A phone picks up the call that rings at the coworker. `accept` answers it. False if it does not ring any more. */
  pickUp(by: EmployeeLeg, accept: () => void): boolean {
    if (!this.#rung || this.#pickedUp || this.#isOver || by.leg.isOver) return false
    if (by.employeeId === this.#caller.employeeId) return false
    this.#pickedUp = { by, rung: this.#rung.employeeId }
    accept()
    this.#answer()
    this.#rung.ringing.cancel('elsewhere')
    return true
  }

  /** Resolves when one of them has hung up. */
  async talk(): Promise<InternalEnd> {
    const at = this.#parts.edge.clock.now()
    const { employeeId: by } = this.#callee!
    const rung = this.#pickedUp?.rung
    this.#turns.write((tx) =>
      rung === undefined
        ? answerInternalCall(tx, this.#ref, by, at)
        : internalCallPickedUp(tx, this.#ref, { rung, by, at }),
    )
    this.#turns.start(() => this.#connect())
    await this.#over
    await this.#turns.written
    return this.#isTransferred ? 'transferred' : 'hung_up'
  }

  employees(): string[] {
    const rung = this.#rung?.employeeId
    return [...this.#parties().map(({ employeeId }) => employeeId), ...(rung === undefined ? [] : [rung])]
  }

  stopRinging(): void {
    this.#rung?.ringing.cancel()
  }

  /** The employee was deleted. */
  dismiss(employeeId: string): void {
    if (this.#rung?.employeeId === employeeId) this.stopRinging()
    this.#partyOf(employeeId)?.leg.hangUp()
  }

  isWith(employeeId: string): boolean {
    return this.#callee !== undefined && this.#partyOf(employeeId) !== undefined
  }

  /** As this employee has it on their phone. */
  callOf(): EmployeeCall {
    return {
      id: encodeId('ica', this.#ref.callId),
      // There is no customer to transfer.
      transfer: async (asked) => asked.refuse(603),
    }
  }

  hasDialog(employeeId: string, dialog: string): boolean {
    return this.#partyOf(employeeId)?.leg.call.hasDialog(dialog) ?? false
  }

  /** A phone requested a transfer and may hang up before it knows whether that begins. */
  keepDuring(asking: Promise<unknown>): void {
    // Whoever asked learns of a failure.
    this.#asking = asking.catch(() => {})
  }

  /** The coworker of this employee goes to a customer, and the call of the two is over. */
  release(employeeId: string): ReleasedCoworker | undefined {
    const own = this.#partyOf(employeeId)
    if (this.#isOver || !own) return undefined
    const released = this.#rung ?? this.#releaseParty(own)
    if (!released || released.employeeId === employeeId) return undefined
    this.#rung = undefined
    this.#isOver = true
    this.#isTransferred = true
    if (this.#asked?.party === own) {
      this.#asked.request.accept()
      this.#asked.request.report(200)
    }
    // An unanswered INVITE of theirs gets its own response.
    if (this.#callee) own.leg.hangUp()
    this.#end()
    return released
  }

  #releaseParty(own: EmployeeLeg): ReleasedCoworker | undefined {
    const other = this.#parties().find((party) => party !== own)
    if (!other || other.leg.isOver) return undefined
    const { employeeId, leg } = other
    const separated = this.#turns.take(async (): Promise<RingOutcome> => {
      this.#stopMusic(leg)
      await this.#parts.edge.media.separate(leg.sound)
      return { is: 'answered', leg }
    })
    // The failure was already logged.
    const outcome = separated.catch((): RingOutcome => ({ is: 'unreachable', isAway: false }))
    return { employeeId, ringing: { outcome, cancel: () => leg.hangUp() } }
  }

  /** The phone of one of them returns, as after a page reload. False if the call is over. */
  rejoin(employeeId: string, leg: Leg): Promise<boolean> {
    return this.#turns.take(async () => {
      const party = this.#partyOf(employeeId)
      if (this.#isOver || !party) return false
      const before = party.leg
      this.#stopMusic(before)
      party.leg = leg
      this.#watch(party)
      before.hangUp()
      await this.#connect()
      return true
    })
  }

  #parties(): EmployeeLeg[] {
    return this.#callee ? [this.#caller, this.#callee] : [this.#caller]
  }

  #partyOf(employeeId: string): EmployeeLeg | undefined {
    return this.#parties().find((party) => party.employeeId === employeeId)
  }

  #watch(party: EmployeeLeg): void {
    const { leg } = party
    const { media, log } = this.#parts.edge
    leg.listener = {
      onHold: () => this.#turns.start(() => this.#connect()),
      onKey: (key) => {
        const other = this.#parties().find((one) => one !== party)
        // Fails if the other has just hung up, which does not matter.
        if (other) media.sendDigits(other.leg.sound, [key]).catch(() => {})
      },
      onTransfer: (asked) => this.#askForTransfer(party, asked),
    }
    const ended = async () => {
      await this.#asking
      // A leg that was replaced after a reload ends without the call.
      if (party.leg === leg) this.#hangUp()
    }
    inBackground(log, 'end a call between coworkers', leg.ended.then(ended))
  }

  #askForTransfer(party: EmployeeLeg, request: ReferRequest): void {
    if (request.replaces === undefined || !this.#callee) return request.refuse(603)
    this.#asked = { party, request }
    this.#parts.joinCalls(party.employeeId, this.callOf(), request)
  }

  /** They hear each other, unless one holds: then the other hears music. */
  async #connect(): Promise<void> {
    const { media } = this.#parts.edge
    const [caller, callee] = [this.#caller.leg, this.#callee?.leg]
    if (!callee || this.#isOver) return
    const isHeld = caller.isHeld || callee.isHeld
    if (isHeld) await media.separate(caller.sound)
    for (const [leg, other] of [
      [caller, callee],
      [callee, caller],
    ] as const) {
      if (other.isHeld && !leg.isHeld) await this.#playMusic(leg)
      else this.#stopMusic(leg)
    }
    if (!isHeld) await media.bridge(caller.sound, callee.sound)
  }

  async #playMusic(leg: Leg): Promise<void> {
    if (this.#music.has(leg) || leg.isOver) return
    this.#music.set(leg, await this.#parts.sounds.loop(leg.sound, holdMusic()))
  }

  #stopMusic(leg: Leg): void {
    this.#music.get(leg)?.()
    this.#music.delete(leg)
  }

  #hangUp(): void {
    if (this.#isTransferred) return
    this.#isOver = true
    this.#rung?.ringing.cancel()
    for (const { leg } of this.#parties()) leg.hangUp()
    this.#end()
  }
}
