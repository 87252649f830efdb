import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

import type { Registry } from 'prom-client'

import { inBackground } from '../platform/background.ts'
import { systemClock } from '../platform/clock.ts'
import { OperatorError } from '../platform/errors.ts'
import { limitConnections, receivingWithin } from '../platform/http/connection-limits.ts'
import { mayReadMetrics, metricsNeedToken, processMetrics } from '../platform/http/metrics.ts'
import { ACCEPT_BACKLOG } from '../platform/net/backlog.ts'
import { localUrl } from '../wiring/local-url.ts'
import type { RoleParts, Running } from './shared.ts'

interface BareHttp extends Pick<RoleParts, 'config' | 'log'> {
  port: number
  /** The name of the setting for the port. */
  setting: string
  isReady(): boolean
  /** The metrics of the role, beside those of the process. */
  metrics?: Registry
  upgrade?(request: IncomingMessage, socket: Duplex, head: Buffer): void
}

/** For a process without the API: health and metrics, and WebSockets if it accepts them. */
export async function serveOperationsHttp({
  config,
  log,
  port,
  setting,
  isReady,
  upgrade,
  metrics: own,
}: BareHttp): Promise<Running & { url: string }> {
  const { host, connections, trustedProxies, receiveMs, metricsToken } = config
  const metrics = processMetrics(config)

  async function answerMetrics({ headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!mayReadMetrics(headers.authorization, metricsToken)) {
      const { status, headers: challenge, body } = metricsNeedToken
      return answer(response, status, body, challenge)
    }
    const text = (await metrics.metrics()) + ((await own?.metrics()) ?? '')
    response.writeHead(200, { 'content-type': metrics.contentType }).end(text)
  }

  const server = createServer(receivingWithin(receiveMs), (request, response) => {
    if (request.method !== 'GET') return answer(response, 405, { status: 'method_not_allowed' })
    switch (request.url) {
      case '/healthz':
        return answer(response, 200, { status: 'ok' })
      case '/readyz':
        return isReady()
          ? answer(response, 200, { status: 'ready' })
          : answer(response, 503, { status: 'draining' })
      case '/metrics':
        return inBackground(log, 'send the metrics', answerMetrics(request, response))
      default:
        return answer(response, 404, { status: 'not_found' })
    }
  })
  limitConnections(server, { limits: connections, trustedProxies, clock: systemClock, log })
  if (upgrade) server.on('upgrade', upgrade)
  server.listen({ port, host, backlog: ACCEPT_BACKLOG })
  try {
    await once(server, 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw new OperatorError(
      `Port ${port} of ${host} is already in use: set ${setting} to a free port, or to 0 for any.`,
      { cause: error },
    )
  }
  let stopping: Promise<void> | undefined
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url: localUrl(server.address() as AddressInfo), stop: () => (stopping ??= close()) }
}

function answer(
  response: ServerResponse,
  status: number,
  body: Record<string, unknown>,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}
