import { conferenceBegun, transferAnswered } from '../../../modules/calls/index.ts'
import type { RingOutcome } from '../../ring/ringing.ts'
import { type ConversationState, transferOf } from '../conversation-state.ts'
import { recallController } from './recall.ts'
import type { RunningTransfer } from './running-transfer.ts'
import { takeOverCoworker } from './take-over-coworker.ts'
import { completeRunningTransfer, refOf } from './transfer.ts'

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

/** A transfer to the coworker with whom the controller has an internal call. */
export interface OpenedMerge {
  internalCallId: string
  /** The edge that has the internal call. */
  edgeId: string
  transferId: string
  toEmployeeId: string
}

/** The coworker leaves the internal call, at whatever edge. Everybody hears what they heard until they are here. */
export function takeConsulted(
  state: ConversationState,
  { internalCallId, edgeId, transferId, toEmployeeId }: OpenedMerge,
): RunningTransfer | undefined {
  if (state.now.is !== 'talking') return undefined
  const { employeeId } = state.controller
  const ringing = takeOverCoworker(state.parts, state.call, { internalCallId, edgeId, employeeId })
  const transfer: RunningTransfer = {
    id: transferId,
    toEmployeeId,
    ringing,
    isBlind: false,
    report: () => {},
    stopSounds: () => {},
  }
  state.now = { is: 'transferring', transfer }
  return transfer
}

/** False if the coworker did not come, or there is nobody to merge them with any more. */
export async function mergeTaken(
  state: ConversationState,
  transfer: RunningTransfer,
  outcome: RingOutcome,
): Promise<boolean> {
  if (transferOf(state) !== transfer) {
    if (outcome.is === 'answered') outcome.leg.hangUp()
    return false
  }
  const { leg } = state.controller
  if (outcome.is !== 'answered') {
    transfer.ringing.cancel()
    state.now = { is: 'talking' }
    await (leg.isOver ? recallController(state) : state.sound.join(leg))
    return false
  }
  transfer.target = { employeeId: transfer.toEmployeeId, leg: outcome.leg }
  state.watch(transfer.target)
  const ref = refOf(state, transfer)
  // The transfer is stored as ringing if the answer of the internal call was not stored yet.
  state.turns.write((tx) => transferAnswered(tx, ref))
  if (!leg.isOver) return beginConference(state, transfer)
  await completeRunningTransfer(state, transfer)
  return true
}

/** Whoever has put the call on hold hears nobody, and the others go on. */
export async function connectConference(
  { sound, controller }: ConversationState,
  { target }: RunningTransfer,
): Promise<void> {
  await sound.joinAll([controller.leg, target!.leg])
}
