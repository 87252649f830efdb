import { conferenceBegun } from '../../../modules/calls/index.ts'
import type { ConversationState } from '../conversation-state.ts'
import type { RunningTransfer } from './running-transfer.ts'
import { refOf } from './transfer.ts'

/** The coworker who is consulted joins the conversation. It ends as a transfer does: one of the employees hangs up. */
export async function beginConference(state: ConversationState, transfer: RunningTransfer): Promise<boolean> {
  if (!transfer.target) return false
  transfer.isConference = true
  await connectConference(state, transfer)
  const ref = refOf(state, transfer)
  const at = state.parts.edge.clock.now()
  state.turns.write((tx) => conferenceBegun(tx, ref, at))
  return true
}

/** Whoever has put the call on hold hears nobody, and the others go on. */
export async function connectConference(
  { sound, controller }: ConversationState,
  { target }: RunningTransfer,
): Promise<void> {
  await sound.joinAll([controller.leg, target!.leg])
}
