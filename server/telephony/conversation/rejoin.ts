import type { Leg } from '../call/leg.ts'
import { partyOf, type Talk, transferOf } from './talk.ts'
import { ringBack } from './transfer/transfer.ts'

/** The phone of an employee who talks is back: its new leg takes the place of the old. False when it is too late. */
export async function rejoin(talk: Talk, employeeId: string, leg: Leg): Promise<boolean> {
  const before = partyOf(talk, employeeId)
  if (talk.now.is === 'over' || !before) return false
  const party = { employeeId, leg }
  if (before === talk.controller) talk.controller = party
  else transferOf(talk)!.target = party
  before.leg.hangUp()
  talk.watch(party)
  await hearAgain(talk)
  return true
}

/** As things stand, with a leg that is new to them. */
async function hearAgain(talk: Talk): Promise<void> {
  const { sound, parts, controller } = talk
  const transfer = transferOf(talk)
  if (!transfer) return sound.join(controller.leg)
  if (transfer.target) return parts.exchange.media.bridge(controller.leg.sound, transfer.target.leg.sound)
  const stopRingback = await ringBack(talk)
  const { stopSounds } = transfer
  transfer.stopSounds = () => {
    stopSounds()
    stopRingback()
  }
}
