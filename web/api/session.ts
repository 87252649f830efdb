import { queryOptions } from '@tanstack/react-query'

import { answerOf, client } from './client.ts'
import type { components } from './schema.ts'

export type Session = components['schemas']['Session']

/** Who is signed in at this browser. */
export const sessionQuery = () =>
  queryOptions({ queryKey: ['session'], queryFn: () => answerOf(client.GET('/api/v1/session', {})) })

export const keepLanguage = (language: NonNullable<Session['language']>) =>
  answerOf(client.PATCH('/api/v1/session', { body: { language } }))
