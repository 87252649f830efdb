import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'

import { answerOf, client } from './client.ts'
import type { components } from './schema.ts'

export type Contact = components['schemas']['Contact']

export interface ContactInput {
  phone: string
  name?: string | null
  email?: string | null
  company_name?: string | null
  note?: string | null
}

export const contactsQuery = () =>
  queryOptions({
    queryKey: ['contacts'],
    queryFn: () => answerOf(client.GET('/api/v1/contacts', {})),
  })

/** The queries that a change of contacts makes stale. */
export const CONTACT_CHANGES = [
  ['contacts'],
  ['inbox'],
  ['activity'],
  ['voicemails'],
  ['calls'],
  ['call'],
  ['parked-calls'],
]

export type ContactOrder = 'name' | 'newest'

/** Contacts page by page: those that a text finds, or all. */
export const contactSearchQuery = (q: string, sort: ContactOrder = 'name') =>
  infiniteQueryOptions({
    queryKey: ['contacts', 'search', q, sort],
    queryFn: ({ pageParam, signal }) =>
      answerOf(
        client.GET('/api/v1/contacts/search', { params: { query: { q, sort, cursor: pageParam } }, signal }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  })

const SUGGESTED = 5

/** The first contacts that a text finds. */
export const contactSuggestionsQuery = (q: string) =>
  queryOptions({
    queryKey: ['contacts', 'suggested', q],
    queryFn: async ({ signal }) => {
      const query = { q, limit: SUGGESTED }
      return (await answerOf(client.GET('/api/v1/contacts/search', { params: { query }, signal }))).items
    },
  })

/** The contact with this number, in any notation: one or none. */
export const findContacts = (phone: string) =>
  answerOf(client.GET('/api/v1/contacts', { params: { query: { phone } } }))

const at = (id: string) => ({ params: { path: { id } } })

/** Contacts that may be the same person. */
export const doublesQuery = () =>
  queryOptions({
    queryKey: ['contacts', 'doubles'],
    queryFn: () => answerOf(client.GET('/api/v1/contacts/doubles', {})),
  })

/** All numbers of a contact, its `phone` first. */
export const contactNumbersQuery = (id: string) =>
  queryOptions({
    queryKey: ['contacts', 'numbers', id],
    queryFn: async () => (await answerOf(client.GET('/api/v1/contacts/{id}/numbers', at(id)))).numbers,
  })

export const mergeContacts = (id: string, body: Omit<ContactInput, 'phone'> & { contact_ids: string[] }) =>
  answerOf(client.POST('/api/v1/contacts/{id}/merge', { ...at(id), body }))

export const removeNumber = (id: string, phone: string) =>
  answerOf(client.DELETE('/api/v1/contacts/{id}/numbers/{phone}', { params: { path: { id, phone } } }))

export const createContact = (body: ContactInput) => answerOf(client.POST('/api/v1/contacts', { body }))

export const updateContact = (id: string, body: Partial<ContactInput>) =>
  answerOf(client.PATCH('/api/v1/contacts/{id}', { ...at(id), body }))

export const deleteContact = (id: string) => answerOf(client.DELETE('/api/v1/contacts/{id}', at(id)))
