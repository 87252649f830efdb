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
    is_blind: z
      .boolean()
      .meta({ description: 'Whether the coworker gets the customer as soon as they answer.' }),
  })
  .meta({ id: 'Transfer' })
export type Transfer = z.output<typeof Transfer>

export const OutsideTransfer = z
  .object({
    id: Id('out'),
    state: z
      .enum(['ringing', 'completed', 'failed'])
      .meta({ description: '`failed`: nobody answered, or it was cancelled.' }),
    number: z.string().meta({ description: 'The number that is called, in E.164.' }),
  })
  .meta({ id: 'OutsideTransfer' })
export type OutsideTransfer = z.output<typeof OutsideTransfer>

export const EdgeCommand = z.discriminatedUnion('do', [
  z.object({
    do: z.literal('start_transfer'),
    transferId: z.uuid(),
    toEmployeeId: z.uuid(),
    isBlind: z.boolean().optional(),
  }),
  z.object({ do: z.literal('complete_transfer'), transferId: z.uuid() }),
  z.object({ do: z.literal('cancel_transfer'), transferId: z.uuid() }),
  z.object({ do: z.literal('start_conference'), transferId: z.uuid() }),
  z.object({ do: z.literal('start_outside_transfer'), employeeId: z.uuid(), number: z.string() }),
  z.object({ do: z.literal('cancel_outside_transfer'), outsideTransferId: z.uuid() }),
  z.object({ do: z.literal('pick_up'), employeeId: z.uuid() }),
  z.object({ do: z.literal('park') }),
  z.object({ do: z.literal('retrieve'), employeeId: z.uuid() }),
  z.object({ do: z.literal('stop_ringing'), transferId: z.uuid() }),
  z.object({ do: z.literal('pause_recording') }),
  z.object({ do: z.literal('resume_recording') }),
])
export type EdgeCommand = z.output<typeof EdgeCommand>
