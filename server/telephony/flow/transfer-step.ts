import { CustomerGone } from '../call/customer-call.ts'
import { type FlowCall, type FlowEnd, type FlowMode } from './flow-call.ts'

/** Queues the caller until one of the employees answers, or the time is up. */
export async function runTransferStep(
  call: FlowCall,
  employeeIds: string[],
  mode: FlowMode,
): Promise<FlowEnd> {
  const { parts } = call
  const isFirst = call.queuedAt === undefined
  call.queuedAt ??= parts.edge.clock.now()
  const outcome = await call.wait({
    employeeIds,
    joinedAt: call.queuedAt,
    isFirst,
    timeoutMs: mode.isNoAnswerFlow ? null : timeoutOf(call),
  })
  switch (outcome.is) {
    case 'answered':
      return call.converse(outcome.by)
    case 'gone':
      throw new CustomerGone()
    case 'no_answer':
      return 'no_answer'
  }
}

/** Without a call flow for no answer, there is no timeout either. */
function timeoutOf({ number }: FlowCall): number | null {
  const { no_answer_config: next, no_answer_timeout_secs: seconds } = number
  return next && seconds ? seconds * 1_000 : null
}
