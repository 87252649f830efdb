import { answerCall } from '../../modules/calls/index.ts'
import { encodeId } from '../../platform/ids.ts'
import type { ControlParts, CustomerCall } from '../call/customer-call.ts'
import type { EdgeCalls } from '../call/edge-calls.ts'
import type { ConversationEnd } from './conversation-state.ts'
import { Conversation } from './conversation.ts'
import type { EmployeeLeg } from './employee-leg.ts'

/** Connects the customer and an employee until one hangs up, and records them if the number is set to. */
export async function runConversation(
  parts: ControlParts,
  live: EdgeCalls,
  call: CustomerCall,
  employee: EmployeeLeg,
): Promise<ConversationEnd> {
  const at = parts.edge.clock.now()
  const conversation = new Conversation(parts, call, employee)
  const done = live.converses(call.ref, conversation)
  const span = call.span?.child('conversation', {
    attributes: { 'bellhop.employee.id': encodeId('emp', employee.employeeId) },
  })
  try {
    // They hear each other at once; the writes follow.
    call.progress.isAnswered = true
    const { employeeId } = employee
    const { wasRungAlone } = call.progress
    conversation.begin((tx, how) => answerCall(tx, call.ref, { ...how, employeeId, at, wasRungAlone }))
    const end = await conversation.over
    span?.set({ 'bellhop.outcome': end })
    return end
  } finally {
    done()
    span?.end()
    // The customer may have hung up before the conversation began.
    employee.leg.hangUp()
    await conversation.keepRecording()
  }
}
