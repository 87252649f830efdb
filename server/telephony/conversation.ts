import {
  moveCall,
  transferAnswered,
  transferBegun,
  transferCancelled,
  transferCompleted,
} from '../modules/live-calls/index.ts'
import type { Tx } from '../platform/db/database.ts'
import type { Transfer } from '../sip/index.ts'
import { CustomerSound } from './customer-sound.ts'
import type { Leg } from './leg.ts'
import { LIMITS } from './limits.ts'
import { type ControlParts, type CustomerCall, ringAs } from './parts.ts'
import { transferByPhone } from './phone-transfer.ts'
import { type Ringing, ringEmployee, type RingOutcome } from './ringing.ts'
import { Turns } from './turns.ts'

/** An employee with a phone in hand. */
export interface Party {
  employeeId: string
  leg: Leg
}

export type ConversationEnd = 'customer_hung_up' | 'employee_hung_up'

interface RunningTransfer {
  id: string
  toEmployeeId: string
  ringing: Ringing
  /** Who answered, once somebody did. */
  target?: Party
  /** Who began it does not talk to the target first: whoever answers has the call at once. */
  isBlind: boolean
  /** Tells the phone that asked for it how it goes, in statuses of SIP. */
  report(status: number): void
  stopSounds: () => void
}

/** A customer and an employee talk, and a transfer may give the customer to another employee. */
export class Conversation {
  readonly over: Promise<ConversationEnd>
  readonly #parts: ControlParts
  readonly #call: CustomerCall
  readonly #turns: Turns
  readonly #sound: CustomerSound
  readonly #end: (why: ConversationEnd) => void
  #controller: Party
  #transfer: RunningTransfer | undefined
  /** A phone asks for a transfer; whether that may be is being looked up. */
  #asking: Promise<void> | undefined
  /** Nobody took the call over from a controller who has hung up: their phones ring. */
  #recall: Ringing | undefined
  /** When the controller's phone was told that its transfer failed. */
  #failedAt: Date | undefined
  #isOver = false

  constructor(parts: ControlParts, call: CustomerCall, first: Party) {
    this.#parts = parts
    this.#call = call
    this.#controller = first
    this.#turns = new Turns(parts.store, (err, what) => this.#failed(err, what))
    this.#sound = new CustomerSound(parts, call.customer)
    let end!: (why: ConversationEnd) => void
    this.over = new Promise((resolve) => (end = resolve))
    this.#end = end
  }

