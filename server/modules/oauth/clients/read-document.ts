import type { Dispatcher } from 'undici'

import type { Clock } from '../../../platform/clock.ts'
import { BlockedAddress } from '../../../platform/net/safe-agent.ts'
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
    const text = await readText(body)
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

async function readText(body: AsyncIterable<Buffer>): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > OAUTH_LIMITS.documentBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
