import { setCallState } from '../../../modules/calls/index.ts'
import type { RingOutcome } from '../../ring/ringing.ts'
import { type ConversationState, ringForCall } from '../conversation-state.ts'
import { endConversation } from '../ending.ts'

/** The controller has hung up and nobody took the call: the customer keeps waiting while their phones ring again. */
export async function recallController(talk: ConversationState): Promise<void> {
  const { employeeId } = talk.controller
  await talk.sound.keepWaiting()
  talk.turns.write((tx) => setCallState(tx, talk.call.ref, 'answered'))
  const ringing = ringForCall(talk, employeeId)
  talk.now = { is: 'recalling', ringing }
  talk.turns.startAfter(ringing.outcome, (outcome) => calledBack(talk, employeeId, outcome))
}

async function calledBack(talk: ConversationState, employeeId: string, outcome: RingOutcome): Promise<void> {
  if (outcome.is !== 'answered') return endConversation(talk, 'employee_hung_up')
  if (talk.now.is === 'over') return outcome.leg.hangUp()
  talk.now = { is: 'talking' }
  talk.controller = { employeeId, leg: outcome.leg }
  talk.watch(talk.controller)
  await talk.sound.join(outcome.leg)
  talk.turns.write((tx) => setCallState(tx, talk.call.ref, 'bridged'))
}
