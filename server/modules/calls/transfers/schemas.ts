import { z } from 'zod'

import { Id } from '../../../platform/ids.ts'

const TRANSFER_STATES = ['ringing', 'consulting', 'completed', 'cancelled', 'failed'] as const
export type TransferState = (typeof TRANSFER_STATES)[number]

export const Coworker = z.object({ id: Id('emp'), name: z.string() })

export const Transfer = z
  .object({
    id: Id('tra'),
    state: z.enum(TRANSFER_STATES),
    from_employee: Coworker.meta({ description: 'The controller of the call when the transfer began.' }),
    to_employee: Coworker,
  })
  .meta({ id: 'Transfer' })
export type Transfer = z.output<typeof Transfer>

export const EdgeCommand = z.discriminatedUnion('do', [
  z.object({ do: z.literal('start_transfer'), transferId: z.uuid(), toEmployeeId: z.uuid() }),
  z.object({ do: z.literal('complete_transfer'), transferId: z.uuid() }),
  z.object({ do: z.literal('cancel_transfer'), transferId: z.uuid() }),
  z.object({ do: z.literal('start_conference'), transferId: z.uuid() }),
  z.object({ do: z.literal('pick_up'), employeeId: z.uuid() }),
  z.object({ do: z.literal('park') }),
  z.object({ do: z.literal('retrieve'), employeeId: z.uuid() }),
  z.object({ do: z.literal('stop_ringing'), transferId: z.uuid() }),
  z.object({ do: z.literal('pause_recording') }),
  z.object({ do: z.literal('resume_recording') }),
])
export type EdgeCommand = z.output<typeof EdgeCommand>
