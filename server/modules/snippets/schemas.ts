import { z } from 'zod'

import { Id } from '../../platform/ids.ts'
import { orDefault, requiredBody, requiredLine, Timestamp } from '../../platform/schemas.ts'
import { SNIPPET_LIMITS } from './limits.ts'

export const Snippet = z
  .object({
    id: Id('sni'),
    title: z.string(),
    text: z.string(),
    position: z.int(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'TextSnippet' })
export type Snippet = z.output<typeof Snippet>

export const SnippetCreate = z.object({
  title: requiredLine(SNIPPET_LIMITS.titleCharacters).meta({ description: 'By which employees find it.' }),
  text: requiredBody(SNIPPET_LIMITS.textCharacters).meta({ description: 'What is put into a text.' }),
  position: orDefault(z.int().min(0).max(SNIPPET_LIMITS.position), 0)
    .optional()
    .meta({ description: 'The place in the list; 0 if not given.' }),
})
export type SnippetCreate = z.output<typeof SnippetCreate>

export const SnippetUpdate = SnippetCreate.partial()
export type SnippetUpdate = z.output<typeof SnippetUpdate>
