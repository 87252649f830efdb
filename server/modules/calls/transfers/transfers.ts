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
import { hasOpenTransfer, insertTransfer, selectTransfer, type TransferRow } from './queries.ts'
import type { EdgeCommand, Transfer } from './schemas.ts'
import { transferFailed } from './transfer-states.ts'

interface EdgeRequest {
  companyId: string
  callId: string
  command: EdgeCommand
}

/** Asks the edge that holds a call, in the transaction that prepares it, and waits a while. */
export type RunEdgeCommand = (prepare: (tx: Tx) => Promise<EdgeRequest>) => Promise<EdgeCommandOutcome>

export interface TransferParts {
  db: Database
  askEdge: RunEdgeCommand
}

interface WhichTransfer {
  callId: string
  transferId: string
}

/** The other employee's phones ring, and the customer hears music meanwhile. */
export async function startTransfer(
  parts: TransferParts,
  actor: Actor,
  callId: string,
  employeeId: string | null | undefined,
): Promise<Transfer> {
  if (!employeeId?.trim()) throw employeeIdMissing()
  const toEmployeeId = decodeId('emp', employeeId) ?? fail(notFound())
  const { companyId } = actor
  let transferId = ''
  // In one transaction: whatever becomes of this process, there is no transfer that no edge was told of.
  const asked = await parts.askEdge(async (tx) => {
    transferId = await openTransfer(tx, actor, callId, toEmployeeId)
    return { companyId, callId, command: { do: 'start_transfer', transferId, toEmployeeId } }
  })
  if (asked.ok && isDone(asked.answer)) return readTransfer(parts, actor, { callId, transferId })
  // What the edge never saw is as if it had not been asked. What it saw stays open until its outcome is known.
  const isUnknown = !asked.ok && asked.why === 'unanswered'
  const ref = { companyId, callId, transferId, fromEmployeeId: actor.employeeId, toEmployeeId }
  if (!isUnknown) await parts.db.tx((tx) => transferFailed(tx, ref))
  throw asked.ok ? callNotActive() : edgeUnreachable()
}

/** A transfer that may begin, whoever asks for it and how. Returns its id; the edge that holds the call is to run it. */
export function openTransfer(tx: Tx, actor: Actor, callId: string, toEmployeeId: string): Promise<string> {
  const { companyId, employeeId: from } = actor
  return withQueue(tx, companyId, async (queue) => {
    const call = (await lockCall(queue, companyId, callId)) ?? fail(notFound())
    await checkStart(queue, actor, call, toEmployeeId)
    const transfer = { callId, from, to: toEmployeeId }
    const transferId = (await insertTransfer(queue, companyId, transfer)) ?? fail(transferInProgress())
    await publishCall(queue, { companyId, callId })
    await availabilityChanged(queue, companyId, [toEmployeeId])
    return transferId
  })
}

/** By who has the call in hand, or who is to have it. Once completed, it stays so. */
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

/** The customer is back with who had the call. */
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
  const target = (await findEmployee(tx, actor.companyId, toEmployeeId)) ?? fail(notFound())
  if (call.state === 'ended') throw callNotActive()
  if (call.controller_id !== actor.employeeId) throw notCallController()
  if (call.state !== 'answered' && call.state !== 'bridged') throw callNotActive()
  if (toEmployeeId === actor.employeeId) throw invalidTarget()
  // Of a call in transfer this is the better answer, also when its target rings already.
  if (await hasOpenTransfer(tx, actor.companyId, call.id)) throw transferInProgress()
  if (target.status !== 'available') throw targetUnavailable()
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
  // It came to another end meanwhile: the customer hung up, or the other employee did.
  if (transfer.state !== wanted) throw transferOver()
  return transfer
}

const isDone = (answer: unknown) => (answer as { ok?: boolean } | null)?.ok === true

async function find({ db }: TransferParts, { companyId }: Actor, { callId, transferId }: WhichTransfer) {
  const call = (await selectLiveCall(db.sql, companyId, callId)) ?? fail(notFound())
  const transfer = (await selectTransfer(db.sql, companyId, callId, transferId)) ?? fail(notFound())
  return { call, transfer }
}

async function readTransfer(
  { db }: TransferParts,
  { companyId }: Actor,
  which: WhichTransfer,
): Promise<Transfer> {
  return presentTransfer(
    (await selectTransfer(db.sql, companyId, which.callId, which.transferId)) ?? fail(notFound()),
  )
}

export const presentTransfer = ({ id, state, from_employee, to_employee }: TransferRow): Transfer => ({
  id,
  state,
  from_employee,
  to_employee,
})
