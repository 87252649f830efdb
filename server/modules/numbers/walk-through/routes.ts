import { z } from 'zod'

import { type Route, route } from '../../../platform/http/route.ts'
import { Id } from '../../../platform/ids.ts'
import { WalkThrough, WalkThroughQuery } from './walk-through-schemas.ts'
import { readWalkThrough, type WalkThroughParts } from './walk-through.ts'

export const walkThroughRoutes = (parts: WalkThroughParts): Route[] => [
  route(
    {
      method: 'GET',
      path: '/business_numbers/:id/walk_through',
      name: 'get_walk_through',
      summary: 'Read what callers of a business number go through, and what they hear',
      toolSet: 'none',
      params: z.object({ id: Id('num') }),
      query: WalkThroughQuery,
      reply: { 200: WalkThrough },
    },
    ({ actor, params, query }) => readWalkThrough(parts, actor, params.id, query.when),
  ),
]
