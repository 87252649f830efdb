import type { Dispatcher } from 'undici'

import type { Clock } from '../../../platform/clock.ts'
import { BlockedAddress } from '../../../platform/safe-agent.ts'

export const LIMITS = { attemptMs: 15_000, answerBytes: 65_536 }

export type Outcome =
  | { ok: true; status: number }
  | { ok: false; why: 'refused'; status: number; retryAfter: string | undefined }
  | {
      ok: false
      why: 'timeout' | 'dns' | 'private_address' | 'tls' | 'insecure' | 'connection' | 'unreadable'
    }

interface PostOptions {
  agent: Dispatcher
  clock: Clock
  allowInsecure: boolean
  /** Calls the attempt off from outside. */
  signal: AbortSignal
}

/** One attempt. Redirects are not followed: a receiver that moved must say so to its owner, not to us. */
export async function post(
  address: string,
  headers: Record<string, string>,
  body: string,
  { agent, clock, allowInsecure, signal }: PostOptions,
): Promise<Outcome> {
  const url = new URL(address)
  if (url.protocol !== 'https:' && !allowInsecure) return { ok: false, why: 'insecure' }
  const attempt = new AbortController()
  const callOff = clock.after(LIMITS.attemptMs, () => attempt.abort())
  const abort = () => attempt.abort()
  signal.addEventListener('abort', abort)
  try {
    const answer = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'POST',
      headers,
      body,
      signal: attempt.signal,
    })
    await answer.body.dump({ limit: LIMITS.answerBytes, signal: attempt.signal })
    const { statusCode: status } = answer
    if (status >= 200 && status < 300) return { ok: true, status }
    const retryAfter = answer.headers['retry-after']
    return {
      ok: false,
      why: 'refused',
      status,
      retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
    }
  } catch (error) {
    return { ok: false, why: attempt.signal.aborted ? 'timeout' : reasonOf(error) }
  } finally {
    callOff()
    signal.removeEventListener('abort', abort)
  }
}

const DNS_CODES = /^(ENOTFOUND|EAI_\w+|ENODATA)$/
const TLS_CODES = /^(ERR_TLS_\w+|ERR_SSL_\w+|EPROTO|CERT_\w+|\w*CERT\w*|UNABLE_TO_\w+|HOSTNAME_MISMATCH)$/

function reasonOf(error: unknown): 'timeout' | 'dns' | 'private_address' | 'tls' | 'connection' {
  if (error instanceof BlockedAddress) return 'private_address'
  const code = String((error as NodeJS.ErrnoException).code)
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return 'timeout'
  if (DNS_CODES.test(code)) return 'dns'
  if (TLS_CODES.test(code)) return 'tls'
  return 'connection'
}
