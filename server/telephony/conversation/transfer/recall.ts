import { setCallState } from '../../../modules/calls/index.ts'
import type { RingOutcome } from '../../ring/ringing.ts'
import { type ConversationState, ringForCall } from '../conversation-state.ts'
import { endConversation } from '../ending.ts'

/** The controller has hung up and nobody took the call: the customer keeps waiting while their phones ring again. */
export async function recallController(state: ConversationState): Promise<void> {
  const { employeeId } = state.controller
  await state.sound.keepWaiting()
  state.turns.write((tx) => setCallState(tx, state.call.ref, 'answered'))
  const ringing = ringForCall(state, employeeId)
  state.now = { is: 'recalling', ringing }
  state.turns.startAfter(ringing.outcome, (outcome) => calledBack(state, employeeId, outcome))
}

async function calledBack(state: ConversationState, employeeId: string, outcome: RingOutcome): Promise<void> {
  if (outcome.is !== 'answered') return endConversation(state, 'employee_hung_up')
  if (state.now.is === 'over') return outcome.leg.hangUp()
  state.now = { is: 'talking' }
  state.controller = { employeeId, leg: outcome.leg }
  state.watch(state.controller)
  await state.sound.join(outcome.leg)
  state.turns.write((tx) => setCallState(tx, state.call.ref, 'bridged'))
}
