import type { Leg } from '../call/leg.ts'

/** An employee who takes part in the call. */
export interface EmployeeLeg {
  employeeId: string
  leg: Leg
}
