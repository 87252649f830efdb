import { queryOptions, useQuery } from '@tanstack/react-query'

import { answerOf, client } from '../../api/client.ts'
import type { components } from '../../api/schema.ts'
import { sessionQuery } from '../../api/session.ts'
import type { PhoneCall } from '../phone/state.ts'

export type Coworker = components['schemas']['Extension']

export const extensionsQuery = () =>
  queryOptions({
    queryKey: ['extensions'],
    queryFn: async () => (await answerOf(client.GET('/api/v1/extensions', {}))).extensions,
  })

const LIMITS = { offered: 5 }

/** Those whose name contains what was typed, or whose extension begins with it. */
export function coworkersFor(typed: string, coworkers: Coworker[]): Coworker[] {
  const wanted = typed.trim().toLocaleLowerCase()
  if (wanted === '') return []
  const isMeant = ({ name, extension }: Coworker) =>
    name.toLocaleLowerCase().includes(wanted) || extension.startsWith(wanted)
  return coworkers.filter(isMeant).slice(0, LIMITS.offered)
}

/** The coworkers of whoever is signed in. */
export function useCoworkers(): Coworker[] {
  const { data: session } = useQuery(sessionQuery())
  const { data: extensions = [] } = useQuery(extensionsQuery())
  return extensions.filter(({ employee_id }) => employee_id !== session?.employee.id)
}

/** Whether a call that rings comes from a coworker. A caller from outside may have any digits as their number. */
export const isFromCoworker = ({ id }: PhoneCall) => id?.startsWith('ica_') ?? false

/** The coworker at the other end; undefined if it is a customer. */
export function useCoworkerOf(call: PhoneCall): Coworker | undefined {
  const coworkers = useCoworkers()
  const isInternal = call.direction === 'incoming' ? isFromCoworker(call) : call.number === null
  return isInternal ? coworkers.find(({ extension }) => extension === call.other) : undefined
}
