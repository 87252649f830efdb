import { type IncomingMessage, ServerResponse } from 'node:http'

import { API_LIMITS } from '../limits.ts'

export type DefaultHeaders = Record<string, string>

/** Default headers of every response, whatever sends it. */
export function defaultHeaders({ baseUrl }: { baseUrl?: string }): DefaultHeaders {
  return {
    // Nearly everything here is private; what may be cached says so.
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    // Without subdomains, which may belong to somebody else.
    ...(baseUrl?.startsWith('https:') && {
      'strict-transport-security': `max-age=${API_LIMITS.httpsSeconds}`,
    }),
  }
}

/**
 * Adds them to every response at the last moment. A hook of the framework would miss responses without it: URLs that
 * cannot be routed, requests during shutdown, and hijacked replies.
 */
export function responseClassWith(standing: DefaultHeaders): typeof ServerResponse {
  const entries = Object.entries(standing)
  return class Answer<Request extends IncomingMessage> extends ServerResponse<Request> {
    override writeHead(status: number, ...rest: unknown[]): this {
      const given = rest.at(-1)
      if (isHeaders(given)) {
        const headers = { ...given }
        for (const [name, value] of entries) if (!this.hasHeader(name)) headers[name] ??= value
        rest = [...rest.slice(0, -1), headers]
      } else for (const [name, value] of entries) if (!this.hasHeader(name)) this.setHeader(name, value)
      return Reflect.apply(super.writeHead, this, [status, ...rest])
    }
  }
}

/** Headers may also be a flat list, or absent. */
const isHeaders = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)
