import { moveCall } from '../../modules/calls/index.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { ControlParts, CustomerCall } from '../call/customer-call.ts'
import type { Leg } from '../call/leg.ts'
import { fail, finish, notWritten } from './ending.ts'
import { CustomerSound } from './hold.ts'
import type { Party } from './party.ts'
import { watchPhone } from './phone.ts'
import { rejoin } from './rejoin.ts'
import { Turns } from './serial-steps.ts'
import { type ConversationEnd, partyOf, type Talk, transferOf } from './talk.ts'
import { beginTransfer, cancelTransfer, completeTransfer } from './transfer/transfer.ts'

/** A customer talks to an employee, and may be transferred to another. */
export class Conversation {
  readonly over: Promise<ConversationEnd>
  readonly #talk: Talk

  constructor(parts: ControlParts, call: CustomerCall, first: Party) {
    let end!: (why: ConversationEnd) => void
    this.over = new Promise((resolve) => (end = resolve))
    const talk: Talk = {
      parts,
      call,
      turns: new Turns(parts.store, {
        turnFailed: (err) => fail(talk, err),
        writingFailed: (err) => notWritten(talk, err),
      }),
      sound: new CustomerSound(parts, call.customer),
      controller: first,
      now: { is: 'talking' },
      asking: undefined,
      watch: (party) => watchPhone(talk, party),
      end,
    }
    this.#talk = talk
  }

  /** Runs `answered` before any other write. */
  begin(answered: (tx: Tx) => Promise<void>): void {
    const { turns, sound, call, controller } = this.#talk
    turns.startAfter(call.customer.ended, () => finish(this.#talk, 'customer_hung_up'))
    this.#talk.watch(controller)
    turns.start(async () => {
      await sound.join(controller.leg)
      turns.write(async (tx) => {
        await answered(tx)
        await moveCall(tx, call.ref, 'bridged')
      })
    })
  }

  /** False if there is nothing to transfer. */
  startTransfer(id: string, toEmployeeId: string): Promise<boolean> {
    return this.#ask(() => beginTransfer(this.#talk, id, toEmployeeId))
  }

  /** False if nobody has answered the transfer, or it is over. */
  completeTransfer(id: string): Promise<boolean> {
    return this.#ask(async () => {
      const transfer = transferOf(this.#talk)
      if (transfer?.id !== id || !transfer.target) return false
      await completeTransfer(this.#talk, transfer)
      return true
    })
  }

  cancelTransfer(id: string): Promise<boolean> {
    return this.#ask(async () => {
      const transfer = transferOf(this.#talk)
      if (transfer?.id !== id) return false
      await cancelTransfer(this.#talk, transfer, 487)
      return true
    })
  }

  /** The coworker switched on do not disturb. Stops ringing them; a coworker who has answered stays in the call. */
  stopRinging(id: string): Promise<boolean> {
    return this.#ask(async () => {
      const transfer = transferOf(this.#talk)
      if (transfer?.id !== id || transfer.target) return false
      await cancelTransfer(this.#talk, transfer, 480)
      return true
    })
  }

  isWith(employeeId: string): boolean {
    return partyOf(this.#talk, employeeId) !== undefined
  }

  /** False if the conversation is over, or no longer theirs. */
  rejoin(employeeId: string, leg: Leg): Promise<boolean> {
    return this.#talk.turns.take(() => rejoin(this.#talk, employeeId, leg))
  }

  /** Waits for the writes too: the client reads the result next. */
  async #ask(run: () => Promise<boolean>): Promise<boolean> {
    const isDone = await this.#talk.turns.take(run)
    await this.#talk.turns.written
    return isDone
  }
}
