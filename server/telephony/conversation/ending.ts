import { inBackground } from '../../platform/background.ts'
import type { ConversationEnd, Talk } from './talk.ts'
import { callOff } from './transfer/running-transfer.ts'

/** Hangs up all legs, once. */
export function finish(talk: Talk, why: ConversationEnd): void {
  const { now, turns } = talk
  if (now.is === 'over') return
  talk.now = { is: 'over' }
  if (now.is === 'transferring') callOff(now.transfer, 487)
  if (now.is === 'recalling') now.ringing.callOff()
  talk.controller.leg.hangUp()
  talk.call.customer.hangUp()
  inBackground(
    talk.parts.exchange.log,
    'end a conversation',
    turns.written.then(() => talk.end(why)),
  )
}

/** An error in media or signalling ends the conversation: the customer must not be left in silence. */
export function fail(talk: Talk, err: unknown): void {
  if (talk.now.is === 'over') return
  talk.parts.exchange.log.error({ err, call: talk.call.ref.callId }, 'a conversation failed and was ended')
  finish(talk, 'employee_hung_up')
}

/** An error of the database does not end the conversation. */
export function notWritten({ parts, call }: Talk, err: unknown): void {
  parts.exchange.log.error({ err, call: call.ref.callId }, 'a change in a conversation could not be stored')
}
