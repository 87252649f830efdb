import { queryOptions } from '@tanstack/react-query'

import { answerOf, client } from './client.ts'
import type { components } from './schema.ts'

export type Call = components['schemas']['Call']

export interface CallFilter {
  query?: string
  main_number_id?: string
  phone_number?: string
  direction?: 'inbound' | 'outbound'
  state?: string
  limit?: string
}

export const callsQuery = (filter: CallFilter) =>
  queryOptions({
    queryKey: ['calls', filter],
    queryFn: async () => (await answerOf(client.GET('/api/v1/calls', { params: { query: filter } }))).calls,
  })

export const callQuery = (id: string) =>
  queryOptions({
    queryKey: ['call', id],
    queryFn: () => answerOf(client.GET('/api/v1/calls/{id}', { params: { path: { id } } })),
  })
