import {
  transferAnswered,
  transferBegun,
  transferCancelled,
  transferCompleted,
  transferPickedUp,
  type TransferRef,
} from '../../../modules/calls/index.ts'
import type { ReferRequest } from '../../../sip/index.ts'
import type { Leg } from '../../call/leg.ts'
import type { Ringing, RingOutcome } from '../../ring/ringing.ts'
import { type ConversationState, ringForCall, transferOf } from '../conversation-state.ts'
import type { EmployeeLeg } from '../employee-leg.ts'
import { recallController } from './recall.ts'
import { abortTransfer, type RunningTransfer } from './running-transfer.ts'

interface TransferOptions {
  /** The request of a phone, which makes the transfer blind. */
  asked?: ReferRequest
  isBlind?: boolean
  /** How the coworker is reached, instead of by ringing their phones. */
  ring?: () => Ringing
}

/** False if there is nothing to transfer. */
export async function beginTransfer(
  state: ConversationState,
  id: string,
  toEmployeeId: string,
  options: TransferOptions = {},
): Promise<boolean> {
  if (state.now.is !== 'talking') return false
  const { asked, isBlind = asked !== undefined, ring = () => ringForCall(state, toEmployeeId) } = options
  await state.sound.keepWaiting()
  const stopSounds = await playRingback(state)
  const transfer: RunningTransfer = {
    id,
    toEmployeeId,
    ringing: ring(),
    isBlind,
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
  // Somebody has picked it up, or it is over.
  const isOver = transferOf(state) !== transfer || transfer.target
  if (isOver) return outcome.is === 'answered' ? outcome.leg.hangUp() : undefined
  if (outcome.is !== 'answered')
    return cancelRunningTransfer(state, transfer, outcome.is === 'declined' ? 603 : 480)
  const ref = refOf(state, transfer)
  state.turns.write((tx) => transferAnswered(tx, ref))
  return consult(state, transfer, outcome.leg)
}

/** A phone picks up the transfer that rings at the coworker. `accept` answers it, unless the coworker was faster. */
export async function pickUpTransfer(
  state: ConversationState,
  id: string,
  by: EmployeeLeg,
  accept: () => void,
): Promise<boolean> {
  const transfer = transferOf(state)
  if (transfer?.id !== id || transfer.target || by.leg.isOver) return false
  const rung = transfer.toEmployeeId
  transfer.toEmployeeId = by.employeeId
  accept()
  const ref = refOf(state, transfer)
  state.turns.write((tx) => transferPickedUp(tx, ref, rung))
  transfer.stopSounds()
  const connected = consult(state, transfer, by.leg)
  transfer.ringing.cancel('elsewhere')
  await connected
  return true
}

/** The coworker has answered. */
async function consult(state: ConversationState, transfer: RunningTransfer, coworker: Leg): Promise<void> {
  transfer.target = { employeeId: transfer.toEmployeeId, leg: coworker }
  state.watch(transfer.target)
  const { leg } = state.controller
  if (transfer.isBlind || leg.isOver) return completeRunningTransfer(state, transfer)
  await state.parts.edge.media.bridge(leg.sound, coworker.sound)
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
