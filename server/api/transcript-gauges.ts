import { Gauge, type Registry } from 'prom-client'

import { readTranscriptStanding } from '../modules/transcripts/index.ts'
import type { Database } from '../platform/db/database.ts'

/** Read when somebody asks: what the worker does is written in the database, wherever it runs. */
export function gaugeTranscripts(metrics: Registry, { sql }: Database): void {
  // A database that is away is told of by other means.
  const standing = () => readTranscriptStanding(sql).catch(() => undefined)
  const waiting = new Gauge({
    name: 'bellhop_transcripts_waiting',
    help: 'Recordings that wait to be put into words',
    registers: [],
    async collect() {
      const read = await standing()
      if (read) this.set(read.waiting)
    },
  })
  const failed = new Gauge({
    name: 'bellhop_transcripts_failed',
    help: 'Recordings that stay without transcript, by why',
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
