import { findRingingCall } from '../../modules/calls/index.ts'
import { findEmployee, findEmployeeByExtension } from '../../modules/employees/index.ts'
import { findCallsToPickUp } from '../../modules/queue/index.ts'
import { encodeId } from '../../platform/ids.ts'
import {
  type CodeCall,
  type CodeParts,
  type CodeRefusal,
  type DiallingPhone,
  ON_A_CALL,
} from './code-call.ts'

const NOTHING_RINGS: CodeRefusal = { status: 480, why: 'no call rings there' }

/**
 * Connects the phone with a caller who waits in the queue: the one who rings a coworker, or who has waited longest. If
 * there is none, with what else rings there: a transfer, or a call of a coworker.
 */
export async function findCallForPickup(
  code: CodeParts,
  extension: string | undefined,
): Promise<CodeCall | CodeRefusal> {
  const { parts, live, owner } = code
  const { companyId, employeeId } = owner
  const { sql } = parts.edge.db
  const coworker =
    extension === undefined ? undefined : await findEmployeeByExtension(sql, companyId, extension)
  if (extension !== undefined && !coworker) return { status: 404, why: 'nobody has that extension' }
  const candidates = await findCallsToPickUp(sql, companyId, coworker?.employee_id)
  const found = candidates.find(
    ({ call_id, edge_id }) => edge_id !== parts.edge.edgeId || live.waitingOf(call_id)?.isOpen,
  )
  if (!found) return findRinging(code, coworker?.employee_id)
  return {
    id: encodeId('cal', found.call_id),
    edgeId: found.edge_id,
    async run({ leg, accept }) {
      const claim = await live.waitingOf(found.call_id)?.pickUpWith({ employeeId, leg }, accept)
      if (claim === 'busy') return ON_A_CALL
      return claim === 'claimed' ? undefined : NOTHING_RINGS
    },
  }
}

async function findRinging(
  { parts, live, owner: { companyId, employeeId } }: CodeParts,
  coworkerId: string | undefined,
): Promise<CodeCall | CodeRefusal> {
  const { sql } = parts.edge.db
  const rings = await findRingingCall(sql, companyId, coworkerId)
  if (!rings) return NOTHING_RINGS
  const { call_id: callId, edge_id: edgeId, transfer_id: transferId } = rings
  if ((await findEmployee(sql, companyId, employeeId))?.status === 'on_call') return ON_A_CALL
  const take = ({ leg, accept }: DiallingPhone) =>
    transferId === null
      ? live.internalOf(callId)?.pickUp({ employeeId, leg }, accept)
      : live.conversationOf(callId)?.pickUpTransfer(transferId, { employeeId, leg }, accept)
  return {
    id: encodeId(transferId === null ? 'ica' : 'cal', callId),
    edgeId,
    run: async (phone) => ((await take(phone)) ? undefined : NOTHING_RINGS),
  }
}
