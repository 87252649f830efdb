import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { type QueueTx, availabilityChanged } from '../../queue/index.ts'
import { endInternalCall, endInternalCallWithoutOffers } from '../internal/internal-calls.ts'
import {
  type NewInternalCall,
  selectCompaniesCallingInsideAt,
  selectInternalCallsOfEdge,
  selectStartedInternalCall,
} from '../internal/internal-queries.ts'
import { endCall, endCallWithoutOffers } from './live-calls.ts'
import { selectCallsOfEdge, selectCompaniesCallingAt, selectTransactionTime } from './queries.ts'
import { type NewCall, selectStartedCall } from './step-queries.ts'

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

/** Why a call ended that was stored and refused, because its edge was not told that it was stored. */
const NOT_ACKNOWLEDGED = 'failed'

export async function endStartedCall(tx: Tx, call: NewCall, at: Date): Promise<void> {
  const { companyId } = call
  const callId = await selectStartedCall(tx, call)
  if (callId !== undefined) await endCall(tx, { companyId, callId }, { at, reason: NOT_ACKNOWLEDGED })
}

export async function endStartedInternalCall(tx: Tx, call: NewInternalCall, at: Date): Promise<void> {
  const { companyId } = call
  const callId = await selectStartedInternalCall(tx, call)
  if (callId !== undefined) await endInternalCall(tx, { companyId, callId }, at, NOT_ACKNOWLEDGED)
}
