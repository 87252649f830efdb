import { moveCall } from '../../modules/calls/index.ts'
import { inBackground } from '../../platform/background.ts'
import { type ControlParts, type CustomerCall, CustomerGone } from '../call/customer-call.ts'
import type { Party } from '../conversation/party.ts'
import type { WaitFor, WaitOutcome } from '../ring/queue-wait.ts'

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

/** What the caller hears is not kept waiting for the database. */
export function note({ parts, ref }: FlowCall, state: 'playing_audio' | 'recording'): void {
  const written = parts.store((tx) => moveCall(tx, ref, state))
  inBackground(parts.exchange.log, `write that a call is at ${state}`, written)
}

export function stillThere({ customer }: CustomerCall): void {
  if (customer.isOver) throw new CustomerGone()
}
