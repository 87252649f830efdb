import {
  moveCall,
  transferAnswered,
  transferBegun,
  transferCancelled,
  transferCompleted,
} from '../modules/live-calls/index.ts'
import type { Tx } from '../platform/db/database.ts'
import { holdMusic } from './hold-music.ts'
import type { Leg } from './leg.ts'
import { LIMITS } from './limits.ts'
import { type ControlParts, type CustomerCall, ringAs } from './parts.ts'
import { type Ringing, ringEmployee, type RingOutcome } from './ringing.ts'

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
  /** Who began it has hung up while it rang: whoever answers has the call at once. */
  isAbandoned: boolean
  stopSounds: () => void
}

/** A customer and an employee talk, and a transfer may give the customer to another employee. */
export class Conversation {
  readonly over: Promise<ConversationEnd>
  readonly #parts: ControlParts
  readonly #call: CustomerCall
  readonly #end: (why: ConversationEnd) => void
  #controller: Party
  #transfer: RunningTransfer | undefined
  #isOver = false
  #stopMusic: (() => void) | undefined
  /** One thing happens after the other. */
  #turn: Promise<unknown> = Promise.resolve()
  /** What happened is written in its order, and nobody waits for it: the database may be away. */
  #written: Promise<unknown> = Promise.resolve()

  constructor(parts: ControlParts, call: CustomerCall, first: Party) {
    this.#parts = parts
    this.#call = call
    this.#controller = first
    let end!: (why: ConversationEnd) => void
    this.over = new Promise((resolve) => (end = resolve))
    this.#end = end
  }

