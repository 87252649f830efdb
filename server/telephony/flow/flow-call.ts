import { setCallState } from '../../modules/calls/index.ts'
import { inBackground } from '../../platform/background.ts'
import { type ControlParts, type CustomerCall, CustomerGone } from '../call/customer-call.ts'
import type { EmployeeLeg } from '../conversation/employee-leg.ts'
import type { QueueWaitOptions, WaitOutcome } from '../ring/queue-wait.ts'

/** A call in the call flow of its number. */
export interface FlowCall extends CustomerCall {
  parts: ControlParts
  /** The prompt that the call flow begins with, if any. It was read while the call was stored. */
  opening: { text: string; sound: Promise<PromptSound> } | undefined
  /** When the caller was first queued. */
  queuedAt: Date | undefined
  wait(waitFor: QueueWaitOptions): Promise<WaitOutcome>
  /** Resolves when one of them hangs up. */
  converse(employee: EmployeeLeg): Promise<FlowEnd>
}

/** How the call flow ended. */
export type FlowEnd =
  | 'customer_hung_up'
  | 'employee_hung_up'
  | 'outside_hung_up'
  | 'not_retrieved'
  | 'rejected'
  | 'message_played'
  | 'voicemail_left'
  | 'no_voicemail'
  | 'no_choice_made'
  | 'no_answer'

/** A database or a storage that is unavailable is asked again, since it may have the prompt. */
export type PromptSound = { is: 'ready'; wav: Buffer } | { is: 'missing' } | { is: 'unknown' }

/** Does not wait for the database, so that the caller hears the prompt at once. */
export function recordFlowState({ parts, ref }: FlowCall, state: 'playing_audio' | 'recording'): void {
  const written = parts.store((tx) => setCallState(tx, ref, state))
  inBackground(parts.edge.log, `store the state of a call: ${state}`, written)
}

export function requireCaller({ customer }: CustomerCall): void {
  if (customer.isOver) throw new CustomerGone()
}
