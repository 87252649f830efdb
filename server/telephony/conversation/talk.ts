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
      /** When the controller's phone was told that its transfer failed. */
      failedAt?: Date
    }
  | { is: 'transferring'; transfer: RunningTransfer }
  /** Nobody took the call over from a controller who has hung up: their phones ring. */
  | { is: 'recalling'; ringing: Ringing }
  | { is: 'over' }

/** A conversation as it stands. What happens in it happens in turns, so each finds it whole. */
export interface Talk {
  readonly parts: ControlParts
  readonly call: CustomerCall
  readonly turns: Turns
  readonly sound: CustomerSound
  controller: Party
  now: Now
  /** A phone asks for a transfer; whether that may be is being looked up. */
  asking: Promise<void> | undefined
  /** From now on, what the party does with their phone counts. */
  watch(party: Party): void
  /** Nothing follows. */
  end(why: ConversationEnd): void
}

export const transferOf = ({ now }: Talk): RunningTransfer | undefined =>
  now.is === 'transferring' ? now.transfer : undefined

/** Of the employees, unless they have hung up. */
export function partyOf(talk: Talk, employeeId: string): Party | undefined {
  const parties = [talk.controller, transferOf(talk)?.target]
  return parties.find((party) => party?.employeeId === employeeId && !party.leg.isOver)
}

/** To somebody who is to have the customer. */
export function ring({ parts, call }: Talk, employeeId: string): Ringing {
  const { companyId } = call.ref
  const limit = { ringMs: LIMITS.transferRingMs }
  return ringEmployee(parts.exchange, { companyId, employeeId }, ringAs(call), limit)
}
