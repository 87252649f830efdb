import { Gauge, type Registry } from 'prom-client'

import { readTranscriptionStatus } from '../modules/transcripts/index.ts'
import type { Database } from '../platform/db/database.ts'

/** Read at each scrape: the state of the worker is in the database, wherever it runs. */
export function gaugeTranscripts(metrics: Registry, { sql }: Database): void {
  // An unavailable database is reported by other metrics.
  const standing = () => readTranscriptionStatus(sql).catch(() => undefined)
  const waiting = new Gauge({
    name: 'bellhop_transcripts_waiting',
    help: 'Recordings that wait to be transcribed',
    registers: [],
    async collect() {
      const read = await standing()
      if (read) this.set(read.waiting)
    },
  })
  const failed = new Gauge({
    name: 'bellhop_transcripts_failed',
    help: 'Recordings that will have no transcript, by reason',
    labelNames: ['failure'],
    registers: [],
    async collect() {
      const read = await standing()
      this.reset()
      for (const { failure, count } of read?.failures ?? []) this.inc({ failure }, count)
    },
  })
  for (const gauge of [waiting, failed]) metrics.registerMetric(gauge)
}
