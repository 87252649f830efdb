import { z } from 'zod'

import { Id } from '../../../platform/ids.ts'
import { ContactName, RemoteNumber, Timestamp } from '../../../platform/schemas.ts'
import { CALL_LIMITS } from '../limits.ts'

export const PARKING_SLOTS = { first: CALL_LIMITS.parkingSlotFirst, last: CALL_LIMITS.parkingSlotLast }

export const ParkingSlot = z.int().min(CALL_LIMITS.parkingSlotFirst).max(CALL_LIMITS.parkingSlotLast)

export const ParkedCall = z
  .object({
    call_id: Id('cal'),
    slot: z.int(),
    code: z.string().meta({ description: 'What a phone dials to take the call.' }),
    phone_number: RemoteNumber.meta({ description: "The customer's number." }),
    contact_name: ContactName,
    parked_by: z.object({ id: Id('emp'), name: z.string() }),
    parked_at: Timestamp,
  })
  .meta({ id: 'ParkedCall' })
export type ParkedCall = z.output<typeof ParkedCall>
