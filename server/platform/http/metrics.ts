import { statfs } from 'node:fs/promises'

import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'

import { sameBytes, sha256 } from '../crypto/crypto.ts'
import { AppError } from '../errors.ts'
import { eventLoopDelay, threadDelay } from '../event-loop.ts'

/**
 * Those of Node.js run a timer a hundred times a second, which would be most of what an idle process does: they begin
 * when they are first read.
 */
class LazyRegistry extends Registry {
  #isRead = false

  override async metrics(): Promise<string> {
    if (!this.#isRead) collectDefaultMetrics({ register: this })
    this.#isRead = true
    // What has no value yet, as Prometheus spells it and the library does not.
    return (await super.metrics()).replaceAll(/ Nan$/gm, ' NaN')
  }
}

/** The metrics of every process, whatever its role. */
export function processMetrics({ dataDir }: { dataDir: string }): Registry {
  const metrics = new LazyRegistry()
  metrics.registerMetric(eventLoopDelay)
  metrics.registerMetric(threadDelay)
  gaugeDisk(metrics, dataDir)
  return metrics
}

/** The disk of the data folder: recordings in progress and, by default, the database and all files. */
function gaugeDisk(metrics: Registry, dataDir: string): void {
  const measure = (
    name: string,
    help: string,
    blocksOf: (disk: { bavail: number; blocks: number }) => number,
  ) =>
    new Gauge({
      name,
      help,
      registers: [metrics],
      async collect() {
        // A folder that is not there yet has no disk to report.
        const disk = await statfs(dataDir).catch(() => undefined)
        if (disk) this.set(blocksOf(disk) * disk.bsize)
      },
    })
  measure('bellhop_disk_free_bytes', 'Free space on the disk of the data folder.', ({ bavail }) => bavail)
  measure('bellhop_disk_size_bytes', 'The size of the disk of the data folder.', ({ blocks }) => blocks)
}

export const metricsNeedToken = new AppError({
  status: 401,
  code: 'unauthorized',
  message: 'Send the metrics token as a bearer token.',
  headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
})

/** If no token is configured, everybody may. */
export function mayReadMetrics(authorization: string | undefined, token: string | undefined): boolean {
  return token === undefined || sameBytes(sha256(authorization ?? ''), sha256(`Bearer ${token}`))
}
