import type { Ringing } from '../../ring/ringing.ts'
import type { Party } from '../party.ts'

/** The customer is on the way to another employee. */
export interface RunningTransfer {
  id: string
  toEmployeeId: string
  ringing: Ringing
  /** Who answered, once somebody did. */
  target?: Party
  /** Who began it does not talk to the target first: whoever answers has the call at once. */
  isBlind: boolean
  /** Tells the phone that asked for it how it goes, in statuses of SIP. */
  report(status: number): void
  stopSounds: () => void
}

/** Whoever rings for it, or has answered it, is let go. */
export function callOff(transfer: RunningTransfer, status: number): void {
  transfer.stopSounds()
  transfer.ringing.callOff()
  transfer.target?.leg.hangUp()
  transfer.report(status)
}
