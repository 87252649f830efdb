import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'

import { answerOf, client } from './client.ts'
import type { components } from './schema.ts'

export type Call = components['schemas']['Call']
export type WrapUp = components['schemas']['WrapUp']
export type LiveCall = components['schemas']['LiveCall']
export type CallsToday = components['schemas']['CallsToday']
export type ParkedCall = components['schemas']['ParkedCall']
export type InternalCall = components['schemas']['InternalCall']

export interface LiveCalls {
  calls: LiveCall[]
  internal_calls: InternalCall[]
}

export interface CallFilter {
  query?: string
  main_number_id?: string
  phone_number?: string
  direction?: 'inbound' | 'outbound'
  outcome?: WrapUp['outcome'] & string
}

/** The maximum page size of the API. */
const LIMITS = { page: 50 }

/** A page of calls, and the cursor of the next. */
async function readPage(filter: CallFilter, after: string | undefined) {
  const query = { ...filter, after, limit: LIMITS.page }
  const { calls } = await answerOf(client.GET('/api/v1/calls', { params: { query } }))
  return {
    calls: calls.filter(isWithCustomer),
    next: calls.length < LIMITS.page ? undefined : calls.at(-1)?.id,
  }
}

/** Internal calls are listed only if they are asked for. */
const isWithCustomer = (call: Call | InternalCall): call is Call => call.direction !== 'internal'

async function readInternalPage(after: string | undefined) {
  const query = { direction: 'internal', after, limit: LIMITS.page } as const
  const { calls } = await answerOf(client.GET('/api/v1/calls', { params: { query } }))
  const internal = calls.filter((call): call is InternalCall => call.direction === 'internal')
  return { calls: internal, next: calls.length < LIMITS.page ? undefined : calls.at(-1)?.id }
}

export const internalCallsQuery = () =>
  infiniteQueryOptions({
    queryKey: ['calls', 'internal'],
    queryFn: ({ pageParam }) => readInternalPage(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  })

const RECENT = 5

/** The latest calls with a customer. */
export const recentCallsQuery = (phone: string) =>
  queryOptions({
    queryKey: ['calls', 'recent', phone],
    queryFn: async () => {
      const query = { phone_number: phone, limit: RECENT }
      const { calls } = await answerOf(client.GET('/api/v1/calls', { params: { query } }))
      return calls.filter(isWithCustomer)
    },
  })

export const callsQuery = (filter: CallFilter) =>
  infiniteQueryOptions({
    queryKey: ['calls', filter],
    queryFn: ({ pageParam }) => readPage(filter, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  })

/** Not below `calls`: the board decides itself when to read it again. */
export const liveCallsQuery = () =>
  queryOptions({
    queryKey: ['live-calls'],
    queryFn: () => answerOf(client.GET('/api/v1/calls/live', {})),
    staleTime: 0,
  })

export const callsTodayQuery = () =>
  queryOptions({
    queryKey: ['calls-today'],
    queryFn: () => answerOf(client.GET('/api/v1/calls/today', {})),
    staleTime: 0,
  })

export const callQuery = (id: string) =>
  queryOptions({
    queryKey: ['call', id],
    queryFn: () => answerOf(client.GET('/api/v1/calls/{id}', { params: { path: { id } } })),
  })

interface WrapUpChange {
  outcome: WrapUp['outcome']
  note: string
  /** Of the one that is replaced. */
  previous_updated_at: string | null
}

export const setWrapUp = (call_id: string, body: WrapUpChange) =>
  answerOf(client.PUT('/api/v1/calls/{call_id}/wrap_up', { params: { path: { call_id } }, body }))

export const parkedCallsQuery = () =>
  queryOptions({
    queryKey: ['parked-calls'],
    queryFn: async () => (await answerOf(client.GET('/api/v1/calls/parked', {}))).parked_calls,
    staleTime: 0,
  })
