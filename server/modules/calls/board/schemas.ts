import { z } from 'zod'

import { Id } from '../../../platform/ids.ts'
import { ContactName, RemoteNumber, Timestamp } from '../../../platform/schemas.ts'
import { InternalCall } from '../internal/schemas.ts'
import { CALL_STATES, DIRECTIONS } from '../schemas.ts'

const Person = z.object({ id: Id('emp'), name: z.string() })

export const LiveCall = z
  .object({
    id: Id('cal'),
    direction: z.enum(DIRECTIONS),
    state: z.enum(CALL_STATES),
    phone_number: RemoteNumber,
    contact_name: ContactName,
    main_number_id: Id('num'),
    main_number_name: z.string(),
    started_at: Timestamp.nullable(),
    answered_at: Timestamp.nullable(),
    employee: Person.nullable().meta({ description: 'Who has the call now.' }),
    employee_since: Timestamp.nullable().meta({ description: 'Since when they have talked.' }),
    consulted: Person.nullable().meta({
      description: 'The coworker to whom the employee talks about a transfer, while the customer is on hold.',
    }),
    position: z.int().nullable().meta({
      description: 'The place in the queue of the business number, from 1; null if the caller is not in it.',
    }),
  })
  .meta({ id: 'LiveCall' })
export type LiveCall = z.output<typeof LiveCall>

export const LiveCalls = z.object({
  calls: z.array(LiveCall).meta({ description: 'The oldest first.' }),
  internal_calls: z.array(InternalCall).meta({ description: 'Between employees, the newest first.' }),
})
export type LiveCalls = z.output<typeof LiveCalls>

export const CallsToday = z
  .object({
    date: z.iso.date(),
    time_zone: z.string().meta({
      description: 'That of the oldest business number in service; UTC if there is none.',
    }),
    inbound: z.object({
      calls: z.int(),
      answered: z.int(),
      missed: z.int().meta({ description: 'Ended, and nobody answered; some left a voicemail.' }),
      average_wait_secs: z.int().nullable().meta({
        description: 'From the beginning of a call until somebody answered; null if nobody has answered any.',
      }),
    }),
    outbound: z.object({ calls: z.int(), answered: z.int() }),
  })
  .meta({ id: 'CallsToday', description: 'Counts calls that began on this day.' })
export type CallsToday = z.output<typeof CallsToday>
