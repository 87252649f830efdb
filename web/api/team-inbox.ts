import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'

import { answerOf, client } from './client.ts'
import type { ThreadFilter } from './inbox.ts'
import type { components } from './schema.ts'

export type TeamThread = components['schemas']['TeamThread']
export type ThreadTeam = components['schemas']['ThreadTeam']
export type Note = components['schemas']['InternalNote']
export type ThreadState = ThreadTeam['state']
export type Shown = 'open' | 'mine' | 'unassigned' | 'missed' | 'voicemails' | 'mentions' | 'snoozed' | 'done'

export const teamThreadsQuery = (filter: ThreadFilter & { show: Shown }) =>
  infiniteQueryOptions({
    queryKey: ['inbox', filter],
    queryFn: ({ pageParam }) =>
      answerOf(client.GET('/api/v1/inbox/threads', { params: { query: { ...filter, cursor: pageParam } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  })

const of = (phone: string) => ({ params: { path: { phone_number: phone } } })

export const threadTeamQuery = (phone: string) =>
  queryOptions({
    queryKey: ['thread-team', phone],
    queryFn: () => answerOf(client.GET('/api/v1/inbox/{phone_number}/team', of(phone))),
  })

export const notesQuery = (phone: string) =>
  infiniteQueryOptions({
    queryKey: ['notes', phone],
    queryFn: ({ pageParam }) =>
      answerOf(
        client.GET('/api/v1/inbox/{phone_number}/notes', {
          params: { path: { phone_number: phone }, query: { cursor: pageParam } },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  })

/** The queries that a change of the team's view of a thread makes stale. */
export const teamChanges = (phone: string) => [['inbox'], ['thread-team', phone], ['notes', phone]]

export interface StateChange {
  state: ThreadState
  until?: string
  through?: string
}

export const setThreadState = (phone: string, body: StateChange) =>
  answerOf(client.PUT('/api/v1/inbox/{phone_number}/state', { ...of(phone), body }))

export const assignThread = (phone: string, employeeId: string | null) =>
  answerOf(
    client.PUT('/api/v1/inbox/{phone_number}/assignee', { ...of(phone), body: { employee_id: employeeId } }),
  )

export const setWriting = (phone: string, writing: boolean) =>
  answerOf(client.POST('/api/v1/inbox/{phone_number}/writing', { ...of(phone), body: { writing } }))

export const createNote = (phone: string, body: { text: string; mentioned_employee_ids: string[] }) =>
  answerOf(client.POST('/api/v1/inbox/{phone_number}/notes', { ...of(phone), body }))

export const deleteNote = ({ phone, id }: { phone: string; id: string }) =>
  answerOf(
    client.DELETE('/api/v1/inbox/{phone_number}/notes/{id}', {
      params: { path: { phone_number: phone, id } },
    }),
  )

export const markMentionsSeen = (phone: string) =>
  answerOf(client.POST('/api/v1/inbox/{phone_number}/notes/seen', of(phone)))
