import type { Database, Tx } from '../../../platform/db/database.ts'
import { fail, notFound } from '../../../platform/errors.ts'
import type { Actor } from '../../../platform/http/route.ts'
import { decodeId } from '../../../platform/ids.ts'
import type { EdgeCommandOutcome } from '../../edges/index.ts'
import { findEmployee } from '../../employees/index.ts'
import { withQueue, availabilityChanged } from '../../queue/index.ts'
import { publishCall } from '../live/live-calls.ts'
import { type LiveCallRow, lockCall, selectLiveCall } from '../live/queries.ts'
import {
  callNotActive,
  edgeUnreachable,
  employeeIdMissing,
  invalidTarget,
  notCallController,
  targetUnavailable,
  transferInProgress,
  transferNotConsulting,
  transferOver,
} from './errors.ts'
import { hasRingingOutside } from './outside-queries.ts'
import { hasOpenTransfer, insertTransfer, selectTransfer, type TransferRow } from './queries.ts'
import type { EdgeCommand, Transfer } from './schemas.ts'
import { transferFailed } from './transfer-states.ts'

interface EdgeRequest {
  companyId: string
  callId: string
  command: EdgeCommand
}

/** Posts a command to the call's edge in the transaction of `prepare`, and waits for the outcome until a timeout. */
export type RunEdgeCommand = (prepare: (tx: Tx) => Promise<EdgeRequest>) => Promise<EdgeCommandOutcome>

export interface TransferParts {
  db: Database
  askEdge: RunEdgeCommand
}

interface WhichTransfer {
  callId: string
  transferId: string
}

/** The coworker's phones ring while the customer hears hold music. */
export async function startTransfer(
  parts: TransferParts,
  actor: Actor,
  callId: string,
  { employeeId, isBlind }: { employeeId: string | null | undefined; isBlind: boolean },
): Promise<Transfer> {
  if (!employeeId?.trim()) throw employeeIdMissing()
  const toEmployeeId = decodeId('emp', employeeId) ?? fail(notFound())
  const { companyId } = actor
  let transferId = ''
  // One transaction for the transfer and its command: even if this process dies, no transfer is left without one.
  const asked = await parts.askEdge(async (tx) => {
    transferId = await openTransfer(tx, actor, callId, { toEmployeeId, isBlind })
    return { companyId, callId, command: { do: 'start_transfer', transferId, toEmployeeId, isBlind } }
  })
  if (asked.ok && isDone(asked.answer)) return readTransfer(parts, actor, { callId, transferId })
  // A command that the edge never claimed had no effect. One that it claimed leaves the transfer open until its outcome
  // is known.
  const isUnknown = !asked.ok && asked.why === 'unanswered'
  const ref = { companyId, callId, transferId, fromEmployeeId: actor.employeeId, toEmployeeId }
  if (!isUnknown) await parts.db.tx((tx) => transferFailed(tx, ref))
  throw asked.ok ? callNotActive() : edgeUnreachable()
}

/** Opens a transfer for the API or a phone, if it is allowed. Returns its id; the call's edge then runs it. */
export function openTransfer(
  tx: Tx,
  actor: Actor,
  callId: string,
  { toEmployeeId, isBlind }: { toEmployeeId: string; isBlind: boolean },
): Promise<string> {
  const { companyId, employeeId: from } = actor
  return withQueue(tx, companyId, async (queue) => {
    const call = (await lockCall(queue, companyId, callId)) ?? fail(notFound())
    await checkStart(queue, actor, call, toEmployeeId)
    const transfer = { callId, from, to: toEmployeeId, state: 'ringing', isBlind } as const
    const transferId = (await insertTransfer(queue, companyId, transfer)) ?? fail(transferInProgress())
    await publishCall(queue, { companyId, callId })
    await availabilityChanged(queue, companyId, [toEmployeeId])
    return transferId
  })
}

