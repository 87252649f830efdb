import { collectDefaultMetrics, Registry } from 'prom-client'

import { sameBytes, sha256 } from '../crypto/crypto.ts'
import { AppError } from '../errors.ts'
import { eventLoopDelay, threadDelay } from '../event-loop.ts'

/** The metrics of every process, whatever its role. */
export function processMetrics(): Registry {
  const metrics = new Registry()
  collectDefaultMetrics({ register: metrics })
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
