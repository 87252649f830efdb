import type { Ringing } from '../../ring/ringing.ts'
import type { EmployeeLeg } from '../employee-leg.ts'

/** A transfer in progress. */
export interface RunningTransfer {
  id: string
  toEmployeeId: string
  ringing: Ringing
  /** The coworker, once they have answered. */
  target?: EmployeeLeg
  /** A blind transfer: the coworker gets the customer as soon as they answer. */
  isBlind: boolean
  /** The customer, the controller and the coworker hear one another. */
  isConference?: true
  /** Reports progress to the phone that requested the transfer, as SIP statuses. */
  report(status: number): void
  stopSounds: () => void
}

/** Stops ringing the coworker, or hangs up on them. */
export function abortTransfer(transfer: RunningTransfer, status: number): void {
  transfer.stopSounds()
  transfer.ringing.cancel()
  transfer.target?.leg.hangUp()
  transfer.report(status)
}

/** A transfer to somebody outside the company who has not answered yet. */
export interface RunningOutsideTransfer {
  id: string
  ringing: Ringing
  /** Reports progress to the phone that requested the transfer, as SIP statuses. */
  report(status: number): void
  stopSounds: () => void
}

export function abortOutsideTransfer(transfer: RunningOutsideTransfer, status: number): void {
  transfer.stopSounds()
  transfer.ringing.cancel()
  transfer.report(status)
}
