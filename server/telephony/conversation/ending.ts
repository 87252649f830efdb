import { inBackground } from '../../platform/background.ts'
import type { ConversationEnd, ConversationState } from './conversation-state.ts'
import { stopParking } from './parking/parking.ts'
import { abortOutsideTransfer, abortTransfer } from './transfer/running-transfer.ts'

/** Hangs up all legs, once. */
export function endConversation(state: ConversationState, why: ConversationEnd): void {
  const { now, turns } = state
  if (now.is === 'over') return
  state.now = { is: 'over' }
  if (now.is === 'transferring') abortTransfer(now.transfer, 487)
  if (now.is === 'calling_outside') abortOutsideTransfer(now.transfer, 487)
  if (now.is === 'recalling') now.ringing.cancel()
  if (now.is === 'outside') now.leg.hangUp()
  if (now.is === 'parked') stopParking(now.parking)
  state.controller.leg.hangUp()
  state.call.customer.hangUp()
  inBackground(
    state.parts.edge.log,
    'end a conversation',
    turns.written.then(() => state.end(why)),
  )
}

/** An error in media or signalling ends the conversation: the customer must not be left in silence. */
export function failConversation(state: ConversationState, err: unknown): void {
  if (state.now.is === 'over') return
  state.parts.edge.log.error({ err, call: state.call.ref.callId }, 'a conversation failed and was ended')
  endConversation(state, 'employee_hung_up')
}

/** An error of the database does not end the conversation. */
export function logWriteFailure({ parts, call }: ConversationState, err: unknown): void {
  parts.edge.log.error({ err, call: call.ref.callId }, 'a change in a conversation could not be stored')
}
