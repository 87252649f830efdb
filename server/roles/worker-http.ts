import { serveOperationsHttp } from './operations-http.ts'
import type { RoleParts, Running } from './shared.ts'

/** For a worker without the API: health and metrics, if a port is configured. */
export async function serveWorker({
  config,
  log,
  isLeaving = () => false,
}: Pick<RoleParts, 'config' | 'log'> & { isLeaving?: () => boolean }): Promise<
  (Running & { url: string }) | undefined
> {
  const { workerHttpPort: port } = config
  if (port === undefined) return undefined
  return serveOperationsHttp({ config, log, port, setting: 'WORKER_HTTP_PORT', isReady: () => !isLeaving() })
}
