import { queryOptions, useQuery } from '@tanstack/react-query'

import { answerOf, ApiError, client } from '../api/client.ts'

/** A page of the API. */
const LIMITS = { internalCalls: 50 }

/** Null if the employee has no active call: then the response is empty. */
export async function readActiveCall() {
  const active = await answerOf(client.GET('/api/v1/calls/active', {}))
  return active && 'call' in active ? active : null
}

/**
 * The employee's active call, null if there is none, undefined if it is unknown. A 401 does not redirect to the
 * sign-in: the employee may be in a call.
 */
export async function readActiveCallId(employeeId: string): Promise<string | null | undefined> {
  const answer = await client.GET('/api/v1/calls/active', {}).catch(() => undefined)
  if (!answer?.response.ok) return undefined
  return answer.data && 'call' in answer.data ? answer.data.call.id : readInternalCallId(employeeId)
}

/** The number of the customer in the employee's active call, if it is this one. */
export async function readCustomerOf(callId: string): Promise<string | undefined> {
  const answer = await client.GET('/api/v1/calls/active', {}).catch(() => undefined)
  const call = answer?.data && 'call' in answer.data ? answer.data.call : undefined
  if (call?.id !== callId) return undefined
  return call.direction === 'inbound' ? call.from : call.to
}

/** The employee's call with a coworker, as above. */
export async function readInternalCallId(employeeId: string): Promise<string | null | undefined> {
  // In this order, a call that is answered between the two requests is found.
  for (const state of ['initiated', 'answered']) {
    const query = { direction: 'internal', state, limit: LIMITS.internalCalls } as const
    const answer = await client.GET('/api/v1/calls', { params: { query } }).catch(() => undefined)
    if (!answer?.response.ok || !answer.data) return undefined
    const own = answer.data.calls.find(
      (call) =>
        call.direction === 'internal' && [call.from_employee?.id, call.to_employee?.id].includes(employeeId),
    )
    if (own) return own.id
  }
  return null
}

export type ActiveCall = NonNullable<Awaited<ReturnType<typeof readActiveCall>>>

/** The queries that a transfer of the active call makes stale. */
export const ACTIVE_CALL_CHANGES = { touches: [['active-call'], ['employees']] }

/** Refetched by the live channel when a call or a presence changes. */
export const activeCallQuery = () =>
  queryOptions({
    queryKey: ['active-call'],
    queryFn: readActiveCall,
    staleTime: 0,
  })

/** The employee who answered the call of a customer; null if it is not known. Refetched when the call changes. */
export const answererQuery = (id: string | null) =>
  queryOptions({
    queryKey: ['call', id, 'answerer'],
    queryFn: async () => {
      const { employees } = await answerOf(
        client.GET('/api/v1/calls/{id}', { params: { path: { id: id! } } }),
      )
      return employees.at(-1) ?? null
    },
    enabled: id?.startsWith('cal_') ?? false,
    staleTime: 0,
  })

/** Refetched by the live channel when the call changes. */
export const callStateQuery = (id: string | null) =>
  queryOptions({
    queryKey: ['call', id, 'state'],
    queryFn: async () =>
      (await answerOf(client.GET('/api/v1/calls/{id}', { params: { path: { id: id! } } }))).state,
    staleTime: 0,
  })

/** Refetched by the live channel when the call changes. */
export const callRecordingQuery = (call_id: string) =>
  queryOptions({
    queryKey: ['call', call_id, 'recording'],
    queryFn: () =>
      answerOf(client.GET('/api/v1/calls/{call_id}/recording', { params: { path: { call_id } } })),
    staleTime: 0,
  })

export const ownNumbersQuery = () =>
  queryOptions({
    queryKey: ['numbers', 'of the phone'],
    queryFn: async () => {
      const { main_numbers } = await answerOf(client.GET('/api/v1/business_numbers', {}))
      return main_numbers.filter(({ retired_at }) => retired_at === undefined)
    },
  })

/** The contact's name for a number. */
export function useContactName(phone: string | undefined): string | undefined {
  const { data } = useQuery({
    queryKey: ['contacts', 'of the number', phone],
    queryFn: () => answerOf(client.GET('/api/v1/contacts', { params: { query: { phone } } })),
    enabled: phone !== undefined && /^\+?\d+$/.test(phone),
  })
  return data?.[0]?.name ?? data?.[0]?.company_name ?? undefined
}

/** The name of a business number. */
export function useNumberName(number: string | null): string | undefined {
  const { data } = useQuery(ownNumbersQuery())
  const own = data?.find((one) => one.number === number)
  return own?.name ?? number ?? undefined
}

/** Null without a simulator. */
export const simulatorQuery = () =>
  queryOptions({
    queryKey: ['simulator'],
    queryFn: () =>
      answerOf(client.GET('/api/v1/simulator', {})).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }),
    staleTime: Infinity,
  })
