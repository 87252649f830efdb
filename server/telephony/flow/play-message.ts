import { type FlowCall, recordFlowState } from './flow-call.ts'
import { say } from './say.ts'

/** Plays a message to the caller, and ends. */
export async function playMessage(call: FlowCall, text: string): Promise<void> {
  recordFlowState(call, 'playing_audio')
  await say(call, text)
}
