import {
  openAttendedTransfer,
  openOutsideTransfer,
  openTransfer,
  outsideTransferFailed,
  transferFailed,
} from '../../../modules/calls/index.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import type { ReferRequest } from '../../../sip/index.ts'
import type { ControlParts, CustomerCall } from '../../call/customer-call.ts'
import { planOutsideTransfer } from '../../outbound/plan-transfer.ts'
import { findCoworker } from '../../ring/coworker.ts'
import type { Ringing } from '../../ring/ringing.ts'
import type { ConversationState } from '../conversation-state.ts'
import { beginOutsideTransfer } from './outside-transfer.ts'
import { internalCallIn, takeOverCoworker } from './take-over-coworker.ts'
import { beginTransfer } from './transfer.ts'

/** The SIP status for each transfer rule that refuses. */
const STATUSES: Record<string, number> = {
  not_found: 404,
  not_call_controller: 403,
  invalid_target: 403,
  target_unavailable: 480,
  transfer_in_progress: 491,
}
const OTHERWISE = 603

export interface TransferRefusal {
  status: number
  why: string
}

/** A transfer that is allowed and stored. */
interface Opened {
  ok: true
  /** False if there is nothing to transfer any more. */
  begin(state: ConversationState): Promise<boolean>
  /** Stores that it never began. */
  failed(tx: Tx): Promise<void>
}

export type OpenedTransfer = Opened | ({ ok: false } & TransferRefusal)

/** Checks what a phone requests: a transfer to a coworker, to the coworker of an internal call, or to a number outside. */
export async function openRequestedTransfer(
  parts: ControlParts,
  call: CustomerCall,
  employeeId: string,
  asked: ReferRequest,
): Promise<OpenedTransfer> {
  const internalCallId = internalCallIn(asked.target)
  if (internalCallId !== undefined)
    return orRefusal(() => openAttended(parts, call, { employeeId, asked, internalCallId }))
  const { companyId } = call.ref
  const meant = await findCoworker(parts.edge, { companyId, country: call.number.country }, asked.target)
  switch (meant.is) {
    case 'nobody':
      return { ok: false, status: 404, why: 'nobody has that address' }
    case 'ambiguous':
      return { ok: false, status: 485, why: 'several employees have that number' }
    case 'outside':
      return orRefusal(() => openOutside(parts, call, { employeeId, asked, number: meant.number }))
    case 'coworker':
      return orRefusal(() => openToCoworker(parts, call, { employeeId, asked, to: meant.employeeId }))
  }
}

interface Request {
  /** Who requests it. */
  employeeId: string
  asked: ReferRequest
}

async function openToCoworker(
  { writes }: ControlParts,
  { ref }: CustomerCall,
  { employeeId, asked, to }: Request & { to: string },
): Promise<Opened> {
  const actor = { companyId: ref.companyId, employeeId }
  const transferId = await writes.tx((tx) =>
    openTransfer(tx, actor, ref.callId, { toEmployeeId: to, isBlind: true }),
  )
  return toCoworker({ ...ref, transferId, fromEmployeeId: employeeId, toEmployeeId: to }, asked)
}

async function openAttended(
  parts: ControlParts,
  call: CustomerCall,
  { employeeId, asked, internalCallId }: Request & { internalCallId: string },
): Promise<Opened> {
  const { ref } = call
  const actor = { companyId: ref.companyId, employeeId }
  const { transferId, toEmployeeId, edgeId } = await parts.writes.tx((tx) =>
    openAttendedTransfer(tx, actor, ref.callId, internalCallId),
  )
  const ring = () => takeOverCoworker(parts, call, { internalCallId, edgeId, employeeId })
  return toCoworker({ ...ref, transferId, fromEmployeeId: employeeId, toEmployeeId }, asked, ring)
}

const toCoworker = (
  ref: Parameters<typeof transferFailed>[1],
  asked: ReferRequest,
  ring?: () => Ringing,
): Opened => ({
  ok: true,
  begin: (state) => beginTransfer(state, ref.transferId, ref.toEmployeeId, { asked, ...(ring && { ring }) }),
  failed: (tx) => transferFailed(tx, ref),
})

async function openOutside(
  { edge, writes }: ControlParts,
  { ref, number: shown }: CustomerCall,
  { employeeId, asked, number }: Request & { number: string },
): Promise<OpenedTransfer> {
  const target = await planOutsideTransfer(edge, shown, number)
  if ('refusal' in target) return { ok: false, status: target.refusal, why: target.why }
  const actor = { companyId: ref.companyId, employeeId }
  const transfer = { number, startedAt: edge.clock.now() }
  const outsideTransferId = await writes.tx((tx) => openOutsideTransfer(tx, actor, ref.callId, transfer))
  return {
    ok: true,
    begin: (state) => beginOutsideTransfer(state, outsideTransferId, target, asked),
    failed: (tx) => outsideTransferFailed(tx, { ...ref, outsideTransferId, employeeId }),
  }
}

async function orRefusal(run: () => Promise<OpenedTransfer>): Promise<OpenedTransfer> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ok: false, status: STATUSES[error.code] ?? OTHERWISE, why: error.code }
  }
}
