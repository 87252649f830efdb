import { fail, notFound } from '../../../platform/errors.ts'
import type { Actor } from '../../../platform/http/route.ts'
import { selectLiveCall } from '../live/queries.ts'
import { callNotActive, edgeUnreachable, nobodyConsulted, notCallController } from './errors.ts'
import { selectOpenTransfer } from './queries.ts'
import type { Transfer } from './schemas.ts'
import { isDone, readTransfer, type TransferParts } from './transfers.ts'

/** The customer, the controller and the coworker who is consulted talk together. Repeating it changes nothing. */
export async function startConference(parts: TransferParts, actor: Actor, callId: string): Promise<Transfer> {
  const { companyId } = actor
  const call = (await selectLiveCall(parts.db.sql, companyId, callId)) ?? fail(notFound())
  if (call.state === 'ended') throw callNotActive()
  if (call.controller_id !== actor.employeeId) throw notCallController()
  const transfer = await selectOpenTransfer(parts.db.sql, companyId, callId)
  if (transfer?.state !== 'consulting') throw nobodyConsulted()
  const transferId = transfer.id
  const asked = await parts.askEdge(async () => ({
    companyId,
    callId,
    command: { do: 'start_conference', transferId },
  }))
  if (!asked.ok) throw edgeUnreachable()
  // Somebody hung up meanwhile.
  if (!isDone(asked.answer)) throw nobodyConsulted()
  return readTransfer(parts, actor, { callId, transferId })
}
