import { z } from 'zod'

import { Id } from '../../platform/ids.ts'
import { CALL_STATES } from '../calls/index.ts'

export type CallState = (typeof CALL_STATES)[number]

const TRANSFER_STATES = ['ringing', 'consulting', 'completed', 'cancelled', 'failed'] as const
export type TransferState = (typeof TRANSFER_STATES)[number]

const Coworker = z.object({ id: Id('emp'), name: z.string() })

export const Transfer = z
  .object({
    id: Id('tra'),
    state: z.enum(TRANSFER_STATES),
    from_employee: Coworker.meta({ description: 'Who had the call in hand when the transfer began.' }),
    to_employee: Coworker,
  })
  .meta({ id: 'Transfer' })
export type Transfer = z.output<typeof Transfer>

export const ActiveCall = z
  .object({
    call: z.object({
      id: Id('cal'),
      state: z.enum(CALL_STATES),
      direction: z.enum(['inbound', 'outbound']),
      from: z.string(),
      to: z.string(),
    }),
    transfer: Transfer.nullable().meta({ description: 'The open transfer of the call.' }),
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

/** What the edge that holds a call is asked to do. */
export const EdgeCommand = z.discriminatedUnion('do', [
  z.object({ do: z.literal('start_transfer'), transferId: z.uuid(), toEmployeeId: z.uuid() }),
  z.object({ do: z.literal('complete_transfer'), transferId: z.uuid() }),
  z.object({ do: z.literal('cancel_transfer'), transferId: z.uuid() }),
  z.object({ do: z.literal('stop_ringing'), transferId: z.uuid() }),
])
export type EdgeCommand = z.output<typeof EdgeCommand>
