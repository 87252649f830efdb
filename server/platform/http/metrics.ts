import { collectDefaultMetrics, Registry } from 'prom-client'

import { sameBytes, sha256 } from '../crypto/crypto.ts'
import { AppError } from '../errors.ts'
import { eventLoopDelay, threadDelay } from '../event-loop.ts'

/**
 * Those of Node.js run a timer a hundred times a second, which would be most of what an idle process does: they begin
 * when they are first read.
 */
class LazyRegistry extends Registry {
  #isRead = false

  override async metrics(): Promise<string> {
    if (!this.#isRead) collectDefaultMetrics({ register: this })
    this.#isRead = true
    // What has no value yet, as Prometheus spells it and the library does not.
    return (await super.metrics()).replaceAll(/ Nan$/gm, ' NaN')
  }
}

/** The metrics of every process, whatever its role. */
export function processMetrics(): Registry {
  const metrics = new LazyRegistry()
  metrics.registerMetric(eventLoopDelay)
  metrics.registerMetric(threadDelay)
  return metrics
}

export const metricsNeedToken = new AppError({
  status: 401,
  code: 'unauthorized',
  message: 'Send the metrics token as a bearer token.',
  headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
})

/** If no token is configured, everybody may. */
export function mayReadMetrics(authorization: string | undefined, token: string | undefined): boolean {
  return token === undefined || sameBytes(sha256(authorization ?? ''), sha256(`Bearer ${token}`))
}
