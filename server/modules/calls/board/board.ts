import type { Queryable } from '../../../platform/db/database.ts'
import type { Dependencies } from '../../../platform/dependencies.ts'
import type { Actor } from '../../../platform/http/route.ts'
import { listLiveInternalCalls } from '../internal/internal-calls.ts'
import { countCallsSince, selectBoardCalls, selectTimeZone } from './queries.ts'
import type { CallsToday, LiveCalls } from './schemas.ts'
import { dayIn } from './start-of-day.ts'

/** Who talks to whom, and who waits. */
export async function readLiveCalls(sql: Queryable, actor: Actor): Promise<LiveCalls> {
  const [calls, internal_calls] = await Promise.all([
    selectBoardCalls(sql, actor.companyId),
    listLiveInternalCalls(sql, actor),
  ])
  return { calls, internal_calls }
}

export async function readCallsToday(
  { sql, clock }: Dependencies<'clock'> & { sql: Queryable },
  { companyId }: Actor,
): Promise<CallsToday> {
  const time_zone = (await selectTimeZone(sql, companyId)) ?? 'UTC'
  const { date, since } = dayIn(time_zone, clock.now())
  const counted = await countCallsSince(sql, companyId, since)
  return {
    date,
    time_zone,
    inbound: {
      calls: counted.inbound,
      answered: counted.inbound_answered,
      missed: counted.missed,
      average_wait_secs: counted.average_wait === null ? null : Math.max(0, counted.average_wait),
    },
    outbound: { calls: counted.outbound, answered: counted.outbound_answered },
  }
}
