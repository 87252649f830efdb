import { type ControlParts, type CustomerCall, ringAs } from '../call/customer-call.ts'
import { LIMITS } from '../limits.ts'
import { type Ringing, ringEmployee } from '../ring/ringing.ts'
import type { CustomerSound } from './hold.ts'
import type { Party } from './party.ts'
import type { Turns } from './serial-steps.ts'
import type { RunningTransfer } from './transfer/running-transfer.ts'

export type ConversationEnd = 'customer_hung_up' | 'employee_hung_up'

type Now =
  | {
      is: 'talking'
      /** When the controller's phone was notified that its transfer failed. */
      failedAt?: Date
    }
  | { is: 'transferring'; transfer: RunningTransfer }
  /** Nobody took the call from a controller who has hung up: their phones ring again. */
  | { is: 'recalling'; ringing: Ringing }
  | { is: 'over' }

/** The state of a conversation. Only one step at a time changes it. */
export interface Talk {
  readonly parts: ControlParts
  readonly call: CustomerCall
  readonly turns: Turns
  readonly sound: CustomerSound
  controller: Party
  now: Now
  /** A phone requested a transfer, and the rules are being checked. */
  asking: Promise<void> | undefined
  /** Starts to handle what the employee does on their phone. */
  watch(party: Party): void
  /** Ends the conversation; no step follows. */
  end(why: ConversationEnd): void
}

export const transferOf = ({ now }: Talk): RunningTransfer | undefined =>
  now.is === 'transferring' ? now.transfer : undefined

/** The employee's part in the call, unless they have hung up. */
export function partyOf(talk: Talk, employeeId: string): Party | undefined {
  const parties = [talk.controller, transferOf(talk)?.target]
  return parties.find((party) => party?.employeeId === employeeId && !party.leg.isOver)
}

/** Rings an employee who is to get the customer. */
export function ring({ parts, call }: Talk, employeeId: string): Ringing {
  const { companyId } = call.ref
  const limit = { ringMs: LIMITS.transferRingMs }
  return ringEmployee(parts.exchange, { companyId, employeeId }, ringAs(call), limit)
}
