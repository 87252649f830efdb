import type { Dispatcher } from 'undici'

import type { Clock } from '../../../platform/clock.ts'
import { BlockedAddress } from '../../../platform/net/connection-failure.ts'
import { readWithin } from '../../../platform/net/read-within.ts'
import { OAUTH_LIMITS } from '../limits.ts'

/** `none`: there is no such document. `away`: the host is unavailable. */
export type DocumentOutcome = { text: string } | 'none' | 'away'

/** Fetches an untrusted JSON document. Redirects are not followed. */
export async function readDocument(
  { agent, clock }: { agent: Dispatcher; clock: Clock },
  address: string,
): Promise<DocumentOutcome> {
  const url = new URL(address)
  const attempt = new AbortController()
  const callOff = clock.after(OAUTH_LIMITS.documentMs, () => attempt.abort())
  try {
    const { statusCode, headers, body } = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers: { accept: 'application/json', 'user-agent': 'Bellhop-OAuth/1.0' },
      signal: attempt.signal,
      // A host could otherwise make us keep a connection open for each of its names.
      reset: true,
    })
    const text = (await readWithin(body, OAUTH_LIMITS.documentBytes))?.toString('utf8')
    if (statusCode >= 500 || PASSING.has(statusCode)) return 'away'
    const isJson = /^application\/([\w.-]+\+)?json\b/i.test(String(headers['content-type']))
    return statusCode === 200 && isJson && text !== undefined ? { text } : 'none'
  } catch (error) {
    return error instanceof BlockedAddress ? 'none' : 'away'
  } finally {
    callOff()
  }
}

/** Request Timeout and Too Many Requests. */
const PASSING = new Set([408, 429])
