import type { Ringing } from '../../ring/ringing.ts'
import type { Party } from '../party.ts'

/** A transfer in progress. */
export interface RunningTransfer {
  id: string
  toEmployeeId: string
  ringing: Ringing
  /** The coworker, once they have answered. */
  target?: Party
  /** A blind transfer: the coworker gets the customer as soon as they answer. */
  isBlind: boolean
  /** Reports progress to the phone that requested the transfer, as SIP statuses. */
  report(status: number): void
  stopSounds: () => void
}

/** Stops ringing the coworker, or hangs up on them. */
export function callOff(transfer: RunningTransfer, status: number): void {
  transfer.stopSounds()
  transfer.ringing.callOff()
  transfer.target?.leg.hangUp()
  transfer.report(status)
}
