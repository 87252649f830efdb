import { inBackground } from '../../platform/background.ts'
import type { ConversationEnd, Talk } from './talk.ts'
import { callOff } from './transfer/running-transfer.ts'

/** Everybody is hung up on, once. */
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

/** What fails in the sound or the signalling ends the conversation: a customer must not hang in the air. */
export function fail(talk: Talk, err: unknown): void {
  if (talk.now.is === 'over') return
  talk.parts.exchange.log.error({ err, call: talk.call.ref.callId }, 'a conversation is ended: it failed')
  finish(talk, 'employee_hung_up')
}

/** The two talk on, whatever the database says. */
export function notWritten({ parts, call }: Talk, err: unknown): void {
  parts.exchange.log.error({ err, call: call.ref.callId }, 'a part of a conversation is not written down')
}
