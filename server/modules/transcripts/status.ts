import type { Queryable, Tx } from '../../platform/db/database.ts'
import { publish } from '../../platform/db/pubsub.ts'
import { countWaiting, requeueFailedTasks, selectFailures } from './queries.ts'
import { TRANSCRIPTIONS_WAITING_CHANNEL } from './transcription-queue.ts'

/** For operators: how many recordings wait, and how many failed for which reason. */
export async function readTranscriptionStatus(sql: Queryable, companyId?: string) {
  return { waiting: await countWaiting(sql, companyId), failures: await selectFailures(sql, companyId) }
}

/** Queues failed recordings again, for instance after another engine was set up. Returns how many. */
export async function retryTranscripts(tx: Tx, companyId?: string): Promise<number> {
  const count = await requeueFailedTasks(tx, companyId)
  if (count > 0) await publish(tx, TRANSCRIPTIONS_WAITING_CHANNEL, '')
  return count
}
