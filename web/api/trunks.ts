import { queryOptions } from '@tanstack/react-query'

import { answerOf, client } from './client.ts'
import type { components } from './schema.ts'

export type Trunk = components['schemas']['Trunk']

/** Nothing says when a carrier's state changes, so it is read again and again while the page is shown. */
const REFRESH_MS = 10_000

export const trunksQuery = () =>
  queryOptions({
    queryKey: ['trunks'],
    queryFn: () => answerOf(client.GET('/api/v1/trunks', {})),
    refetchInterval: REFRESH_MS,
  })
