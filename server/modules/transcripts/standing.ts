import type { Queryable, Tx } from '../../platform/db/database.ts'
import { publish } from '../../platform/db/pubsub.ts'
import { TRANSCRIPTS_WAITING } from './orders.ts'
import { countWaiting, type Failure, renewFailed, selectFailures } from './queries.ts'

/** What an operator should know: how much waits, and what has failed why. */
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

/** Puts what has failed back into the queue, for instance because another engine was set up. Says how many. */
export async function retryTranscripts(tx: Tx, companyId?: string): Promise<number> {
  const count = await renewFailed(tx, companyId)
  if (count > 0) await publish(tx, TRANSCRIPTS_WAITING, '')
  return count
}
