import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { localUrl } from '../local-url.ts'
import { systemClock } from '../platform/clock.ts'
import { OperatorError } from '../platform/errors.ts'
import { limitConnections, receivingWithin } from '../platform/http/connection-limits.ts'
import type { Edge } from '../telephony/edge.ts'
import type { Parts, Running } from './shared.ts'

/** For an edge without the API: WebSockets of browsers at `/sip`, and its health. */
export async function serveEdge({
  config,
  log,
  edge,
  isLeaving = () => false,
}: Pick<Parts, 'config' | 'log'> & { edge: Edge; isLeaving?: () => boolean }): Promise<
  Running & { url: string }
> {
  const { host, edge: settings, connections, trustedProxies, receiveMs } = config
  const server = createServer(receivingWithin(receiveMs), ({ method, url }, response) => {
    if (method !== 'GET') return answer(response, 405, 'method_not_allowed')
    switch (url) {
      case '/healthz':
        return answer(response, 200, 'ok')
      case '/readyz':
        return edge.isDraining() || isLeaving()
          ? answer(response, 503, 'draining')
          : answer(response, 200, 'ready')
      default:
        return answer(response, 404, 'not_found')
    }
  })
  limitConnections(server, { limits: connections, trustedProxies, clock: systemClock, log })
  server.on('upgrade', (request, socket, head) => {
    if (request.url?.split('?', 1)[0] === '/sip') edge.upgrade(request, socket, head)
    else socket.destroy()
  })
  server.listen(settings.httpPort, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw new OperatorError(
      `Port ${settings.httpPort} of ${host} is in use by another program: ` +
        'set EDGE_HTTP_PORT to a free one, or to 0 for any.',
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

function answer(response: ServerResponse, status: number, word: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ status: word }))
}
