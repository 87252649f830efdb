import type { Tx } from '../../../platform/db/database.ts'
import { postponeEmbedding } from '../meanings/queries.ts'
import { addPastEmployee, insertPastCall, type PastCallRow } from './past-call-queries.ts'

export type PastCall = PastCallRow & {
  /** Who talked to the customer. */
  employeeId?: string
}

/** A call that has ended before it is stored. Returns its id. */
export async function storePastCall(
  tx: Tx,
  companyId: string,
  { employeeId, ...call }: PastCall,
): Promise<string> {
  const id = await insertPastCall(tx, companyId, call)
  if (employeeId !== undefined) await addPastEmployee(tx, companyId, { callId: id, employeeId })
  // The model takes longer to load than everything else that a first start does.
  if (call.transcription !== undefined) await postponeEmbedding(tx, companyId, id)
  return id
}
