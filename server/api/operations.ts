import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'

import type { Database } from '../platform/db/database.ts'
import { pendingMigrations } from '../platform/db/migrate.ts'
import { mayReadMetrics, metricsNeedToken } from '../platform/http/metrics.ts'
import { gaugeBacklog } from './backlog-gauges.ts'

interface OperationsOptions {
  db: Database
  isLeaving: () => boolean
  metrics: Registry
  /** Those of the edge in this process, if there is one. */
  edgeMetrics?: () => Registry | undefined
  /** If set, /metrics requires it as a bearer token. */
  metricsToken?: string
}

/** Endpoints for load balancers, supervisors and Prometheus. */
export function serveOperations(
  app: FastifyInstance,
  { db, isLeaving, metrics, edgeMetrics, metricsToken }: OperationsOptions,
): void {
  gaugeBacklog(metrics, db)

  app.get('/healthz', async () => ({ status: 'ok' }))

  app.get('/readyz', async (request, reply) => {
    if (isLeaving()) return reply.code(503).send({ status: 'not_ready', reason: 'draining' })
    const problem = await whyNotReady(db)
    if (!problem) return { status: 'ready' }
    request.log.warn({ reqId: request.id, err: problem.error }, problem.reason)
    return reply.code(503).send({ status: 'not_ready', reason: problem.reason })
  })

  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request.headers.authorization, metricsToken)) throw metricsNeedToken
    const ofEdge = (await edgeMetrics?.()?.metrics()) ?? ''
    return reply.type(metrics.contentType).send((await metrics.metrics()) + ofEdge)
  })
}

async function whyNotReady(db: Database): Promise<{ reason: string; error?: unknown } | undefined> {
  try {
    const pending = await pendingMigrations(db.sql)
    return pending.length > 0 ? { reason: `migrations are pending: ${pending.join(', ')}` } : undefined
  } catch (error) {
    return { reason: 'the database does not respond', error }
  }
}
