import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { fail, notFound } from '../../../platform/errors.ts'
import type { Actor } from '../../../platform/http/route.ts'
import { withQueue } from '../../queue/index.ts'
import { lockCall, selectLiveCall, selectTransactionTime } from '../live/queries.ts'
import { employeeUnavailable } from '../pickup/errors.ts'
import { callNotActive, edgeUnreachable, notCallController, transferInProgress } from '../transfers/errors.ts'
import { hasOpenTransfer } from '../transfers/queries.ts'
import { isDone, type TransferParts } from '../transfers/transfers.ts'
import { callNotParked, slotTaken } from './errors.ts'
import { callNotParkedAtAll, parkedCallNotTaken, ringForParkedCall } from './parking-states.ts'
import {
  deleteEndedParkedCalls,
  insertParkedCall,
  isParked,
  type ParkedCallRow,
  selectParkedCalls,
} from './queries.ts'
import type { ParkedCall } from './schemas.ts'

/** The customer hears music until somebody takes the call, at any phone. The controller's phone is hung up. */
export async function parkCall(
  parts: TransferParts,
  actor: Actor,
  callId: string,
  wished: number | undefined,
): Promise<ParkedCall> {
  const { companyId } = actor
  const asked = await parts.askEdge(async (tx) => {
    await openParking(tx, actor, callId, wished)
    return { companyId, callId, command: { do: 'park' } }
  })
  if (asked.ok && isDone(asked.answer)) {
    const parked = await listParkedCalls(parts.db.sql, actor)
    return parked.find((one) => one.call_id === callId) ?? fail(callNotParked())
  }
  // If the edge claimed the command, the slot stays taken until the outcome is known, or the call ends.
  const isUnknown = !asked.ok && asked.why === 'unanswered'
  if (!isUnknown) await parts.db.tx((tx) => callNotParkedAtAll(tx, { companyId, callId }))
  throw asked.ok ? callNotActive() : edgeUnreachable()
}

/** Takes a slot for the API or a phone, if the call may be parked. Returns the slot; the call's edge then parks it. */
export function openParking(tx: Tx, actor: Actor, callId: string, slot: number | undefined): Promise<number> {
  const { companyId, employeeId } = actor
  return withQueue(tx, companyId, async (queue) => {
    const call = (await lockCall(queue, companyId, callId)) ?? fail(notFound())
    if (call.state === 'ended') throw callNotActive()
    if (call.controller_id !== employeeId) throw notCallController()
    if (call.state !== 'answered' && call.state !== 'bridged') throw callNotActive()
    if (await hasOpenTransfer(queue, companyId, callId)) throw transferInProgress()
    // Its phone rings for a call that is still parked.
    if (await isParked(queue, companyId, callId)) throw slotTaken()
    await deleteEndedParkedCalls(queue, companyId)
    const at = await selectTransactionTime(queue)
    const parked = { callId, parkedBy: employeeId, at, slot }
    return (await insertParkedCall(queue, companyId, parked)) ?? fail(slotTaken())
  })
}

/** The employee's phones ring, and the call is theirs when they answer. Others may take it meanwhile. */
export async function retrieveCall(parts: TransferParts, actor: Actor, callId: string): Promise<void> {
  const { companyId, employeeId } = actor
  const ref = { companyId, callId }
  const asked = await parts.askEdge(async (tx) => {
    if (!(await ringForParkedCall(tx, ref, employeeId))) throw await whyNot(tx, actor, callId)
    return { companyId, callId, command: { do: 'retrieve', employeeId } }
  })
  if (asked.ok && isDone(asked.answer)) return
  await parts.db.tx((tx) => parkedCallNotTaken(tx, ref, employeeId))
  throw asked.ok ? callNotParked() : edgeUnreachable()
}

async function whyNot(sql: Queryable, { companyId }: Actor, callId: string): Promise<Error> {
  if (!(await selectLiveCall(sql, companyId, callId))) return notFound()
  return (await isParked(sql, companyId, callId)) ? employeeUnavailable() : callNotParked()
}

export async function listParkedCalls(sql: Queryable, { companyId }: Actor): Promise<ParkedCall[]> {
  return (await selectParkedCalls(sql, companyId)).map(presentParkedCall)
}

const presentParkedCall = (row: ParkedCallRow): ParkedCall => ({ ...row, code: `*${row.slot}` })
