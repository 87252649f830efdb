import { z } from 'zod'

import type { Refusal, Route } from '../platform/http/route.ts'

/** The body of every error. */
export const ApiError = z
  .object({
    error: z.string().meta({ description: 'A stable code.' }),
    message: z.string().optional().meta({ description: 'A sentence that says what to do.' }),
    errors: z
      .record(z.string(), z.array(z.string()))
      .optional()
      .meta({ description: 'With status 422: what is wrong with each field; `base` is the whole request.' }),
  })
  .meta({ id: 'Error' })

interface SharedRefusal {
  /** Of the response in the API document. */
  name: string
  when: string
  canHappen(route: Route): boolean
}

/** A body is parsed even if the route declares none. */
const mayHaveBody = ({ method }: Route) => method !== 'GET'

/** The statuses that follow from the declaration of a route. */
export const SHARED_REFUSALS: Record<number, SharedRefusal> = {
  400: { name: 'BadRequest', when: 'The body is not valid JSON.', canHappen: mayHaveBody },
  401: { name: 'Unauthorized', when: 'The credential is missing or not valid.', canHappen: () => true },
  403: {
    name: 'Forbidden',
    when: 'The session cookie was sent by a page of another site, or two-factor sign-in must be set up first.',
    canHappen: () => true,
  },
  404: {
    name: 'NotFound',
    when: 'There is nothing with that id in this company.',
    canHappen: ({ params, require }) => params !== undefined || require !== undefined,
  },
  409: {
    name: 'Conflict',
    when: 'The idempotency key is missing, not valid, or was used for something else.',
    canHappen: ({ idempotent }) => idempotent === true,
  },
  413: { name: 'ContentTooLarge', when: 'The body is too large.', canHappen: mayHaveBody },
  415: { name: 'UnsupportedMediaType', when: 'The body has another media type.', canHappen: mayHaveBody },
  422: {
    name: 'UnprocessableContent',
    when: 'A value is not valid; `errors` says which and why.',
    canHappen: ({ body, query }) => body !== undefined || query !== undefined,
  },
  500: { name: 'InternalServerError', when: 'Something went wrong on our side.', canHappen: () => true },
}

/** Every error status with which a route can respond. */
export function refusalsOf(route: Route): { status: number; shared?: SharedRefusal; own?: Refusal }[] {
  const own = route.refusals ?? {}
  const shared = Object.entries(SHARED_REFUSALS).filter(([, { canHappen }]) => canHappen(route))
  const statuses = new Set([...shared.map(([status]) => Number(status)), ...Object.keys(own).map(Number)])
  const ofStatus = Object.fromEntries(shared)
  return [...statuses]
    .toSorted((one, other) => one - other)
    .map((status) => ({ status, shared: ofStatus[status], own: own[status] }))
}
