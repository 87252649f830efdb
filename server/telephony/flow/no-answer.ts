import type { StoredFlow } from '../../modules/numbers/index.ts'
import type { FlowCall } from './flow-call.ts'

/** The call flow for no answer, and after how long it runs. Without a timeout it is switched off, whatever led to it. */
export function noAnswerOf({ number }: FlowCall): { flow: StoredFlow; timeoutMs: number } | null {
  const { no_answer_config: flow, no_answer_timeout_secs: seconds } = number
  return flow && seconds ? { flow, timeoutMs: seconds * 1_000 } : null
}
