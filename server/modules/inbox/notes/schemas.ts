import { z } from 'zod'

import { Id } from '../../../platform/ids.ts'
import { RemoteNumber, requiredBody, Timestamp } from '../../../platform/schemas.ts'
import { INBOX_LIMITS } from '../limits.ts'
import { ActivityFilter } from '../schemas.ts'

const Employee = z.object({ id: Id('emp'), name: z.string() })

export const Note = z
  .object({
    id: Id('not'),
    phone_number: RemoteNumber,
    author: Employee,
    text: z.string(),
    mentions: z.array(Employee),
    created_at: Timestamp,
  })
  .meta({ id: 'InternalNote' })
export type Note = z.output<typeof Note>

export const NoteFilter = ActivityFilter.pick({ limit: true, cursor: true })
export type NoteFilter = z.output<typeof NoteFilter>

export const NotePage = z.object({ notes: z.array(Note), next_cursor: z.string().nullable() })
export type NotePage = z.output<typeof NotePage>

export const NoteCreate = z.object({
  text: requiredBody(INBOX_LIMITS.noteCharacters).meta({ description: 'What the note says.' }),
  mentioned_employee_ids: z.array(Id('emp')).max(INBOX_LIMITS.mentions).optional().meta({
    description: 'Employees who shall see it; the text usually has `@Name`.',
  }),
})
export type NoteCreate = z.output<typeof NoteCreate>
