import type { Leg } from '../call/leg.ts'
import type { DeviceOwner } from '../port.ts'

/** A phone that has dialled a code, and is not answered yet. */
export interface DiallingPhone {
  owner: DeviceOwner
  leg: Leg
  /** Answers it. */
  accept(): void
  /** Its SIP messages are shown with those of this call. */
  linkTo(callId: string): void
}

export interface CodeRefusal {
  status: number
  why: string
}
