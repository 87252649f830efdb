import type { Tx } from '../../../platform/db/database.ts'
import { fail, notFound } from '../../../platform/errors.ts'
import type { Actor } from '../../../platform/http/route.ts'
import { findEmployee } from '../../employees/index.ts'
import {
  availabilityChanged,
  isQueued,
  offeredEmployees,
  offerOnRequest,
  retractOffer,
  withdrawOffers,
  withQueue,
} from '../../queue/index.ts'
import type { CallRef } from '../live/call-ref.ts'
import { selectLiveCall } from '../live/queries.ts'
import { edgeUnreachable } from '../transfers/errors.ts'
import { isDone, type TransferParts } from '../transfers/transfers.ts'
import { callNotQueued, employeeUnavailable } from './errors.ts'

/** The phones of the employee ring for a queued call, whoever else is rung for it. The first to answer gets it. */
export async function pickUpCall(parts: TransferParts, actor: Actor, callId: string): Promise<void> {
  const { companyId, employeeId } = actor
  const asked = await parts.askEdge(async (tx) => {
    await offerToPicker(tx, actor, callId)
    return { companyId, callId, command: { do: 'pick_up', employeeId } }
  })
  if (asked.ok && isDone(asked.answer)) return
  await parts.db.tx((tx) => releaseQueuedCall(tx, { companyId, callId }, employeeId))
  throw asked.ok ? callNotQueued() : edgeUnreachable()
}

function offerToPicker(tx: Tx, { companyId, employeeId }: Actor, callId: string): Promise<void> {
  return withQueue(tx, companyId, async (queue) => {
    if (!(await selectLiveCall(queue, companyId, callId))) throw notFound()
    if (!(await isQueued(queue, companyId, callId))) throw callNotQueued()
    // Their phones ring for it already.
    if ((await offeredEmployees(queue, companyId, callId)).includes(employeeId)) return
    const { status } = (await findEmployee(queue, companyId, employeeId)) ?? fail(notFound())
    if (status !== 'available') throw employeeUnavailable()
    await offerOnRequest(queue, companyId, callId, employeeId)
    await availabilityChanged(queue, companyId, [employeeId])
  })
}

export type QueuedCallClaim = 'claimed' | 'busy' | 'gone'

/** A phone dialled to pick the call up. Nothing else rings its employee until the call is answered or released. */
export function claimQueuedCall(tx: Tx, ref: CallRef, employeeId: string): Promise<QueuedCallClaim> {
  const { companyId, callId } = ref
  return withQueue(tx, companyId, async (queue): Promise<QueuedCallClaim> => {
    if (!(await isQueued(queue, companyId, callId))) return 'gone'
    const employee = await findEmployee(queue, companyId, employeeId)
    if (!employee || employee.status === 'on_call') return 'busy'
    await withdrawOffers(queue, companyId, employeeId)
    await offerOnRequest(queue, companyId, callId, employeeId)
    await availabilityChanged(queue, companyId, [employeeId])
    return 'claimed'
  })
}

/** The employee who wanted to pick the call up does not get it. */
export function releaseQueuedCall(tx: Tx, { companyId, callId }: CallRef, employeeId: string): Promise<void> {
  return withQueue(tx, companyId, async (queue) => {
    await retractOffer(queue, companyId, callId, employeeId)
    await availabilityChanged(queue, companyId, [employeeId])
  })
}
