import {
  transferAnswered,
  transferBegun,
  transferCancelled,
  transferCompleted,
  type TransferRef,
} from '../../../modules/calls/index.ts'
import type { ReferRequest } from '../../../sip/index.ts'
import type { RingOutcome } from '../../ring/ringing.ts'
import { type ConversationState, ringForCall, transferOf } from '../conversation-state.ts'
import { recallController } from './recall.ts'
import { abortTransfer, type RunningTransfer } from './running-transfer.ts'

/** False if there is nothing to transfer. Blind if a phone requested it. */
export async function beginTransfer(
  talk: ConversationState,
  id: string,
  toEmployeeId: string,
  asked?: ReferRequest,
): Promise<boolean> {
  if (talk.now.is !== 'talking') return false
  await talk.sound.keepWaiting()
  const stopSounds = await playRingback(talk)
  const transfer: RunningTransfer = {
    id,
    toEmployeeId,
    ringing: ringForCall(talk, toEmployeeId),
    isBlind: asked !== undefined,
    report: (status) => asked?.report(status),
    stopSounds,
  }
  talk.now = { is: 'transferring', transfer }
  asked?.accept()
  const ref = refOf(talk, transfer)
  talk.turns.write((tx) => transferBegun(tx, ref))
  talk.turns.startAfter(transfer.ringing.outcome, (outcome) => rang(talk, transfer, outcome))
  return true
}

/** Plays ringback to the controller. */
export async function playRingback({ parts, controller: { leg } }: ConversationState): Promise<() => void> {
  return leg.isOver ? () => {} : parts.sounds.loop(leg.sound, { tone: 'ringback' })
}

async function rang(talk: ConversationState, transfer: RunningTransfer, outcome: RingOutcome): Promise<void> {
  transfer.stopSounds()
  if (transferOf(talk) !== transfer) return outcome.is === 'answered' ? outcome.leg.hangUp() : undefined
  if (outcome.is !== 'answered')
    return cancelRunningTransfer(talk, transfer, outcome.is === 'declined' ? 603 : 480)
  transfer.target = { employeeId: transfer.toEmployeeId, leg: outcome.leg }
  talk.watch(transfer.target)
  const ref = refOf(talk, transfer)
  talk.turns.write((tx) => transferAnswered(tx, ref))
  const { leg } = talk.controller
  if (transfer.isBlind || leg.isOver) return completeRunningTransfer(talk, transfer)
  await talk.parts.edge.media.bridge(leg.sound, outcome.leg.sound)
}

/** Gives the customer to the coworker who answered. */
export async function completeRunningTransfer(
  talk: ConversationState,
  transfer: RunningTransfer,
): Promise<void> {
  const ref = refOf(talk, transfer)
  const before = talk.controller
  talk.now = { is: 'talking' }
  talk.controller = transfer.target!
  transfer.report(200)
  before.leg.hangUp()
  await talk.sound.join(talk.controller.leg)
  const at = talk.parts.edge.clock.now()
  talk.turns.write((tx) => transferCompleted(tx, ref, at))
}

/** Reconnects the customer with the controller. */
export async function cancelRunningTransfer(
  talk: ConversationState,
  transfer: RunningTransfer,
  status: number,
): Promise<void> {
  const { leg } = talk.controller
  const failedAt = talk.parts.edge.clock.now()
  talk.now = transfer.isBlind ? { is: 'talking', failedAt } : { is: 'talking' }
  abortTransfer(transfer, status)
  const ref = refOf(talk, transfer)
  talk.turns.write((tx) => transferCancelled(tx, ref))
  if (leg.isOver) return recallController(talk)
  await talk.sound.join(leg)
}

const refOf = (
  { call, controller }: ConversationState,
  { id, toEmployeeId }: RunningTransfer,
): TransferRef => ({
  ...call.ref,
  transferId: id,
  fromEmployeeId: controller.employeeId,
  toEmployeeId,
})
