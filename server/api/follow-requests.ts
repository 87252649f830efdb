import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { Histogram, type Registry } from 'prom-client'

export type FollowRequest = (request: FastifyRequest, reply: FastifyReply) => void

/**
 * Names each request and, when it is over, writes one line about it and counts it. Both go by the route's pattern:
 * the path itself may hold a phone number.
 */
export function followRequests({
  log,
  metrics,
}: {
  log: FastifyBaseLogger
  metrics: Registry
}): FollowRequest {
  const writeLine = createRequestLog(log)
  const count = createRequestCount(metrics)
  return (request, reply) => {
    // By this name an answer is found in the log.
    reply.header('x-request-id', request.id)
    // Unlike the hook onResponse, this also comes when the client leaves early.
    reply.raw.on('close', () => {
      const ms = reply.elapsedTime
      writeLine(request, reply, ms)
      count(request, reply, ms)
    })
  }
}

function createRequestLog(log: FastifyBaseLogger) {
  // Nothing that the caller sent is in the line, so the search for secrets, half of a line's cost, is left out.
  const lines = log.child({}, { redact: [] })
  return (
    { id: reqId, method, routeOptions }: FastifyRequest,
    { raw, statusCode }: FastifyReply,
    ms: number,
  ) => {
    const status = raw.headersSent ? statusCode : null
    const line = { reqId, method, route: routeOptions.url ?? null, status, ms: Math.round(ms * 10) / 10 }
    // Without a finished answer it was the client who left.
    lines.info(raw.writableFinished ? line : { ...line, aborted: true }, 'request')
  }
}

function createRequestCount(metrics: Registry) {
  const duration = new Histogram({
    name: 'bellhop_http_request_duration_seconds',
    help: 'How long requests took, by route.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [metrics],
  })
  type Series = ReturnType<typeof duration.labels>
  const known = new Map<string, Series>()
  return ({ method, routeOptions }: FastifyRequest, { raw, statusCode }: FastifyReply, ms: number) => {
    const route = routeOptions.url ?? 'none'
    const status = raw.writableFinished ? String(statusCode) : 'aborted'
    const name = `${method} ${route} ${status}`
    let series = known.get(name)
    if (!series) known.set(name, (series = duration.labels(method, route, status)))
    series.observe(ms / 1000)
  }
}
