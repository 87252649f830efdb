import { QueryClient } from '@tanstack/react-query'

import { ApiError } from './client.ts'

const LIMITS = { freshMs: 30_000, retries: 2 }

export const queryClient = new QueryClient({
  defaultOptions: {
    // Paused changes would be sent later, when nobody expects it; and a browser may be wrong about being offline.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: LIMITS.freshMs,
      // The API would refuse again; only a lost connection is worth a retry.
      retry: (count, error) => !(error instanceof ApiError && error.status < 500) && count < LIMITS.retries,
    },
  },
})
