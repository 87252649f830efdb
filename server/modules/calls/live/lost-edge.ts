import { type QueueTx, availabilityChanged } from '../../queue/index.ts'
import { endCallWithoutOffers } from './live-calls.ts'
import { selectCallsOfEdge, selectTransactionTime } from './queries.ts'

/** The edge is dead, and the media of its calls with it. The transaction has locked the queues of their companies. */
export async function endCallsOfEdge(tx: QueueTx, edgeId: string): Promise<void> {
  const at = await selectTransactionTime(tx)
  const calls = await selectCallsOfEdge(tx, edgeId)
  for (const companyId of new Set(calls.map((call) => call.company_id))) {
    const freed: string[] = []
    for (const { company_id, id: callId } of calls) {
      if (company_id === companyId)
        freed.push(...(await endCallWithoutOffers(tx, { companyId, callId }, at, 'edge_lost')))
    }
    await availabilityChanged(tx, companyId, freed)
  }
}
