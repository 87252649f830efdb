import { queryOptions } from '@tanstack/react-query'

import { answerOf, client } from './client.ts'
import type { components } from './schema.ts'

export type ContextEntry = components['schemas']['CallerContextEntry']
export type ContextSection = ContextEntry['sections'][number]
export type ContextFormat = 'text' | 'money' | 'date' | 'email' | 'phone' | 'badge'
export type ContextValue = string | components['schemas']['Money']

/** A look-up is not repeated while somebody only browses around. */
const LIMITS = { freshMs: 60_000 }

/** Queries the company's integrations for this number. Some may take seconds. */
export const callerContextQuery = (phone: string) =>
  queryOptions({
    queryKey: ['caller-context', phone],
    queryFn: () => answerOf(client.GET('/api/v1/caller_context', { params: { query: { phone } } })),
    staleTime: LIMITS.freshMs,
    refetchOnWindowFocus: false,
  })

/** The state of the integrations after the look-up at that time. */
export const integrationsAskedQuery = (askedAt: string) =>
  queryOptions({
    queryKey: ['integrations', 'asked', askedAt],
    queryFn: () => answerOf(client.GET('/api/v1/integrations', {})),
  })
