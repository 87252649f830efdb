import { TELEPHONY_LIMITS } from '../limits.ts'
import { type ConversationState, employeeLegOf, transferOf } from './conversation-state.ts'
import type { EmployeeLeg } from './employee-leg.ts'
import { endConversation } from './ending.ts'
import { recallController } from './transfer/recall.ts'
import { cancelRunningTransfer, completeRunningTransfer } from './transfer/transfer.ts'

/** An employee hung up. The effect depends on their part in the call, and on a transfer in progress. */
export function handleHangUp(talk: ConversationState, party: EmployeeLeg): void | Promise<void> {
  // Hanging up right after requesting a transfer makes it a blind transfer.
  if (talk.asking) return talk.turns.startAfter(talk.asking, () => handleHangUp(talk, party))
  const transfer = transferOf(talk)
  if (party === transfer?.target) return cancelRunningTransfer(talk, transfer, 480)
  if (party !== talk.controller) return
  if (transfer?.target) return completeRunningTransfer(talk, transfer)
  // The coworker's phones keep ringing: the controller need not wait.
  if (transfer) transfer.isBlind = true
  else if (hasJustFailed(talk)) return recallController(talk)
  else if (talk.now.is === 'talking') endConversation(talk, 'employee_hung_up')
}

/** Stops what rings the employee, and hangs up their phone, which `handleHangUp` then notices. */
export async function dismissEmployee(talk: ConversationState, employeeId: string): Promise<void> {
  const transfer = transferOf(talk)
  if (transfer && !transfer.target && transfer.toEmployeeId === employeeId)
    await cancelRunningTransfer(talk, transfer, 480)
  if (talk.now.is === 'recalling' && talk.controller.employeeId === employeeId) talk.now.ringing.cancel()
  employeeLegOf(talk, employeeId)?.leg.hangUp()
}

/** Some phones hang up when their transfer fails, although the customer is still there. */
function hasJustFailed({ now, parts }: ConversationState): boolean {
  if (now.is !== 'talking' || !now.failedAt) return false
  return parts.edge.clock.now().getTime() - now.failedAt.getTime() < TELEPHONY_LIMITS.transferFailedMs
}
