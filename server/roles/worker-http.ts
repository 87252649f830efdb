import { serveBareHttp } from './bare-http.ts'
import type { Parts, Running } from './shared.ts'

/** For background work without the API: its health and its metrics, where a port for them is set. */
export async function serveWorker({
  config,
  log,
  isLeaving = () => false,
}: Pick<Parts, 'config' | 'log'> & { isLeaving?: () => boolean }): Promise<
  (Running & { url: string }) | undefined
> {
  const { workerHttpPort: port } = config
  if (port === undefined) return undefined
  return serveBareHttp({ config, log, port, setting: 'WORKER_HTTP_PORT', isReady: () => !isLeaving() })
}
