import { Gauge, type Registry } from 'prom-client'

import { readTranscriptionStatus } from '../modules/transcripts/index.ts'
import { countOverdueDeliveries } from '../modules/webhooks/index.ts'
import type { Database } from '../platform/db/database.ts'
import { countStuckJobs } from '../platform/jobs/queries.ts'

/** What is later than this waits for a worker that does not come. */
const OVERDUE_SECONDS = 60

/** What waits for workers. Read at each scrape: it is in the database, wherever they run. */
export function gaugeBacklog(metrics: Registry, { sql }: Database): void {
  const standing = () => unlessUnavailable(readTranscriptionStatus(sql))
  const jobs = () => unlessUnavailable(countStuckJobs(sql, OVERDUE_SECONDS))
  const gauges = [
    new Gauge({
      name: 'bellhop_transcripts_waiting',
      help: 'Recordings that wait to be transcribed',
      registers: [],
      async collect() {
        const read = await standing()
        if (read) this.set(read.waiting)
      },
    }),
    new Gauge({
      name: 'bellhop_transcripts_failed',
      help: 'Recordings that will have no transcript, by reason',
      labelNames: ['failure'],
      registers: [],
      async collect() {
        const read = await standing()
        this.reset()
        for (const { failure, count } of read?.failures ?? []) this.inc({ failure }, count)
      },
    }),
    new Gauge({
      name: 'bellhop_webhook_deliveries_overdue',
      help: 'Webhook deliveries that have been due for more than a minute.',
      registers: [],
      async collect() {
        const overdue = await unlessUnavailable(countOverdueDeliveries(sql, OVERDUE_SECONDS))
        if (overdue !== undefined) this.set(overdue)
      },
    }),
    new Gauge({
      name: 'bellhop_jobs_overdue',
      help: 'Jobs that have been due for more than a minute.',
      registers: [],
      async collect() {
        const read = await jobs()
        if (read) this.set(read.waiting)
      },
    }),
    new Gauge({
      name: 'bellhop_jobs_failed',
      help: 'Jobs that failed within a day, for the last time.',
      registers: [],
      async collect() {
        const read = await jobs()
        if (read) this.set(read.failed)
      },
    }),
  ]
  for (const gauge of gauges) metrics.registerMetric(gauge)
}

/** An unavailable database is reported by other metrics. */
const unlessUnavailable = <T>(read: Promise<T>) => read.catch(() => undefined)
