import type { Party } from '../conversation/party.ts'
import { type ControlParts, type CustomerCall, CustomerGone } from '../parts.ts'
import type { WaitFor, WaitOutcome } from '../waiting.ts'

/** A call on its way through the flow of its number. */
export interface FlowCall extends CustomerCall {
  parts: ControlParts
  /** Since the caller first waited for somebody. */
  queuedAt: Date | undefined
  wait(waitFor: WaitFor): Promise<WaitOutcome>
  /** Until one of them hangs up. */
  converse(employee: Party): Promise<FlowEnd>
}

/** Why there is nothing left to do. */
export type FlowEnd =
  | 'customer_hung_up'
  | 'employee_hung_up'
  | 'rejected'
  | 'message_played'
  | 'voicemail_left'
  | 'no_voicemail'
  | 'no_choice_made'
  | 'no_answer'

/** How a flow runs that another one has led to: what it transfers rings without a timer, and it leads no further. */
export interface FlowMode {
  isNoAnswerFlow: boolean
}

export function stillThere({ customer }: CustomerCall): void {
  if (customer.isOver) throw new CustomerGone()
}
