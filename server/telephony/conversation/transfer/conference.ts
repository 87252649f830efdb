import { conferenceBegun, transferAnswered } from '../../../modules/calls/index.ts'
import type { ConversationState } from '../conversation-state.ts'
import type { RunningTransfer } from './running-transfer.ts'
import { takeOverCoworker } from './take-over-coworker.ts'
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

/** A transfer to the coworker with whom the controller has an internal call at the same edge. */
export interface OpenedMerge {
  internalCallId: string
  edgeId: string
  transferId: string
  toEmployeeId: string
}

/** The coworker leaves the internal call for the conversation. False if there is nobody to merge. */
export async function beginConferenceFromInternal(
  state: ConversationState,
  { internalCallId, edgeId, transferId, toEmployeeId }: OpenedMerge,
): Promise<boolean> {
  if (state.now.is !== 'talking') return false
  const { employeeId } = state.controller
  const ringing = takeOverCoworker(state.parts, state.call, { internalCallId, edgeId, employeeId })
  const outcome = await ringing.outcome
  if (outcome.is !== 'answered') {
    ringing.cancel()
    return false
  }
  const target = { employeeId: toEmployeeId, leg: outcome.leg }
  const transfer: RunningTransfer = {
    id: transferId,
    toEmployeeId,
    ringing,
    target,
    isBlind: false,
    report: () => {},
    stopSounds: () => {},
  }
  state.now = { is: 'transferring', transfer }
  state.watch(target)
  const ref = refOf(state, transfer)
  // The transfer is stored as ringing if the answer of the internal call was not stored yet.
  state.turns.write((tx) => transferAnswered(tx, ref))
  return beginConference(state, transfer)
}

/** Whoever has put the call on hold hears nobody, and the others go on. */
export async function connectConference(
  { sound, controller }: ConversationState,
  { target }: RunningTransfer,
): Promise<void> {
  await sound.joinAll([controller.leg, target!.leg])
}
