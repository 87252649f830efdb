import { findEmployeeByExtension } from '../../modules/employees/index.ts'
import { findCallToPickUp } from '../../modules/queue/index.ts'
import type { ControlParts } from '../call/customer-call.ts'
import type { EdgeCalls } from '../call/edge-calls.ts'
import type { CodeRefusal, DiallingPhone } from './dialling-phone.ts'

const NOTHING_RINGS: CodeRefusal = { status: 480, why: 'no call rings there' }
const BUSY: CodeRefusal = { status: 486, why: 'you are on a call' }

/** Connects the phone with a caller who waits in the queue: the one who rings a coworker, or who has waited longest. */
export async function pickUpByPhone(
  { edge }: ControlParts,
  live: EdgeCalls,
  { owner, leg, accept, linkTo }: DiallingPhone,
  extension: string | undefined,
): Promise<CodeRefusal | undefined> {
  const { companyId, employeeId } = owner
  const { sql } = edge.db
  const coworker =
    extension === undefined ? undefined : await findEmployeeByExtension(sql, companyId, extension)
  if (extension !== undefined && !coworker) return { status: 404, why: 'nobody has that extension' }
  const found = await findCallToPickUp(sql, companyId, coworker?.employee_id)
  if (!found) return NOTHING_RINGS
  const waiting = live.waitingOf(found.call_id)
  if (!waiting) return { status: 480, why: 'that call is at another edge' }
  linkTo(found.call_id)
  const claim = await waiting.pickUpWith({ employeeId, leg }, accept)
  if (claim === 'busy') return BUSY
  return claim === 'gone' ? NOTHING_RINGS : undefined
}
