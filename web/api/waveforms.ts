import { queryOptions } from '@tanstack/react-query'

import { answerOf, ApiError, client } from './client.ts'
import type { components } from './schema.ts'

export type Waveform = components['schemas']['Waveform']

/** Whose recording it is. */
export interface Recording {
  of: 'call' | 'voicemail'
  id: string
}

/** Null if the recording cannot be measured. It never changes. */
export const waveformQuery = ({ of, id }: Recording) =>
  queryOptions({
    queryKey: ['waveform', of, id],
    queryFn: async (): Promise<Waveform | null> => {
      const params = { path: { id } }
      const asked =
        of === 'call'
          ? client.GET('/api/v1/calls/{id}/waveform', { params })
          : client.GET('/api/v1/voicemails/{id}/waveform', { params })
      return answerOf(asked).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      })
    },
    staleTime: Infinity,
  })
