import type { RunningBellhop } from '../environment/running-bellhop.ts'
import type { Finding, Invariant } from './invariant.ts'

/** By now everybody has hung up: no call is live, nobody waits or is offered a call, and every transfer has ended. */
export const callsOver = {
  name: 'no call or transfer is stuck',
  async check({
    stage,
    books,
  }: {
    stage: RunningBellhop
    books: { calls: { placed: number } }
  }): Promise<Finding> {
    const sql = stage.postgres.connect()
    try {
      const rows = await sql<{ what: string }[]>`
        select 'call ' || id || ' is ' || state as what from calls where state <> 'ended'
        union all select 'call ' || id || ' ended without a reason or a time' from calls
          where state = 'ended' and (end_reason is null or ended_at is null)
        union all select 'call ' || id || ' was answered by nobody' from calls
          where answered_at is not null and not exists (
            select from call_employees e where e.company_id = calls.company_id and e.call_id = calls.id
          )
        union all select 'call ' || call_id || ' is in the queue' from call_queue
        union all select 'call ' || call_id || ' is offered to ' || employee_id from call_offers
        union all select 'transfer ' || id || ' is ' || state from transfers where state in ('ringing', 'consulting')
        union all select 'edge ' || id || ' is dead, and still known' from edges
          where alive_at < now() - interval '30 seconds'`
      return { checked: books.calls.placed, broken: rows.map(({ what }) => what) }
    } finally {
      await sql.end()
    }
  },
} satisfies Invariant
