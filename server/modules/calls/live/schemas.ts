import { z } from 'zod'

import { Id } from '../../../platform/ids.ts'
import { CALL_STATES, DIRECTIONS } from '../schemas.ts'
import { Coworker, OutsideTransfer, Transfer } from '../transfers/schemas.ts'

export const ActiveCall = z
  .object({
    call: z.object({
      id: Id('cal'),
      state: z.enum(CALL_STATES),
      direction: z.enum(DIRECTIONS),
      from: z.string(),
      to: z.string(),
    }),
    transfer: Transfer.nullable().meta({ description: 'The open transfer of the call.' }),
    outside_transfer: OutsideTransfer.nullable().meta({
      description: 'The number outside the company that is being called for the customer.',
    }),
    can_transfer_outside: z.boolean().meta({
      description: 'Whether the operator allows transfers to numbers outside the company.',
    }),
    employees: z
      .array(
        Coworker.extend({ status: z.enum(['available', 'on_call', 'ringing', 'logged_out', 'unknown']) }),
      )
      .meta({ description: 'Coworkers, and whether they can be reached.' }),
    available_employees: z
      .array(Coworker)
      .meta({ description: 'Those to whom the call can be transferred.' }),
  })
  .meta({ id: 'ActiveCall' })
export type ActiveCall = z.output<typeof ActiveCall>
