import { withTimeout } from '../../platform/clock.ts'
import { TELEPHONY_LIMITS } from '../limits.ts'
import { type ConversationState, employeeLegOf, transferOf } from './conversation-state.ts'
import type { EmployeeLeg } from './employee-leg.ts'
import { endConversation } from './ending.ts'
import { recallController } from './transfer/recall.ts'
import { cancelRunningTransfer, completeRunningTransfer } from './transfer/transfer.ts'

/** An employee hung up. The effect depends on their part in the call, and on a transfer in progress. */
export function handleHangUp(state: ConversationState, party: EmployeeLeg): void | Promise<void> {
  // Hanging up right after requesting a transfer makes it a blind transfer.
  if (state.asking) return state.turns.startAfter(state.asking, () => handleHangUp(state, party))
  const transfer = transferOf(state)
  if (party === transfer?.target) return cancelRunningTransfer(state, transfer, 480)
  if (party !== state.controller) return
  if (transfer?.target) return completeRunningTransfer(state, transfer)
  // The coworker's phones keep ringing: the controller need not wait.
  if (transfer) transfer.isBlind = true
  else if (hasJustFailed(state)) return recallController(state)
  else if (state.now.is === 'talking') endConversation(state, 'employee_hung_up')
}

/**
 * A phone that hangs up while its request is being handled does not end the customer's call: the customer goes where
 * the request leads or, if it fails, the phone is rung again.
 */
export function keepDuring(state: ConversationState, asking: Promise<unknown>): void {
  if (state.asking) return
  const { clock, realTime } = state.parts.edge
  const { controller } = state
  // Whoever asked learns of a failure.
  const quietly = asking.catch(() => {})
  const asked = withTimeout(realTime, TELEPHONY_LIMITS.phoneTransferMs, quietly).then(() => {
    state.asking = undefined
    const isLeft = state.controller === controller && controller.leg.isOver
    if (state.now.is === 'talking' && isLeft) state.now.failedAt = clock.now()
  })
  state.asking = asked
}

/** Stops what rings the employee, and hangs up their phone, which `handleHangUp` then notices. */
export async function dismissEmployee(state: ConversationState, employeeId: string): Promise<void> {
  const transfer = transferOf(state)
  if (transfer && !transfer.target && transfer.toEmployeeId === employeeId)
    await cancelRunningTransfer(state, transfer, 480)
  if (state.now.is === 'recalling' && state.controller.employeeId === employeeId) state.now.ringing.cancel()
  const rung = state.now.is === 'parked' ? state.now.parking.rung : undefined
  if (rung?.employeeId === employeeId) rung.ringing.cancel()
  employeeLegOf(state, employeeId)?.leg.hangUp()
}

/** Some phones hang up when their transfer fails, although the customer is still there. */
function hasJustFailed({ now, parts }: ConversationState): boolean {
  if (now.is !== 'talking' || !now.failedAt) return false
  return parts.edge.clock.now().getTime() - now.failedAt.getTime() < TELEPHONY_LIMITS.transferFailedMs
}
