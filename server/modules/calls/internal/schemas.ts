import { z } from 'zod'

import { Id } from '../../../platform/ids.ts'
import { Timestamp } from '../../../platform/schemas.ts'

const Party = z.object({ id: Id('emp'), name: z.string() }).nullable()

/** A call between two employees. It has no business number, no recording and no transcript. */
export const InternalCall = z
  .object({
    id: Id('ica'),
    direction: z.literal('internal'),
    from: z.string().meta({ description: 'The extension of the caller at that time.' }),
    to: z.string().meta({ description: 'The extension that was dialled.' }),
    from_employee: Party,
    to_employee: Party,
    state: z.enum(['initiated', 'answered', 'ended']),
    started_at: Timestamp,
    answered_at: Timestamp.nullable(),
    duration: z
      .int()
      .nullable()
      .meta({ description: 'Seconds since it was answered; null while in progress.' }),
  })
  .meta({ id: 'InternalCall' })
export type InternalCall = z.output<typeof InternalCall>
