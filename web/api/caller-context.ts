import { queryOptions } from '@tanstack/react-query'

import { answerOf, client } from './client.ts'
import type { components } from './schema.ts'

export type ContextEntry = components['schemas']['CallerContextEntry']
export type ContextSection = ContextEntry['sections'][number]
export type ContextFormat = 'text' | 'money' | 'date' | 'email' | 'phone' | 'badge'
export type ContextValue = string | components['schemas']['Money']

/** What other systems were told is not asked for again while somebody only looks here and there. */
const LIMITS = { freshMs: 60_000 }

/** Asks the company's other systems who has this number. Some of them may take seconds. */
export const callerContextQuery = (phone: string) =>
  queryOptions({
    queryKey: ['caller-context', phone],
    queryFn: () => answerOf(client.GET('/api/v1/caller_context', { params: { query: { phone } } })),
    staleTime: LIMITS.freshMs,
    refetchOnWindowFocus: false,
  })

/** How the systems fared when they were asked at that time. */
export const integrationsAskedQuery = (askedAt: string) =>
  queryOptions({
    queryKey: ['integrations', 'asked', askedAt],
    queryFn: () => answerOf(client.GET('/api/v1/integrations', {})),
  })
