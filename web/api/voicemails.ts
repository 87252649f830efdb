import { queryOptions } from '@tanstack/react-query'

import { answerOf, client } from './client.ts'

export const voicemailsQuery = () =>
  queryOptions({
    queryKey: ['voicemails'],
    queryFn: async () => answerOf(client.GET('/api/v1/voicemails', {})),
  })

const at = (id: string) => ({ params: { path: { id } } })

export const setListened = ({ id, listened }: { id: string; listened: boolean }) =>
  answerOf(client.PATCH('/api/v1/voicemails/{id}', { ...at(id), body: { listened } }))

export const deleteVoicemail = (id: string) => answerOf(client.DELETE('/api/v1/voicemails/{id}', at(id)))