  /** `answered` is written first. */
  begin(answered: (tx: Tx) => Promise<void>): Promise<void> {
    void this.#call.customer.ended.then(() => this.#turns.take(() => this.#finish('customer_hung_up')))
    this.#watch(this.#controller)
    return this.#turns.take(async () => {
      await this.#sound.join(this.#controller.leg)
      this.#turns.write(answered)
      this.#turns.write((tx) => moveCall(tx, this.#call.ref, 'bridged'))
    })
  }

  /** False when there is nothing to transfer. */
  async startTransfer(id: string, toEmployeeId: string): Promise<boolean> {
    return this.#whenWritten(await this.#begin(id, toEmployeeId))
  }

  /** Blind, if a phone asks for it. */
  #begin(id: string, toEmployeeId: string, asked?: Transfer): Promise<boolean> {
    return this.#turns.take(async () => {
      if (this.#isOver || this.#transfer || this.#recall) return false
      await this.#sound.keepWaiting()
      const stopRingback = await this.#ringBack()
      const ringing = this.#ring(toEmployeeId)
      const transfer: RunningTransfer = {
        id,
        toEmployeeId,
        ringing,
        isBlind: asked !== undefined,
        report: (status) => asked?.report(status),
        stopSounds: stopRingback,
      }
      this.#transfer = transfer
      asked?.accept()
      const ref = this.#refOf(transfer)
      this.#turns.write((tx) => transferBegun(tx, ref))
      void ringing.outcome.then((outcome) => this.#turns.take(() => this.#rang(transfer, outcome)))
      return true
    })
  }

  /** False when nobody has answered it, or it is over. */
  async completeTransfer(id: string): Promise<boolean> {
    const isDone = await this.#turns.take(async () => {
      if (this.#transfer?.id !== id || !this.#transfer.target) return false
      await this.#complete(this.#transfer)
      return true
    })
    return this.#whenWritten(isDone)
  }

  async cancelTransfer(id: string): Promise<boolean> {
    const isDone = await this.#turns.take(async () => {
      if (this.#transfer?.id !== id) return false
      await this.#cancel(this.#transfer, 487)
      return true
    })
    return this.#whenWritten(isDone)
  }

  /** Who is rung for a transfer wants no calls; one who has answered is left to talk. */
  async stopRinging(id: string): Promise<boolean> {
    const isDone = await this.#turns.take(async () => {
      if (this.#transfer?.id !== id || this.#transfer.target) return false
      await this.#cancel(this.#transfer, 480)
      return true
    })
    return this.#whenWritten(isDone)
  }

  isWith(employeeId: string): boolean {
    return this.#partyOf(employeeId) !== undefined
  }

  /** The phone of an employee who talks is back: its new leg takes the place of the old. False when it is too late. */
  rejoin(employeeId: string, leg: Leg): Promise<boolean> {
    return this.#turns.take(async () => {
      const before = this.#partyOf(employeeId)
      if (this.#isOver || !before) return false
      const party = { employeeId, leg }
      if (before === this.#controller) this.#controller = party
      else this.#transfer!.target = party
      before.leg.hangUp()
      this.#watch(party)
      await this.#hearAgain()
      return true
    })
  }

  /** Of the employees, unless they have hung up. */
  #partyOf(employeeId: string): Party | undefined {
    const parties = [this.#controller, this.#transfer?.target]
    return parties.find((party) => party?.employeeId === employeeId && !party.leg.isOver)
  }

  /** As things stand, with a leg that is new to them. */
  async #hearAgain(): Promise<void> {
    const transfer = this.#transfer
    if (!transfer) return this.#sound.join(this.#controller.leg)
    if (transfer.target)
      return this.#parts.exchange.media.bridge(this.#controller.leg.sound, transfer.target.leg.sound)
    const stopRingback = await this.#ringBack()
    const { stopSounds } = transfer
    transfer.stopSounds = () => {
      stopSounds()
      stopRingback()
    }
  }

  /** The controller hears that it rings. */
  async #ringBack(): Promise<() => void> {
    const { leg } = this.#controller
    return leg.isOver ? () => {} : this.#parts.sounds.loop(leg.sound, { tone: 'ringback' })
  }

  #ring(employeeId: string): Ringing {
    const { companyId } = this.#call.ref
    const limit = { ringMs: LIMITS.transferRingMs }
    return ringEmployee(this.#parts.exchange, { companyId, employeeId }, ringAs(this.#call), limit)
  }

  async #rang(transfer: RunningTransfer, outcome: RingOutcome): Promise<void> {
    transfer.stopSounds()
    if (this.#transfer !== transfer) return outcome.is === 'answered' ? outcome.leg.hangUp() : undefined
    if (outcome.is !== 'answered') return this.#cancel(transfer, outcome.is === 'declined' ? 603 : 480)
    transfer.target = { employeeId: transfer.toEmployeeId, leg: outcome.leg }
    this.#watch(transfer.target)
    const ref = this.#refOf(transfer)
    this.#turns.write((tx) => transferAnswered(tx, ref))
    if (transfer.isBlind || this.#controller.leg.isOver) return this.#complete(transfer)
    await this.#parts.exchange.media.bridge(this.#controller.leg.sound, outcome.leg.sound)
  }

  async #complete(transfer: RunningTransfer): Promise<void> {
    const ref = this.#refOf(transfer)
    const before = this.#controller
    this.#transfer = undefined
    this.#controller = transfer.target!
    transfer.report(200)
    before.leg.hangUp()
    await this.#sound.join(this.#controller.leg)
    const at = this.#parts.exchange.clock.now()
    this.#turns.write((tx) => transferCompleted(tx, ref, at))
  }

  async #cancel(transfer: RunningTransfer, status: number): Promise<void> {
    this.#transfer = undefined
    transfer.stopSounds()
    transfer.ringing.callOff()
    transfer.target?.leg.hangUp()
    transfer.report(status)
    const ref = this.#refOf(transfer)
    this.#turns.write((tx) => transferCancelled(tx, ref))
    if (this.#controller.leg.isOver) return this.#callBack()
    if (transfer.isBlind) this.#failedAt = this.#parts.exchange.clock.now()
    await this.#sound.join(this.#controller.leg)
  }

  /** Who had the call has hung up, and nobody took it over: the customer waits on, and is offered to them again. */
  async #callBack(): Promise<void> {
    const { employeeId } = this.#controller
    await this.#sound.keepWaiting()
    this.#turns.write((tx) => moveCall(tx, this.#call.ref, 'answered'))
    this.#recall = this.#ring(employeeId)
    void this.#recall.outcome.then((outcome) => this.#turns.take(() => this.#calledBack(employeeId, outcome)))
  }

  async #calledBack(employeeId: string, outcome: RingOutcome): Promise<void> {
    this.#recall = undefined
    if (outcome.is !== 'answered') return this.#finish('employee_hung_up')
    if (this.#isOver) return outcome.leg.hangUp()
    this.#controller = { employeeId, leg: outcome.leg }
    this.#watch(this.#controller)
    await this.#sound.join(this.#controller.leg)
    this.#turns.write((tx) => moveCall(tx, this.#call.ref, 'bridged'))
  }

  #watch(party: Party): void {
    const { customer } = this.#call
    const talks = () => party === this.#controller && !this.#transfer
    party.leg.listener = {
      onHold: () => void this.#turns.take(() => (talks() ? this.#sound.join(party.leg) : undefined)),
      onKey: (key) => {
        if (talks()) void this.#parts.exchange.media.sendDigits(customer.sound, [key]).catch(() => {})
      },
      onTransfer: (asked) => this.#askedBy(party, asked),
    }
    void party.leg.ended.then(() => this.#turns.take(() => this.#left(party)))
  }

  #askedBy({ employeeId }: Party, asked: Transfer): void {
    if (this.#asking) return asked.refuse(491)
    const start = (id: string, toEmployeeId: string) => this.#begin(id, toEmployeeId, asked)
    this.#asking = transferByPhone(this.#parts, this.#turns, this.#call, { employeeId, asked, start })
    void this.#asking.then(() => (this.#asking = undefined))
  }

  #left(party: Party): void | Promise<void> {
    // Who hangs up as soon as they have asked for a transfer means the customer to be taken over.
    if (this.#asking) return void this.#asking.then(() => this.#turns.take(() => this.#left(party)))
    const transfer = this.#transfer
    if (party === transfer?.target) return this.#cancel(transfer, 480)
    if (party !== this.#controller) return
    if (transfer?.target) return this.#complete(transfer)
    // The target's phones ring on: who transfers a call may hang up at once.
    if (transfer) transfer.isBlind = true
    else if (this.#hasJustFailed()) return this.#callBack()
    else if (!this.#recall) this.#finish('employee_hung_up')
  }

  /** Some phones hang up when they hear that their transfer failed, whatever becomes of the customer. */
  #hasJustFailed(): boolean {
    const failedAt = this.#failedAt
    this.#failedAt = undefined
    const nowMs = this.#parts.exchange.clock.now().getTime()
    return failedAt !== undefined && nowMs - failedAt.getTime() < LIMITS.transferFailedMs
  }

  #finish(why: ConversationEnd): void {
    if (this.#isOver) return
    this.#isOver = true
    const transfer = this.#transfer
    this.#transfer = undefined
    transfer?.stopSounds()
    transfer?.ringing.callOff()
    transfer?.report(487)
    transfer?.target?.leg.hangUp()
    this.#recall?.callOff()
    this.#controller.leg.hangUp()
    this.#call.customer.hangUp()
    void this.#turns.written.then(() => this.#end(why))
  }

  #refOf({ id, toEmployeeId }: RunningTransfer) {
    return {
      ...this.#call.ref,
      transferId: id,
      fromEmployeeId: this.#controller.employeeId,
      toEmployeeId,
    }
  }

  /** Who asked for something reads of it next. */
  async #whenWritten(isDone: boolean): Promise<boolean> {
    await this.#turns.written
    return isDone
  }

  /** What fails is logged and ends the conversation: a customer must not hang in the air. */
  #failed(err: unknown, what: 'turn' | 'writing'): void {
    if (what === 'turn' && this.#isOver) return
    const said = what === 'turn' ? 'a conversation is ended: it failed' : 'a conversation is not written down'
    this.#parts.exchange.log.error({ err, call: this.#call.ref.callId }, said)
    this.#finish('employee_hung_up')
  }
}
