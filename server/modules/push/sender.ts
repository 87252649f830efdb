import type { Clock } from '../../platform/clock.ts'
import { encryptForBrowser } from '../../platform/crypto/web-push/encryption.ts'
import type { VapidKey } from '../../platform/crypto/web-push/vapid.ts'
import { connectionFailureOf } from '../../platform/net/connection-failure.ts'
import { createSafeAgent } from '../../platform/net/safe-agent.ts'
import { PUSH_LIMITS } from './limits.ts'
import type { PushTarget } from './subscriptions.ts'

export interface PushMessage {
  text: string
  /** Another message of the same topic replaces this one, if the browser has not received it yet. */
  topic: string
  /** How long the push service keeps it for a browser that is away. */
  keptSeconds: number
}

/** `gone`: the browser has unsubscribed, so nothing can be sent to it again. */
export type PushOutcome = { ok: true } | { ok: false; why: 'gone' } | { ok: false; why: string }

export interface PushSender {
  send(target: PushTarget, message: PushMessage): Promise<PushOutcome>
  close(): Promise<void>
}

interface SenderParts {
  clock: Clock
  vapid: VapidKey
  /** A URL or mailto: address at which push services reach the operator. */
  contact: string
  /** For development and tests: allows addresses of this machine and its network. */
  allowInsecure: boolean
}

const GONE = new Set([404, 410])

/** Sends messages to browsers, encrypted, through the push services that they chose (RFC 8030). */
export function createPushSender({ clock, vapid, contact, allowInsecure }: SenderParts): PushSender {
  const agent = createSafeAgent({
    allowPrivate: allowInsecure,
    connectionsPerHost: PUSH_LIMITS.connectionsPerHost,
    connectMs: PUSH_LIMITS.connectMs,
  })

  async function send(
    { endpoint, ...keys }: PushTarget,
    { text, topic, keptSeconds }: PushMessage,
  ): Promise<PushOutcome> {
    const url = new URL(endpoint)
    const expiresAt = new Date(clock.now().getTime() + PUSH_LIMITS.authorizationMs)
    const attempt = new AbortController()
    const callOff = clock.after(PUSH_LIMITS.answerMs, () => attempt.abort())
    try {
      const { statusCode, body } = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'POST',
        headers: {
          authorization: vapid.authorizationFor(url.origin, { expiresAt, contact }),
          'content-encoding': 'aes128gcm',
          'content-type': 'application/octet-stream',
          ttl: String(keptSeconds),
          urgency: 'high',
          topic,
          'user-agent': 'Bellhop-Push/1.0',
        },
        body: encryptForBrowser(text, keys),
        signal: attempt.signal,
      })
      await body.dump({ limit: PUSH_LIMITS.answerBytes, signal: attempt.signal })
      if (GONE.has(statusCode)) return { ok: false, why: 'gone' }
      return statusCode < 300 ? { ok: true } : { ok: false, why: `status ${statusCode}` }
    } catch (error) {
      return { ok: false, why: attempt.signal.aborted ? 'timeout' : connectionFailureOf(error) }
    } finally {
      callOff()
    }
  }

  return { send, close: () => agent.destroy() }
}
