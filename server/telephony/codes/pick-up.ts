import { findEmployeeByExtension } from '../../modules/employees/index.ts'
import { findCallsToPickUp } from '../../modules/queue/index.ts'
import { type CodeCall, type CodeParts, type CodeRefusal, ON_A_CALL } from './code-call.ts'

const NOTHING_RINGS: CodeRefusal = { status: 480, why: 'no call rings there' }

/** Connects the phone with a caller who waits in the queue: the one who rings a coworker, or who has waited longest. */
export async function findCallForPickup(
  { parts, live, owner }: CodeParts,
  extension: string | undefined,
): Promise<CodeCall | CodeRefusal> {
  const { companyId, employeeId } = owner
  const { sql } = parts.edge.db
  const coworker =
    extension === undefined ? undefined : await findEmployeeByExtension(sql, companyId, extension)
  if (extension !== undefined && !coworker) return { status: 404, why: 'nobody has that extension' }
  const candidates = await findCallsToPickUp(sql, companyId, coworker?.employee_id)
  const found = candidates.find(
    ({ call_id, edge_id }) => edge_id !== parts.edge.edgeId || live.waitingOf(call_id)?.isOpen,
  )
  if (!found) return NOTHING_RINGS
  return {
    callId: found.call_id,
    edgeId: found.edge_id,
    async run({ leg, accept }) {
      const claim = await live.waitingOf(found.call_id)?.pickUpWith({ employeeId, leg }, accept)
      if (claim === 'busy') return ON_A_CALL
      return claim === 'claimed' ? undefined : NOTHING_RINGS
    },
  }
}
