import type { Edge } from '../telephony/edge/edge.ts'
import { serveOperationsHttp } from './operations-http.ts'
import type { RoleParts, Running } from './shared.ts'

/** For an edge without the API: WebSockets of softphones at `/sip`, health and metrics. */
export function serveEdge({
  config,
  log,
  edge,
  isLeaving = () => false,
}: Pick<RoleParts, 'config' | 'log'> & { edge: Edge; isLeaving?: () => boolean }): Promise<
  Running & { url: string }
> {
  return serveOperationsHttp({
    config,
    log,
    port: config.edge.httpPort,
    setting: 'EDGE_HTTP_PORT',
    metrics: edge.metrics,
    isReady: () => !edge.isDraining() && !isLeaving(),
    upgrade(request, socket, head) {
      if (request.url?.split('?', 1)[0] === '/sip') edge.upgrade(request, socket, head)
      else socket.destroy()
    },
  })
}