  /** `answered` is written first. */
  begin(answered: (tx: Tx) => Promise<void>): Promise<void> {
    void this.#call.customer.ended.then(() => this.#inTurn(() => this.#finish('customer_hung_up')))
    this.#watch(this.#controller)
    return this.#inTurn(async () => {
      await this.#join(this.#controller)
      void this.#write(answered)
      void this.#write((tx) => moveCall(tx, this.#call.ref, 'bridged'))
    })
  }

  /** False when there is nothing to transfer. */
  async startTransfer(id: string, toEmployeeId: string): Promise<boolean> {
    const isBegun = await this.#inTurn(async () => {
      if (this.#isOver || this.#transfer) return false
      const { exchange } = this.#parts
      await this.#keepWaiting()
      const stopRingback = await this.#parts.sounds.loop(this.#controller.leg.sound, { tone: 'ringback' })
      const ringing = ringEmployee(
        exchange,
        { companyId: this.#call.ref.companyId, employeeId: toEmployeeId },
        ringAs(this.#call),
      )
      const callOff = exchange.clock.after(LIMITS.transferRingMs, () => ringing.callOff())
      const transfer: RunningTransfer = {
        id,
        toEmployeeId,
        ringing,
        isAbandoned: false,
        stopSounds: () => {
          callOff()
          stopRingback()
        },
      }
      this.#transfer = transfer
      const ref = this.#refOf(transfer)
      void this.#write((tx) => transferBegun(tx, ref))
      void ringing.outcome.then((outcome) => this.#inTurn(() => this.#rang(transfer, outcome)))
      return true
    })
    return this.#whenWritten(isBegun)
  }

  /** False when nobody has answered it, or it is over. */
  async completeTransfer(id: string): Promise<boolean> {
    const isDone = await this.#inTurn(async () => {
      if (this.#transfer?.id !== id || !this.#transfer.target) return false
      await this.#complete(this.#transfer)
      return true
    })
    return this.#whenWritten(isDone)
  }

  async cancelTransfer(id: string): Promise<boolean> {
    const isDone = await this.#inTurn(async () => {
      if (this.#transfer?.id !== id) return false
      await this.#cancel(this.#transfer)
      return true
    })
    return this.#whenWritten(isDone)
  }

  isWith(employeeId: string): boolean {
    return this.#partyOf(employeeId) !== undefined
  }

  /** The phone of an employee who talks is back: its new leg takes the place of the old. False when it is too late. */
  rejoin(employeeId: string, leg: Leg): Promise<boolean> {
    return this.#inTurn(async () => {
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
    const { leg } = this.#controller
    const transfer = this.#transfer
    if (!transfer) return this.#join(this.#controller)
    if (transfer.target) return this.#parts.exchange.media.bridge(leg.sound, transfer.target.leg.sound)
    const stopRingback = await this.#parts.sounds.loop(leg.sound, { tone: 'ringback' })
    const { stopSounds } = transfer
    transfer.stopSounds = () => {
      stopSounds()
      stopRingback()
    }
  }

  async #rang(transfer: RunningTransfer, outcome: RingOutcome): Promise<void> {
    transfer.stopSounds()
    if (this.#transfer !== transfer) return outcome.is === 'answered' ? outcome.leg.hangUp() : undefined
    if (outcome.is !== 'answered') return this.#cancel(transfer)
    transfer.target = { employeeId: transfer.toEmployeeId, leg: outcome.leg }
    this.#watch(transfer.target)
    const ref = this.#refOf(transfer)
    void this.#write((tx) => transferAnswered(tx, ref))
    if (transfer.isAbandoned) return this.#complete(transfer)
    await this.#parts.exchange.media.bridge(this.#controller.leg.sound, outcome.leg.sound)
  }

  async #complete(transfer: RunningTransfer): Promise<void> {
    const ref = this.#refOf(transfer)
    const before = this.#controller
    this.#transfer = undefined
    this.#controller = transfer.target!
    before.leg.hangUp()
    await this.#join(this.#controller)
    const at = this.#parts.exchange.clock.now()
    void this.#write((tx) => transferCompleted(tx, ref, at))
  }

  async #cancel(transfer: RunningTransfer): Promise<void> {
    this.#transfer = undefined
    transfer.stopSounds()
    transfer.ringing.callOff()
    transfer.target?.leg.hangUp()
    const ref = this.#refOf(transfer)
    void this.#write((tx) => transferCancelled(tx, ref))
    if (this.#controller.leg.isOver) return this.#finish('employee_hung_up')
    await this.#join(this.#controller)
  }

  /** The customer and the employee hear each other. */
  async #join({ leg }: Party): Promise<void> {
    const { customer } = this.#call
    this.#stopMusic?.()
    this.#stopMusic = undefined
    if (customer.isOver || leg.isOver) return
    await this.#parts.exchange.media.bridge(customer.sound, leg.sound)
    leg.listener = {
      onHold: (isHeld) =>
        void this.#inTurn(() => (isHeld ? this.#keepWaiting() : this.#join({ ...this.#controller }))),
      onKey: (key) => void this.#parts.exchange.media.sendDigits(customer.sound, [key]).catch(() => {}),
    }
  }

  async #keepWaiting(): Promise<void> {
    const { customer } = this.#call
    if (this.#stopMusic || customer.isOver) return
    await this.#parts.exchange.media.separate(customer.sound)
    this.#stopMusic = await this.#parts.sounds.loop(customer.sound, holdMusic)
  }

  #watch(party: Party): void {
    void party.leg.ended.then(() => this.#inTurn(() => this.#left(party)))
  }

  async #left(party: Party): Promise<void> {
    const transfer = this.#transfer
    if (party === transfer?.target) return this.#cancel(transfer)
    if (party !== this.#controller) return
    if (transfer?.target) return this.#complete(transfer)
    // The target's phones ring on: who transfers a call may hang up at once.
    if (transfer) transfer.isAbandoned = true
    else this.#finish('employee_hung_up')
  }

  #finish(why: ConversationEnd): void {
    if (this.#isOver) return
    this.#isOver = true
    const transfer = this.#transfer
    this.#transfer = undefined
    transfer?.stopSounds()
    transfer?.ringing.callOff()
    transfer?.target?.leg.hangUp()
    this.#controller.leg.hangUp()
    this.#call.customer.hangUp()
    void this.#written.then(() => this.#end(why))
  }

  #refOf({ id, toEmployeeId }: RunningTransfer) {
    return {
      ...this.#call.ref,
      transferId: id,
      fromEmployeeId: this.#controller.employeeId,
      toEmployeeId,
    }
  }

  #write(run: (tx: Tx) => Promise<void>): Promise<unknown> {
    this.#written = this.#written
      .then(() => this.#parts.store(run))
      .catch((err: unknown) => {
        this.#parts.exchange.log.error(
          { err, call: this.#call.ref.callId },
          'a conversation is not written down',
        )
        this.#finish('employee_hung_up')
      })
    return this.#written
  }

  /** Who asked for something reads of it next. */
  async #whenWritten(isDone: boolean): Promise<boolean> {
    await this.#written
    return isDone
  }

  /** What fails is logged and ends the conversation: a customer must not hang in the air. */
  #inTurn<T>(run: () => Promise<T> | T): Promise<T> {
    const turn = this.#turn.then(run)
    this.#turn = turn.catch((err: unknown) => {
      if (this.#isOver) return
      this.#parts.exchange.log.error(
        { err, call: this.#call.ref.callId },
        'a conversation is ended: it failed',
      )
      this.#finish('employee_hung_up')
    })
    return turn
  }
}
