import { z } from 'zod'

import { PAGE_LANGUAGES, type Language as PageLanguage } from '../../platform/http/viewer-preferences.ts'
import { Id } from '../../platform/ids.ts'

const Language = z.enum(Object.keys(PAGE_LANGUAGES) as [PageLanguage, ...PageLanguage[]])

export const SessionUpdate = z.object({
  language: Language.meta({ description: 'The language in which you use Bellhop, and get its e-mails.' }),
})
export type SessionUpdate = z.output<typeof SessionUpdate>

export const SessionInfo = z
  .object({
    employee: z.object({ id: Id('emp'), name: z.string(), email: z.string() }),
    company: z.object({ id: Id('com'), name: z.string() }),
    two_factor_enabled: z
      .boolean()
      .meta({ description: 'Whether the employee signs in with a code as well.' }),
    operator: z
      .boolean()
      .meta({ description: 'Whether the employee sees the carriers of the installation.' }),
    language: Language.nullable().meta({
      description:
        'The language that the employee last used Bellhop in, and gets e-mails in; null if none is known.',
    }),
    messaging_enabled: z.boolean().meta({ description: 'Whether the company may use texts.' }),
  })
  .meta({ id: 'Session' })
export type SessionInfo = z.output<typeof SessionInfo>
