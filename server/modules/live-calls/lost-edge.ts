import type { Tx } from '../../platform/db/database.ts'
import { endCall } from './live-calls.ts'
import { selectCallsOfEdge, selectNow } from './queries.ts'

/** The process that held these calls is gone, and the sound of them with it. */
export async function endCallsOfEdge(tx: Tx, edgeId: string): Promise<void> {
  const at = await selectNow(tx)
  for (const { company_id: companyId, id: callId } of await selectCallsOfEdge(tx, edgeId)) {
    await endCall(tx, { companyId, callId }, at, 'edge_lost')
  }
}
