import { queryOptions } from '@tanstack/react-query'

import { answerOf, client } from './client.ts'

export const voicemailsQuery = () =>
  queryOptions({
    queryKey: ['voicemails'],
    queryFn: async () => answerOf(client.GET('/api/v1/voicemails', {})),
  })

/** By what was said, and by whom. */
export const voicemailSearchQuery = (query: string) =>
  queryOptions({
    queryKey: ['voicemails', 'search', query],
    queryFn: async () => answerOf(client.GET('/api/v1/voicemails/search', { params: { query: { query } } })),
  })

const at = (id: string) => ({ params: { path: { id } } })

export const setListened = ({ id, listened }: { id: string; listened: boolean }) =>
  answerOf(client.PATCH('/api/v1/voicemails/{id}', { ...at(id), body: { listened } }))

export const deleteVoicemail = (id: string) => answerOf(client.DELETE('/api/v1/voicemails/{id}', at(id)))
