import type { Ringing } from '../../ring/ringing.ts'

/** A customer is parked. */
export interface Parking {
  parkedBy: string
  /** How often the employee who parked the call was rung. */
  recalls: number
  /** Whose phones ring for the call. */
  rung?: { employeeId: string; ringing: Ringing }
  stopTimer(): void
}

/** The call was taken, or is over: nobody is rung for it any more. */
export function stopParking({ rung, stopTimer }: Parking, why?: 'elsewhere'): void {
  stopTimer()
  rung?.ringing.cancel(why)
}
