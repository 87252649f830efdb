import { setCallState } from '../../modules/calls/index.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { ControlParts, CustomerCall } from '../call/customer-call.ts'
import type { Leg } from '../call/leg.ts'
import {
  type ConversationEnd,
  type ConversationState,
  employeeLegOf,
  employeesOf,
  transferOf,
} from './conversation-state.ts'
import type { EmployeeLeg } from './employee-leg.ts'
import { endConversation, failConversation, logWriteFailure } from './ending.ts'
import { dismissEmployee } from './hang-up.ts'
import { CustomerAudio } from './hold.ts'
import { handlePhoneEvents } from './phone-events.ts'
import { replaceLeg } from './rejoin.ts'
import { SerialQueue } from './serial-queue.ts'
import { beginTransfer, cancelRunningTransfer, completeRunningTransfer } from './transfer/transfer.ts'

/** A customer talks to an employee, and may be transferred to another. */
export class Conversation {
  readonly over: Promise<ConversationEnd>
  readonly #talk: ConversationState

  constructor(parts: ControlParts, call: CustomerCall, first: EmployeeLeg) {
    let end!: (why: ConversationEnd) => void
    this.over = new Promise((resolve) => (end = resolve))
    const talk: ConversationState = {
      parts,
      call,
      turns: new SerialQueue(parts.store, {
        turnFailed: (err) => failConversation(talk, err),
        writingFailed: (err) => logWriteFailure(talk, err),
      }),
      sound: new CustomerAudio(parts, call.customer),
      controller: first,
      now: { is: 'talking' },
      asking: undefined,
      watch: (party) => handlePhoneEvents(talk, party),
      end,
    }
    this.#talk = talk
  }

  /** Runs `answered` before any other write. */
  begin(answered: (tx: Tx) => Promise<void>): void {
    const { turns, sound, call, controller } = this.#talk
    turns.startAfter(call.customer.ended, () => endConversation(this.#talk, 'customer_hung_up'))
    this.#talk.watch(controller)
    turns.start(async () => {
      await sound.join(controller.leg)
      turns.write(async (tx) => {
        await answered(tx)
        await setCallState(tx, call.ref, 'bridged')
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
      await completeRunningTransfer(this.#talk, transfer)
      return true
    })
  }

  cancelTransfer(id: string): Promise<boolean> {
    return this.#ask(async () => {
      const transfer = transferOf(this.#talk)
      if (transfer?.id !== id) return false
      await cancelRunningTransfer(this.#talk, transfer, 487)
      return true
    })
  }

  /** The coworker switched on do not disturb. Stops ringing them; a coworker who has answered stays in the call. */
  stopRinging(id: string): Promise<boolean> {
    return this.#ask(async () => {
      const transfer = transferOf(this.#talk)
      if (transfer?.id !== id || transfer.target) return false
      await cancelRunningTransfer(this.#talk, transfer, 480)
      return true
    })
  }

  employees(): string[] {
    return employeesOf(this.#talk)
  }

  /** The employee was deleted. The customer is treated as if the employee's phone had been lost. */
  dismiss(employeeId: string): void {
    this.#talk.turns.start(() => dismissEmployee(this.#talk, employeeId))
  }

  isWith(employeeId: string): boolean {
    return employeeLegOf(this.#talk, employeeId) !== undefined
  }

  /** False if the conversation is over, or no longer theirs. */
  rejoin(employeeId: string, leg: Leg): Promise<boolean> {
    return this.#talk.turns.take(() => replaceLeg(this.#talk, employeeId, leg))
  }

  /** Waits for the writes too: the client reads the result next. */
  async #ask(run: () => Promise<boolean>): Promise<boolean> {
    const isDone = await this.#talk.turns.take(run)
    await this.#talk.turns.written
    return isDone
  }
}
