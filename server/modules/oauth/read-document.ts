import type { Dispatcher } from 'undici'

import type { Clock } from '../../platform/clock.ts'
import { LIMITS } from './limits.ts'

/** The text of a stranger's JSON document, or undefined for whatever else is there. Redirects are not followed. */
export async function readDocument(
  { agent, clock }: { agent: Dispatcher; clock: Clock },
  address: string,
): Promise<string | undefined> {
  const url = new URL(address)
  const attempt = new AbortController()
  const callOff = clock.after(LIMITS.documentMs, () => attempt.abort())
  try {
    const { statusCode, headers, body } = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers: { accept: 'application/json', 'user-agent': 'Bellhop-OAuth/1.0' },
      signal: attempt.signal,
    })
    const text = await readText(body)
    const isJson = /^application\/([\w.-]+\+)?json\b/i.test(String(headers['content-type']))
    return statusCode === 200 && isJson ? text : undefined
  } catch {
    return undefined
  } finally {
    callOff()
  }
}

async function readText(body: AsyncIterable<Buffer>): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > LIMITS.documentBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
