import type { FastifyRequest } from 'fastify'

/** Where a request comes from, according to the browser. */
export type RequestOrigin = 'ours' | 'elsewhere' | 'untold'

/**
 * Browsers say where a request comes from, and a page cannot forge that. Those without Sec-Fetch-Site, because they
 * are old or on plain http, send Origin with every request that changes something.
 */
export function originOf(
  { headers, host, method }: FastifyRequest,
  baseUrl: string | undefined,
): RequestOrigin {
  const site = headers['sec-fetch-site']
  // The user typed the URL or followed a bookmark, which never changes anything.
  if (site === 'none' && isSafeMethod(method)) return 'untold'
  if (site !== undefined) return site === 'same-origin' ? 'ours' : 'elsewhere'
  const { origin } = headers
  if (origin === undefined) return 'untold'
  if (!URL.canParse(origin)) return 'elsewhere'
  const from = new URL(origin).host
  return from === host || (baseUrl !== undefined && from === new URL(baseUrl).host) ? 'ours' : 'elsewhere'
}

export const isSafeMethod = (method: string) => method === 'GET' || method === 'HEAD'
