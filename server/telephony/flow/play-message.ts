import { type FlowCall, note } from './flow-call.ts'
import { say } from './say.ts'

/** Plays a message to the caller, and ends. */
export async function playMessage(call: FlowCall, text: string): Promise<void> {
  note(call, 'playing_audio')
  await say(call, text)
}
