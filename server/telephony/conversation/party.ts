import type { Leg } from '../call/leg.ts'

/** An employee with a phone in hand. */
export interface Party {
  employeeId: string
  leg: Leg
}
