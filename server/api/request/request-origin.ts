import type { FastifyRequest } from 'fastify'

/** Where a request comes from, as far as whoever sent it says. */
export type RequestOrigin = 'ours' | 'elsewhere' | 'untold'

/**
 * Browsers say where a request comes from, and a page cannot make them lie. Those that are too old for Sec-Fetch-Site,
 * or on plain http without it, send Origin with all that changes something.
 */
export function originOf(
  { headers, host, method }: FastifyRequest,
  baseUrl: string | undefined,
): RequestOrigin {
  const site = headers['sec-fetch-site']
  // The person has typed the address, or follows a bookmark; nobody types in a change.
  if (site === 'none' && isRead(method)) return 'untold'
  if (site !== undefined) return site === 'same-origin' ? 'ours' : 'elsewhere'
  const { origin } = headers
  if (origin === undefined) return 'untold'
  if (!URL.canParse(origin)) return 'elsewhere'
  const from = new URL(origin).host
  return from === host || (baseUrl !== undefined && from === new URL(baseUrl).host) ? 'ours' : 'elsewhere'
}

export const isRead = (method: string) => method === 'GET' || method === 'HEAD'
