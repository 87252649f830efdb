import type { FastifyReply, FastifyRequest } from 'fastify'
import { type DestinationStream, pino } from 'pino'
import { Histogram, type Registry } from 'prom-client'

import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'

export type FollowRequest = (request: FastifyRequest, reply: FastifyReply) => void

/**
 * Names each request and, when it is over, writes one line about it and counts it. Both go by the route's pattern:
 * the path itself may hold a phone number.
 */
export function followRequests(parts: { log: Log; clock: Clock; metrics: Registry }): FollowRequest {
  const writeLine = createRequestLog(parts.log, parts.clock)
  const count = createRequestCount(parts.metrics)
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

/**
 * The line is put together by hand, as every request writes one: it holds nothing that the caller sent, so there is
 * no secret to search for, and method and route are the same for many.
 */
function createRequestLog(log: Log, clock: Clock) {
  const { [pino.symbols.streamSym]: stream } = log as unknown as Record<symbol, DestinationStream>
  const openings = new Map<string, string>()
  const openingOf = (method: string, route: string | null) => {
    const name = `${method} ${route}`
    let opening = openings.get(name)
    if (!opening) openings.set(name, (opening = JSON.stringify({ method, route }).slice(1, -1)))
    return opening
  }
  const timeText = clockText(clock)
  return ({ id, method, routeOptions }: FastifyRequest, { raw, statusCode }: FastifyReply, ms: number) => {
    if (!log.isLevelEnabled('info')) return
    const status = raw.headersSent ? statusCode : null
    // Without a finished answer it was the client who left.
    const aborted = raw.writableFinished ? '' : ',"aborted":true'
    stream!.write(
      `{"level":"info","time":"${timeText()}","reqId":"${id}",${openingOf(method, routeOptions.url ?? null)}` +
        `,"status":${status},"ms":${Math.round(ms * 10) / 10}${aborted},"msg":"request"}\n`,
    )
  }
}

/** The time as text, put together once for all requests of the same millisecond. */
function clockText(clock: Clock): () => string {
  let last = 0
  let text = ''
  return () => {
    const now = clock.now()
    if (now.getTime() !== last) {
      last = now.getTime()
      text = now.toISOString()
    }
    return text
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
