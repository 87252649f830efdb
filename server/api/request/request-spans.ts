import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Tracer } from '../../platform/tracing/span.ts'

/** Other programs ask these every few seconds. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics'])

/**
 * Makes each request a span, as part of the client's trace if it names one. By the pattern of the route, because the
 * path may contain a phone number.
 */
export function traceRequests(tracer: Tracer): (request: FastifyRequest, reply: FastifyReply) => void {
  return ({ method, headers, routeOptions }, reply) => {
    const { traceparent } = headers
    const route = routeOptions.url
    if (route !== undefined && PROBES.has(route)) return
    const span = tracer.receive(
      typeof traceparent === 'string' ? traceparent : undefined,
      route === undefined ? method : `${method} ${route}`,
      {
        kind: 'server',
        attributes: { 'http.request.method': method, ...(route !== undefined && { 'http.route': route }) },
      },
    )
    if (!span) return
    span.set({ 'bellhop.request.id': reply.request.id })
    // Unlike the hook onResponse, this also fires if the client disconnects early.
    reply.raw.on('close', () => {
      if (reply.raw.headersSent) span.set({ 'http.response.status_code': reply.statusCode })
      if (!reply.raw.writableFinished) span.fail('the client disconnected')
      else if (reply.statusCode >= 500) span.fail(`status ${reply.statusCode}`)
      span.end()
    })
  }
}
