import { type IncomingMessage, ServerResponse } from 'node:http'

import { LIMITS } from '../limits.ts'

export type StandingHeaders = Record<string, string>

/** What every answer carries, whoever gives it, unless it says otherwise itself. */
export function standingHeaders({ baseUrl }: { baseUrl?: string }): StandingHeaders {
  return {
    // Nearly everything here is somebody's own; what may be kept says so.
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    // Not for subdomains, which may be somebody else's.
    ...(baseUrl?.startsWith('https:') && { 'strict-transport-security': `max-age=${LIMITS.httpsSeconds}` }),
  }
}

/**
 * Puts them into every answer of a server at the last moment. A hook of the framework would miss what is answered
 * without it: URLs that cannot be routed, requests while the process stops, and replies that were taken over.
 */
export function answeringWith(standing: StandingHeaders): typeof ServerResponse {
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

/** They may also come as a flat list, or not at all. */
const isHeaders = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)
