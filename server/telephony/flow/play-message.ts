import { type FlowCall, note } from './flow-call.ts'
import { say } from './say.ts'

/** The caller hears a message, and that is all. */
export async function playMessage(call: FlowCall, text: string): Promise<void> {
  note(call, 'playing_audio')
  await say(call, text)
}
