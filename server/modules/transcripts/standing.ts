import type { Queryable, Tx } from '../../platform/db/database.ts'
import { publish } from '../../platform/db/pubsub.ts'
import { TRANSCRIPTS_WAITING } from './orders.ts'
import { countWaiting, type Failure, renewFailed, selectFailures } from './queries.ts'

/** For operators: how many recordings wait, and how many failed for which reason. */
export interface TranscriptStanding {
  waiting: number
  failures: { failure: Failure; reason: string; count: number }[]
}

export async function readTranscriptStanding(
  sql: Queryable,
  companyId?: string,
): Promise<TranscriptStanding> {
  return { waiting: await countWaiting(sql, companyId), failures: await selectFailures(sql, companyId) }
}

/** Queues failed recordings again, for instance after another engine was set up. Returns how many. */
export async function retryTranscripts(tx: Tx, companyId?: string): Promise<number> {
  const count = await renewFailed(tx, companyId)
  if (count > 0) await publish(tx, TRANSCRIPTS_WAITING, '')
  return count
}
