import type { Sql } from '../../../server/platform/db/database.ts'
import { encodeId } from '../../../server/platform/ids.ts'
import type { ExpectedState } from '../campaign-state.ts'
import type { RunningBellhop } from '../environment/running-bellhop.ts'
import type { Sink } from '../load/sink.ts'
import type { Finding, Invariant } from './invariant.ts'

interface Webhooks {
  stage: RunningBellhop
  sink: Sink
  books: Pick<ExpectedState, 'webhooks'>
}

const LIMITS = { rows: 5_000, lostNamed: 20 }

/** Every event that the database has stored for the subscription was delivered. */
export const webhooksDelivered = {
  name: 'every webhook is delivered at least once',
  async check(world: Webhooks): Promise<Finding> {
    const sql = world.stage.postgres.connect()
    try {
      await sweepWebhooks(world, sql, 0)
      const waiting = await sql<{ event_name: string; status: string; due: string; tries: number }[]>`
        select event_name, status, coalesce(next_attempt_at::text, 'now') as due, tries from webhook_deliveries
        where company_id = ${world.stage.company.id} and status <> 'succeeded' limit ${LIMITS.lostNamed}`
      const { checked, lost } = world.books.webhooks
      const open = waiting.map(
        (row) => `${row.event_name} is ${row.status}, due ${row.due}, try ${row.tries}`,
      )
      return { checked: checked + waiting.length, broken: [...lost, ...open] }
    } finally {
      await sql.end()
    }
  },
} satisfies Invariant

/** Deliveries that have succeeded are compared and dropped, so that a long campaign stays small. */
export async function sweepWebhooks(
  { stage, sink, books: { webhooks } }: Webhooks,
  sql: Sql,
  /** More recent ones may still be preceded by one with an earlier id, whose transaction takes longer. */
  settledSeconds: number,
): Promise<void> {
  for (;;) {
    const rows = await sql<{ id: string }[]>`
      select id from webhook_deliveries
      where company_id = ${stage.company.id} and status = 'succeeded' and id > ${webhooks.checkedTo}
        and id < coalesce(
          (
            select id from webhook_deliveries
            where company_id = ${stage.company.id} and status = 'pending' order by id limit 1
          ),
          'ffffffff-ffff-ffff-ffff-ffffffffffff'
        )
        and created_at < now() - make_interval(secs => ${settledSeconds})
      order by id limit ${LIMITS.rows}`
    for (const { id } of rows) {
      const name = encodeId('del', id)
      if (!sink.received.delete(name) && webhooks.lost.length < LIMITS.lostNamed)
        webhooks.lost.push(`${name} succeeded, but was never received`)
      webhooks.checked++
      webhooks.checkedTo = id
    }
    if (rows.length < LIMITS.rows) return
  }
}
