import type { Leg } from '../call/leg.ts'
import { type ConversationState, employeeLegOf, transferOf } from './conversation-state.ts'
import { connectConference } from './transfer/conference.ts'
import { playRingback } from './transfer/transfer.ts'

/** Replaces the leg of an employee in the call by a new one, as after a page reload. False if it is too late. */
export async function replaceLeg(state: ConversationState, employeeId: string, leg: Leg): Promise<boolean> {
  const before = employeeLegOf(state, employeeId)
  if (state.now.is === 'over' || !before) return false
  const party = { employeeId, leg }
  if (before === state.controller) state.controller = party
  else transferOf(state)!.target = party
  before.leg.hangUp()
  state.watch(party)
  await hearAgain(state)
  return true
}

/** Connects the new leg as the old one was. */
async function hearAgain(state: ConversationState): Promise<void> {
  const { sound, parts, controller } = state
  const toCoworker = transferOf(state)
  const transfer = state.now.is === 'calling_outside' ? state.now.transfer : toCoworker
  if (!transfer) return sound.join(controller.leg)
  if (toCoworker?.isConference) return connectConference(state, toCoworker)
  if (toCoworker?.target) return parts.edge.media.bridge(controller.leg.sound, toCoworker.target.leg.sound)
  const stopRingback = await playRingback(state)
  const { stopSounds } = transfer
  transfer.stopSounds = () => {
    stopSounds()
    stopRingback()
  }
}
