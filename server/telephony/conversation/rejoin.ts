import type { Leg } from '../call/leg.ts'
import { type ConversationState, employeeLegOf, transferOf } from './conversation-state.ts'
import { playRingback } from './transfer/transfer.ts'

/** Replaces the leg of an employee in the call by a new one, as after a page reload. False if it is too late. */
export async function replaceLeg(talk: ConversationState, employeeId: string, leg: Leg): Promise<boolean> {
  const before = employeeLegOf(talk, employeeId)
  if (talk.now.is === 'over' || !before) return false
  const party = { employeeId, leg }
  if (before === talk.controller) talk.controller = party
  else transferOf(talk)!.target = party
  before.leg.hangUp()
  talk.watch(party)
  await hearAgain(talk)
  return true
}

/** Connects the new leg as the old one was. */
async function hearAgain(talk: ConversationState): Promise<void> {
  const { sound, parts, controller } = talk
  const transfer = transferOf(talk)
  if (!transfer) return sound.join(controller.leg)
  if (transfer.target) return parts.edge.media.bridge(controller.leg.sound, transfer.target.leg.sound)
  const stopRingback = await playRingback(talk)
  const { stopSounds } = transfer
  transfer.stopSounds = () => {
    stopSounds()
    stopRingback()
  }
}
