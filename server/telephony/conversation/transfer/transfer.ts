import {
  transferAnswered,
  transferBegun,
  transferCancelled,
  transferCompleted,
  type TransferRef,
} from '../../../modules/calls/index.ts'
import type { ReferRequest } from '../../../sip/index.ts'
import type { Ringing, RingOutcome } from '../../ring/ringing.ts'
import { type ConversationState, ringForCall, transferOf } from '../conversation-state.ts'
import { recallController } from './recall.ts'
import { abortTransfer, type RunningTransfer } from './running-transfer.ts'

interface TransferOptions {
  /** The request of a phone, which makes the transfer blind. */
  asked?: ReferRequest
  /** How the coworker is reached, instead of by ringing their phones. */
  ring?: () => Ringing
}

/** False if there is nothing to transfer. */
export async function beginTransfer(
  state: ConversationState,
  id: string,
  toEmployeeId: string,
  { asked, ring = () => ringForCall(state, toEmployeeId) }: TransferOptions = {},
): Promise<boolean> {
  if (state.now.is !== 'talking') return false
  await state.sound.keepWaiting()
  const stopSounds = await playRingback(state)
  const transfer: RunningTransfer = {
    id,
    toEmployeeId,
    ringing: ring(),
    isBlind: asked !== undefined,
    report: (status) => asked?.report(status),
    stopSounds,
  }
  state.now = { is: 'transferring', transfer }
  asked?.accept()
  const ref = refOf(state, transfer)
  state.turns.write((tx) => transferBegun(tx, ref))
  state.turns.startAfter(transfer.ringing.outcome, (outcome) => rang(state, transfer, outcome))
  return true
}

/** Plays ringback to the controller. */
export async function playRingback({ parts, controller: { leg } }: ConversationState): Promise<() => void> {
  return leg.isOver ? () => {} : parts.sounds.loop(leg.sound, { tone: 'ringback' })
}

async function rang(
  state: ConversationState,
  transfer: RunningTransfer,
  outcome: RingOutcome,
): Promise<void> {
  transfer.stopSounds()
  if (transferOf(state) !== transfer) return outcome.is === 'answered' ? outcome.leg.hangUp() : undefined
  if (outcome.is !== 'answered')
    return cancelRunningTransfer(state, transfer, outcome.is === 'declined' ? 603 : 480)
  transfer.target = { employeeId: transfer.toEmployeeId, leg: outcome.leg }
  state.watch(transfer.target)
  const ref = refOf(state, transfer)
  state.turns.write((tx) => transferAnswered(tx, ref))
  const { leg } = state.controller
  if (transfer.isBlind || leg.isOver) return completeRunningTransfer(state, transfer)
  await state.parts.edge.media.bridge(leg.sound, outcome.leg.sound)
}

/** Gives the customer to the coworker who answered. */
export async function completeRunningTransfer(
  state: ConversationState,
  transfer: RunningTransfer,
): Promise<void> {
  const ref = refOf(state, transfer)
  const before = state.controller
  state.now = { is: 'talking' }
  state.controller = transfer.target!
  transfer.report(200)
  before.leg.hangUp()
  await state.sound.join(state.controller.leg)
  const at = state.parts.edge.clock.now()
  state.turns.write((tx) => transferCompleted(tx, ref, at))
}

/** Reconnects the customer with the controller. */
export async function cancelRunningTransfer(
  state: ConversationState,
  transfer: RunningTransfer,
  status: number,
): Promise<void> {
  const { leg } = state.controller
  const failedAt = state.parts.edge.clock.now()
  state.now = transfer.isBlind ? { is: 'talking', failedAt } : { is: 'talking' }
  abortTransfer(transfer, status)
  const ref = refOf(state, transfer)
  state.turns.write((tx) => transferCancelled(tx, ref))
  if (leg.isOver) return recallController(state)
  await state.sound.join(leg)
}

export const refOf = (
  { call, controller }: ConversationState,
  { id, toEmployeeId }: RunningTransfer,
): TransferRef => ({
  ...call.ref,
  transferId: id,
  fromEmployeeId: controller.employeeId,
  toEmployeeId,
})
