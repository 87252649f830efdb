import { callOff } from './running-transfer.ts'
import type { ConversationEnd, Talk } from './talk.ts'

/** Everybody is hung up on, once. */
export function finish(talk: Talk, why: ConversationEnd): void {
  const { now, turns } = talk
  if (now.is === 'over') return
  talk.now = { is: 'over' }
  if (now.is === 'transferring') callOff(now.transfer, 487)
  if (now.is === 'recalling') now.ringing.callOff()
  talk.controller.leg.hangUp()
  talk.call.customer.hangUp()
  void turns.written.then(() => talk.end(why))
}

/** What fails is logged and ends the conversation: a customer must not hang in the air. */
export function fail(talk: Talk, err: unknown, what: 'turn' | 'writing'): void {
  if (what === 'turn' && talk.now.is === 'over') return
  const said = what === 'turn' ? 'a conversation is ended: it failed' : 'a conversation is not written down'
  talk.parts.exchange.log.error({ err, call: talk.call.ref.callId }, said)
  finish(talk, 'employee_hung_up')
}
