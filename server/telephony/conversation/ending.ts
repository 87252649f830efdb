import { inBackground } from '../../platform/background.ts'
import type { ConversationEnd, ConversationState } from './conversation-state.ts'
import { abortTransfer } from './transfer/running-transfer.ts'

/** Hangs up all legs, once. */
export function endConversation(talk: ConversationState, why: ConversationEnd): void {
  const { now, turns } = talk
  if (now.is === 'over') return
  talk.now = { is: 'over' }
  if (now.is === 'transferring') abortTransfer(now.transfer, 487)
  if (now.is === 'recalling') now.ringing.cancel()
  talk.controller.leg.hangUp()
  talk.call.customer.hangUp()
  inBackground(
    talk.parts.edge.log,
    'end a conversation',
    turns.written.then(() => talk.end(why)),
  )
}

/** An error in media or signalling ends the conversation: the customer must not be left in silence. */
export function failConversation(talk: ConversationState, err: unknown): void {
  if (talk.now.is === 'over') return
  talk.parts.edge.log.error({ err, call: talk.call.ref.callId }, 'a conversation failed and was ended')
  endConversation(talk, 'employee_hung_up')
}

/** An error of the database does not end the conversation. */
export function logWriteFailure({ parts, call }: ConversationState, err: unknown): void {
  parts.edge.log.error({ err, call: call.ref.callId }, 'a change in a conversation could not be stored')
}