/** The controller or the coworker may complete it. Completing it again changes nothing. */
export async function completeTransfer(
  parts: TransferParts,
  actor: Actor,
  which: WhichTransfer,
): Promise<Transfer> {
  const { call, transfer } = await find(parts, actor, which)
  const isParty = [transfer.from_employee.id, transfer.to_employee.id, call.controller_id].includes(
    actor.employeeId,
  )
  if (!isParty) throw notCallController()
  if (transfer.state === 'completed') return presentTransfer(transfer)
  if (transfer.state === 'ringing') throw transferNotConsulting()
  if (transfer.state !== 'consulting') throw transferOver()
  return carryOut(parts, actor, which, 'complete_transfer')
}

/** Connects the customer with the controller again. */
export async function cancelTransfer(
  parts: TransferParts,
  actor: Actor,
  which: WhichTransfer,
): Promise<Transfer> {
  const { transfer } = await find(parts, actor, which)
  if (transfer.from_employee.id !== actor.employeeId) throw notCallController()
  if (transfer.state === 'cancelled') return presentTransfer(transfer)
  if (transfer.state !== 'ringing' && transfer.state !== 'consulting') throw transferOver()
  return carryOut(parts, actor, which, 'cancel_transfer')
}

async function checkStart(tx: Tx, actor: Actor, call: LiveCallRow, toEmployeeId: string): Promise<void> {
  const { status } = await checkTransferable(tx, actor, call, toEmployeeId)
  if (status !== 'available') throw targetUnavailable()
}

/** The rules for every transfer. Returns the coworker, who may still be unavailable. */
export async function checkTransferable(
  tx: Tx,
  actor: Actor,
  call: LiveCallRow,
  toEmployeeId: string,
): Promise<{ status: string }> {
  const target = (await findEmployee(tx, actor.companyId, toEmployeeId)) ?? fail(notFound())
  checkActive(actor, call)
  if (toEmployeeId === actor.employeeId) throw invalidTarget()
  // Checked before availability: an open transfer is the more useful error, even if its coworker is already ringing.
  await checkNoTransfer(tx, actor, call)
  return target
}

/** The rules for a transfer to nobody of the company. */
export async function checkController(tx: Tx, actor: Actor, call: LiveCallRow): Promise<void> {
  checkActive(actor, call)
  await checkNoTransfer(tx, actor, call)
}

function checkActive(actor: Actor, call: LiveCallRow): void {
  if (call.state === 'ended') throw callNotActive()
  if (call.controller_id !== actor.employeeId) throw notCallController()
  if (call.state !== 'answered' && call.state !== 'bridged') throw callNotActive()
}

async function checkNoTransfer(tx: Tx, { companyId }: Actor, { id }: LiveCallRow): Promise<void> {
  if ((await hasOpenTransfer(tx, companyId, id)) || (await hasRingingOutside(tx, companyId, id)))
    throw transferInProgress()
}

async function carryOut(
  parts: TransferParts,
  actor: Actor,
  { callId, transferId }: WhichTransfer,
  action: 'complete_transfer' | 'cancel_transfer',
): Promise<Transfer> {
  const { companyId } = actor
  const asked = await parts.askEdge(async () => ({ companyId, callId, command: { do: action, transferId } }))
  if (!asked.ok) throw edgeUnreachable()
  const transfer = await readTransfer(parts, actor, { callId, transferId })
  const wanted = action === 'complete_transfer' ? 'completed' : 'cancelled'
  // The transfer ended differently meanwhile: the customer or the coworker hung up.
  if (transfer.state !== wanted) throw transferOver()
  return transfer
}

export const isDone = (answer: unknown) => (answer as { ok?: boolean } | null)?.ok === true

async function find({ db }: TransferParts, { companyId }: Actor, { callId, transferId }: WhichTransfer) {
  const call = (await selectLiveCall(db.sql, companyId, callId)) ?? fail(notFound())
  const transfer = (await selectTransfer(db.sql, companyId, callId, transferId)) ?? fail(notFound())
  return { call, transfer }
}

export async function readTransfer(
  { db }: TransferParts,
  { companyId }: Actor,
  which: WhichTransfer,
): Promise<Transfer> {
  return presentTransfer(
    (await selectTransfer(db.sql, companyId, which.callId, which.transferId)) ?? fail(notFound()),
  )
}

export const presentTransfer = ({
  id,
  state,
  is_blind,
  from_employee,
  to_employee,
}: TransferRow): Transfer => ({
  id,
  state,
  is_blind,
  from_employee,
  to_employee,
})
