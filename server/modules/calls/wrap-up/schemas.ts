import { z } from 'zod'

import { Id } from '../../../platform/ids.ts'
import { GivenTime, optionalBody, Timestamp } from '../../../platform/schemas.ts'
import { CALL_LIMITS } from '../limits.ts'

export const OUTCOMES = ['resolved', 'call_back', 'left_message', 'wrong_number', 'spam'] as const
export const Outcome = z.enum(OUTCOMES)
export type Outcome = z.output<typeof Outcome>

export const WrapUp = z
  .object({
    outcome: Outcome.nullable(),
    note: z.string().nullable(),
    author: z.object({ id: Id('emp'), name: z.string() }).meta({ description: 'Who wrote it last.' }),
    updated_at: Timestamp,
  })
  .meta({ id: 'WrapUp', description: 'What an employee noted after a call. The customer never sees it.' })
export type WrapUp = z.output<typeof WrapUp>

export const WrapUpUpdate = z.object({
  outcome: Outcome.nullable().meta({ description: 'How the call went.' }),
  note: optionalBody(CALL_LIMITS.noteCharacters).meta({ description: 'Found by the search of calls.' }),
  previous_updated_at: GivenTime.transform((text) => new Date(text))
    .nullable()
    .optional()
    .meta({
      description:
        'The `updated_at` of the wrap-up that this one replaces, or null for none. If another has been saved since, nothing is changed.',
    }),
})
export type WrapUpUpdate = z.output<typeof WrapUpUpdate>
