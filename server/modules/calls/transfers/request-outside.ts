import { z } from 'zod'

import { fail, notFound } from '../../../platform/errors.ts'
import type { Actor } from '../../../platform/http/route.ts'
import { normalizePhone } from '../../../platform/text/phone.ts'
import { allowsOutsideTransfers, companyCountry } from '../../company/index.ts'
import { findEmployeesByPhone } from '../../employees/index.ts'
import { selectLiveCall } from '../live/queries.ts'
import {
  callNotActive,
  edgeUnreachable,
  notCallController,
  numberNotCallable,
  numberUnreachable,
  outsideTransfersOff,
  transferInProgress,
  transferOver,
} from './errors.ts'
import { type OutsideTransferRow, selectOutsideTransfer } from './outside-queries.ts'
import type { OutsideTransfer } from './schemas.ts'
import { isDone, type TransferParts } from './transfers.ts'

/** The edge decides by the rules for phones, and answers with the SIP status that a phone would get. */
const Answer = z.object({ outsideTransferId: z.uuid().optional(), refusal: z.number().optional() })

const REFUSALS: Record<number, () => Error> = {
  403: numberNotCallable,
  404: numberNotCallable,
  485: numberNotCallable,
  491: transferInProgress,
  503: numberUnreachable,
}

/** The number is called while the customer hears hold music; the employee leaves as soon as somebody answers. */
export async function startOutsideTransfer(
  parts: TransferParts,
  actor: Actor,
  callId: string,
  dialled: string,
): Promise<OutsideTransfer> {
  const { companyId, employeeId } = actor
  const { sql } = parts.db
  const call = (await selectLiveCall(sql, companyId, callId)) ?? fail(notFound())
  if (call.state === 'ended') throw callNotActive()
  if (call.controller_id !== employeeId) throw notCallController()
  if (!(await allowsOutsideTransfers(sql, companyId))) throw outsideTransfersOff()
  const number = normalizePhone(dialled, await companyCountry(sql, companyId)) ?? fail(numberNotCallable())
  if ((await findEmployeesByPhone(sql, companyId, number)).length > 0) throw numberNotCallable()
  const asked = await parts.askEdge(async () => ({
    companyId,
    callId,
    command: { do: 'start_outside_transfer', employeeId, number },
  }))
  if (!asked.ok) throw edgeUnreachable()
  const { outsideTransferId, refusal } = Answer.parse(asked.answer)
  if (outsideTransferId === undefined) throw REFUSALS[refusal ?? 0]?.() ?? callNotActive()
  return read(parts, actor, callId, outsideTransferId)
}

/** Connects the customer with the employee again. */
export async function cancelOutsideTransfer(
  parts: TransferParts,
  actor: Actor,
  callId: string,
  outsideTransferId: string,
): Promise<OutsideTransfer> {
  const { companyId } = actor
  const transfer =
    (await selectOutsideTransfer(parts.db.sql, companyId, callId, outsideTransferId)) ?? fail(notFound())
  if (transfer.employee_id !== actor.employeeId) throw notCallController()
  if (transfer.state !== 'ringing') throw transferOver()
  const asked = await parts.askEdge(async () => ({
    companyId,
    callId,
    command: { do: 'cancel_outside_transfer', outsideTransferId },
  }))
  if (!asked.ok) throw edgeUnreachable()
  // Somebody answered meanwhile, or hung up.
  if (!isDone(asked.answer)) throw transferOver()
  return read(parts, actor, callId, outsideTransferId)
}

async function read(
  { db }: TransferParts,
  { companyId }: Actor,
  callId: string,
  id: string,
): Promise<OutsideTransfer> {
  return presentOutsideTransfer(
    (await selectOutsideTransfer(db.sql, companyId, callId, id)) ?? fail(notFound()),
  )
}

export const presentOutsideTransfer = ({ id, state, number }: OutsideTransferRow): OutsideTransfer => ({
  id,
  state,
  number,
})
