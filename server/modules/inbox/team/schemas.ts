import { z } from 'zod'

import { Id } from '../../../platform/ids.ts'
import { GivenTime, RemoteNumber, Timestamp } from '../../../platform/schemas.ts'
import { Boundary, Thread, ThreadFilter, ThreadPage } from '../schemas.ts'

const Coworker = z.object({ id: Id('emp'), name: z.string() })

export const THREAD_STATES = ['open', 'snoozed', 'done'] as const
export type ThreadState = (typeof THREAD_STATES)[number]

const teamFields = {
  state: z.enum(THREAD_STATES),
  is_back: z.boolean().meta({ description: 'Its snooze has ended, and nothing has happened since.' }),
  snoozed_until: Timestamp.nullable(),
  assignee: Coworker.nullable(),
  mentions_me: z.boolean().meta({ description: 'A note that the reader has not seen mentions them.' }),
}

export const TeamThread = Thread.extend({
  ...teamFields,
  preview: z.string().meta({
    description: 'At most 160 characters of what was written or said; empty for a call without words.',
  }),
}).meta({ id: 'TeamThread' })
export type TeamThread = z.output<typeof TeamThread>

export const SHOWN = [
  'open',
  'mine',
  'unassigned',
  'missed',
  'voicemails',
  'mentions',
  'snoozed',
  'done',
] as const
export type Shown = (typeof SHOWN)[number]

export const TeamFilter = ThreadFilter.extend({
  show: z.enum(SHOWN).default('open').meta({
    description:
      'Open threads: all, yours, nobody’s, or those that end with a missed call or a voicemail; or those with an unseen mention of you, snoozed, or done.',
  }),
})
export type TeamFilter = z.output<typeof TeamFilter>

export const TeamPage = ThreadPage.extend({
  threads: z.array(TeamThread),
  next_cursor: z.string().nullable().meta({
    description: 'A page may have fewer threads than `limit`, or none, and still be followed by another.',
  }),
  unseen_mentions: z.int().meta({ description: 'Threads with an unseen mention of the reader, up to 200.' }),
})
export type TeamPage = z.output<typeof TeamPage>

export const ThreadTeam = z
  .object({
    phone_number: RemoteNumber,
    ...teamFields,
    closed_by: Coworker.nullable().meta({ description: 'Who snoozed it or marked it as done.' }),
    closed_at: Timestamp.nullable(),
    writing: z
      .array(z.object({ employee: Coworker, until: Timestamp }))
      .meta({ description: 'Who is writing a text at the moment, unless they stop before.' }),
  })
  .meta({ id: 'ThreadTeam' })
export type ThreadTeam = z.output<typeof ThreadTeam>

export const ThreadStateChange = z
  .object({
    state: z.enum(THREAD_STATES).meta({ description: 'What becomes of the thread.' }),
    until: GivenTime.transform((text) => new Date(text))
      .optional()
      .meta({ description: 'When a snoozed thread comes back; required for `snoozed`, ignored otherwise.' }),
    through: Boundary.optional().meta({
      description:
        'The observed_at of the activity that was read: if something has arrived since, the thread stays open.',
    }),
  })
  .refine(({ state, until }) => state !== 'snoozed' || until !== undefined, {
    path: ['until'],
    error: 'is required',
  })
export type ThreadStateChange = z.output<typeof ThreadStateChange>

export const Assignment = z.object({
  employee_id: Id('emp').nullable().meta({ description: 'Whose it is; null for nobody.' }),
})
export type Assignment = z.output<typeof Assignment>

export const Writing = z.object({
  writing: z.boolean().meta({ description: 'True every 10 seconds while writing; false at the end.' }),
})
export type Writing = z.output<typeof Writing>
