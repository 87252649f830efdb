import { queryOptions } from '@tanstack/react-query'

import { answerOf, client } from './client.ts'
import type { components } from './schema.ts'

export type Favourite = components['schemas']['Favourite']

/** Those of whoever is signed in. */
export const favouritesQuery = () =>
  queryOptions({
    queryKey: ['favourites'],
    queryFn: async () => (await answerOf(client.GET('/api/v1/favourites', {}))).favourites,
  })

export const addFavourite = (body: { phone: string } | { employee_id: string }) =>
  answerOf(client.POST('/api/v1/favourites', { body }))

export const removeFavourite = (id: string) =>
  answerOf(client.DELETE('/api/v1/favourites/{id}', { params: { path: { id } } }))
