import type { Queryable } from '../../../platform/db/database.ts'
import { type QueueTx, availabilityChanged } from '../../queue/index.ts'
import { endInternalCallWithoutOffers } from '../internal/internal-calls.ts'
import { selectCompaniesCallingInsideAt, selectInternalCallsOfEdge } from '../internal/internal-queries.ts'
import { endCallWithoutOffers } from './live-calls.ts'
import { selectCallsOfEdge, selectCompaniesCallingAt, selectTransactionTime } from './queries.ts'

/** The companies that have calls there, with customers or internal ones. */
export async function companiesCallingAt(sql: Queryable, edgeId: string): Promise<string[]> {
  const found = await Promise.all([
    selectCompaniesCallingAt(sql, edgeId),
    selectCompaniesCallingInsideAt(sql, edgeId),
  ])
  return [...new Set(found.flat())]
}

/** The edge is dead, and the media of its calls with it. The transaction has locked the queues of their companies. */
export async function endCallsOfEdge(tx: QueueTx, edgeId: string): Promise<void> {
  const at = await selectTransactionTime(tx)
  const calls = await selectCallsOfEdge(tx, edgeId)
  const internalCalls = await selectInternalCallsOfEdge(tx, edgeId)
  for (const companyId of new Set([...calls, ...internalCalls].map((call) => call.company_id))) {
    const freed: string[] = []
    const isOfCompany = ({ company_id }: { company_id: string }) => company_id === companyId
    for (const { id: callId } of calls.filter(isOfCompany))
      freed.push(...(await endCallWithoutOffers(tx, { companyId, callId }, at, 'edge_lost')))
    for (const { id: callId } of internalCalls.filter(isOfCompany))
      freed.push(...(await endInternalCallWithoutOffers(tx, { companyId, callId }, at, 'edge_lost')))
    await availabilityChanged(tx, companyId, freed)
  }
}
