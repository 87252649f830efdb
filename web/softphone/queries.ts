import { queryOptions, useQuery } from '@tanstack/react-query'

import { answerOf, ApiError, client } from '../api/client.ts'

/** Null when the employee has no call in hand: then the answer is empty. */
export async function readActiveCall() {
  const active = await answerOf(client.GET('/api/v1/calls/active', {}))
  return active && 'call' in active ? active : null
}

/**
 * The call that the employee has in hand, null when there is none, undefined when nobody can tell. Whoever is refused is
 * not led to the sign-in: they may be talking.
 */
export async function askForCallInHand(): Promise<string | null | undefined> {
  const answer = await client.GET('/api/v1/calls/active', {}).catch(() => undefined)
  if (!answer?.response.ok) return undefined
  return answer.data && 'call' in answer.data ? answer.data.call.id : null
}

/** Read again by the live channel when a call or somebody's presence changes. */
export const activeCallQuery = () =>
  queryOptions({
    queryKey: ['active-call'],
    queryFn: readActiveCall,
    staleTime: 0,
  })

export const numbersQuery = () =>
  queryOptions({
    queryKey: ['numbers', 'of the phone'],
    queryFn: async () => (await answerOf(client.GET('/api/v1/business_numbers', {}))).main_numbers,
  })

export const doNotDisturbQuery = (id: string) =>
  queryOptions({
    queryKey: ['employees', id, 'do-not-disturb'],
    queryFn: () =>
      answerOf(client.GET('/api/v1/employees/{id}/do_not_disturb', { params: { path: { id } } })),
  })

/** The name that the company knows a number by. */
export function useContactName(phone: string | undefined): string | undefined {
  const { data } = useQuery({
    queryKey: ['contacts', 'of the number', phone],
    queryFn: () => answerOf(client.GET('/api/v1/contacts', { params: { query: { phone } } })),
    enabled: phone !== undefined && /^\+?\d+$/.test(phone),
  })
  return data?.[0]?.name ?? data?.[0]?.company_name ?? undefined
}

/** The name of one of the company's own numbers. */
export function useNumberName(number: string | null): string | undefined {
  const { data } = useQuery(numbersQuery())
  const own = data?.find((one) => one.number === number)
  return own?.name ?? number ?? undefined
}

/** Null where nothing is simulated. */
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
