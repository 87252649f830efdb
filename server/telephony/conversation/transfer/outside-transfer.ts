import {
  outsideTransferCompleted,
  outsideTransferFailed,
  type OutsideTransferRef,
  setCallState,
} from '../../../modules/calls/index.ts'
import { identify, type ReferRequest } from '../../../sip/index.ts'
import type { Leg } from '../../call/leg.ts'
import { TELEPHONY_LIMITS } from '../../limits.ts'
import type { OutsideTarget } from '../../outbound/plan-transfer.ts'
import type { PhoneRoute } from '../../port.ts'
import { type Ringing, ringPhones, type RingOutcome } from '../../ring/ringing.ts'
import type { ConversationState } from '../conversation-state.ts'
import { endConversation } from '../ending.ts'
import { recallController } from './recall.ts'
import { abortOutsideTransfer, type RunningOutsideTransfer } from './running-transfer.ts'
import { playRingback } from './transfer.ts'

/** Calls the number while the customer waits. False if there is nothing to transfer. */
export async function beginOutsideTransfer(
  state: ConversationState,
  id: string,
  target: OutsideTarget,
  asked: ReferRequest,
): Promise<boolean> {
  if (state.now.is !== 'talking') return false
  await state.sound.keepWaiting()
  const stopSounds = await playRingback(state)
  const transfer = { id, ringing: callOutside(state, target), report: asked.report, stopSounds }
  state.now = { is: 'calling_outside', transfer }
  asked.accept()
  state.turns.write((tx) => setCallState(tx, state.call.ref, 'answered'))
  state.turns.startAfter(transfer.ringing.outcome, (outcome) => called(state, transfer, outcome))
  return true
}

/** Whoever is called sees the business number. */
function callOutside({ parts: { edge }, call }: ConversationState, target: OutsideTarget): Ringing {
  const { trunk, number } = target
  const { transport, isEncryptionRequired } = trunk
  const route: PhoneRoute = {
    target: { to: 'trunk', trunk: trunk.name, number },
    transport,
    ...(isEncryptionRequired && { isEncryptionRequired }),
  }
  const display = async () => identify(trunk, { number: call.number.number })
  return ringPhones(edge, async () => [route], display, { ringMs: TELEPHONY_LIMITS.transferRingMs })
}

async function called(
  state: ConversationState,
  transfer: RunningOutsideTransfer,
  outcome: RingOutcome,
): Promise<void> {
  transfer.stopSounds()
  const isCurrent = state.now.is === 'calling_outside' && state.now.transfer === transfer
  if (!isCurrent) return outcome.is === 'answered' ? outcome.leg.hangUp() : undefined
  return outcome.is === 'answered'
    ? putThrough(state, transfer, outcome.leg)
    : giveBack(state, transfer, outcome.is === 'declined' ? 603 : 480)
}

/** The employee leaves; the call goes on until one of the two hangs up. */
async function putThrough(
  state: ConversationState,
  transfer: RunningOutsideTransfer,
  leg: Leg,
): Promise<void> {
  const { parts, turns, sound, call, controller } = state
  const { clock, trace, media } = parts.edge
  state.now = { is: 'outside', leg }
  trace.link(call.ref.callId, leg.call.id)
  const ref = refOf(state, transfer)
  transfer.report(200)
  controller.leg.hangUp()
  leg.listener = {
    onHold: () => turns.start(() => (state.now.is === 'outside' ? sound.join(leg) : undefined)),
    onKey: (key) => {
      // Fails if the customer has just hung up, which does not matter.
      media.sendDigits(call.customer.sound, [key]).catch(() => {})
    },
    onTransfer: (asked) => asked.refuse(603),
  }
  turns.startAfter(leg.ended, () => endConversation(state, 'outside_hung_up'))
  const stopTimer = clock.after(TELEPHONY_LIMITS.outsideTransferMs, () => leg.hangUp())
  turns.startAfter(leg.ended, stopTimer)
  await sound.join(leg)
  turns.write((tx) => outsideTransferCompleted(tx, ref))
}

/** False if somebody has answered, or it is over. */
export async function cancelCallOutside(state: ConversationState, id: string): Promise<boolean> {
  if (state.now.is !== 'calling_outside' || state.now.transfer.id !== id) return false
  await giveBack(state, state.now.transfer, 487)
  return true
}

/** Nobody answered: the employee gets the customer back. */
async function giveBack(
  state: ConversationState,
  transfer: RunningOutsideTransfer,
  status: number,
): Promise<void> {
  const { parts, turns, sound, controller, call } = state
  const ref = refOf(state, transfer)
  state.now = { is: 'talking', failedAt: parts.edge.clock.now() }
  abortOutsideTransfer(transfer, status)
  turns.write(async (tx) => {
    await outsideTransferFailed(tx, ref)
    await setCallState(tx, call.ref, 'bridged')
  })
  if (controller.leg.isOver) return recallController(state)
  await sound.join(controller.leg)
}

const refOf = (
  { call, controller }: ConversationState,
  { id }: RunningOutsideTransfer,
): OutsideTransferRef => ({
  ...call.ref,
  outsideTransferId: id,
  employeeId: controller.employeeId,
})
