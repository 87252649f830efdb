import { moveCall } from '../../modules/live-calls/index.ts'
import type { FlowCall } from './flow-call.ts'
import { say } from './say.ts'

/** The caller hears a message, and that is all. */
export async function playMessage(call: FlowCall, text: string): Promise<void> {
  await call.parts.store((tx) => moveCall(tx, call.ref, 'playing_audio'))
  await say(call, text)
}
