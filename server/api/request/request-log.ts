import type { FastifyReply, FastifyRequest } from 'fastify'
import { type DestinationStream, pino } from 'pino'
import { Histogram, type Registry } from 'prom-client'

import { noteActivity } from '../../platform/activity.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'

export type LogRequest = (request: FastifyRequest, reply: FastifyReply) => void

/**
 * Gives each request an id and, at its end, logs one line and counts it. Both use the pattern of the route, because
 * the path may contain a phone number.
 */
export function logRequests(parts: { log: Log; clock: Clock; metrics: Registry }): LogRequest {
  const endingOf = endingsOf(durationsIn(parts.metrics))
  const writeLine = createRequestLog(parts.log, parts.clock)
  return (request, reply) => {
    noteRequest(request)
    // With this id a response can be found in the log.
    reply.header('x-request-id', request.id)
    // Unlike the hook onResponse, this also fires if the client disconnects early.
    reply.raw.on('close', () => {
      const ms = reply.elapsedTime
      const ending = endingOf(request, reply)
      ending.duration.observe(ms / 1000)
      writeLine(request.id, ending, ms)
    })
  }
}

/** Called when work for a request begins or continues, in case it blocks the event loop. */
export function noteRequest({ method, routeOptions }: FastifyRequest): void {
  noteActivity(`${method} ${routeOptions.url ?? 'a path that is not served'}`)
}

/** What requests of one route with the same outcome have in common. */
interface Ending {
  /** Their common part of the log line. */
  text: string
  duration: ReturnType<Histogram['labels']>
}

/** Cached, because every request needs it. */
function endingsOf(durations: Histogram<'method' | 'route' | 'status'>) {
  const known = new Map<string, Map<string, Ending>>()
  return ({ method, routeOptions }: FastifyRequest, { raw, statusCode }: FastifyReply): Ending => {
    const route = routeOptions.url ?? null
    let ofRoute = known.get(route ?? '')
    if (!ofRoute) known.set(route ?? '', (ofRoute = new Map()))
    // Without a finished response, the client disconnected.
    const aborted = !raw.writableFinished
    const status = raw.headersSent ? statusCode : null
    const name = aborted ? `${method} ${status} aborted` : method + status
    let ending = ofRoute.get(name)
    if (!ending) {
      const facts = { method, route, status, ...(aborted && { aborted }) }
      const duration = durations.labels(method, route ?? 'none', aborted ? 'aborted' : String(status))
      ofRoute.set(name, (ending = { text: JSON.stringify(facts).slice(1, -1), duration }))
    }
    return ending
  }
}

/**
 * The line is assembled by hand, because every request writes one. It contains nothing from the client, so there are
 * no secrets to redact.
 */
function createRequestLog(log: Log, clock: Clock) {
  const { [pino.symbols.streamSym]: stream } = log as unknown as Record<symbol, DestinationStream>
  const timeText = clockText(clock)
  return (id: string, { text }: Ending, ms: number) => {
    if (!log.isLevelEnabled('info')) return
    stream!.write(
      `{"level":"info","time":"${timeText()}","reqId":"${id}",${text},"ms":${Math.round(ms * 10) / 10},"msg":"request"}\n`,
    )
  }
}

/** The time as text, made once for all requests of the same millisecond. */
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

function durationsIn(metrics: Registry) {
  return new Histogram({
    name: 'bellhop_http_request_duration_seconds',
    help: 'How long requests took, by route.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [metrics],
  })
}
