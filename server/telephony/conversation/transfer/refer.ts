import { openAttendedTransfer, openTransfer, transferFailed } from '../../../modules/calls/index.ts'
import { inBackground } from '../../../platform/background.ts'
import { withTimeout } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import type { ReferRequest } from '../../../sip/index.ts'
import type { ControlParts, CustomerCall } from '../../call/customer-call.ts'
import { TELEPHONY_LIMITS } from '../../limits.ts'
import { findCoworker } from '../../ring/coworker.ts'
import type { Ringing } from '../../ring/ringing.ts'
import type { SerialQueue } from '../serial-queue.ts'
import { internalCallIn } from './join-calls.ts'
import { takeOverCoworker } from './take-over-coworker.ts'

/** The SIP status for each transfer rule that refuses. */
const STATUSES: Record<string, number> = {
  not_found: 404,
  not_call_controller: 403,
  invalid_target: 403,
  target_unavailable: 480,
  transfer_in_progress: 491,
}
const OTHERWISE = 603
const AWAY = 503

/** A request for a transfer. `start` begins it, unless there is nothing to transfer. */
interface Asking {
  employeeId: string
  asked: ReferRequest
  start(transferId: string, toEmployeeId: string, ring?: () => Ringing): Promise<boolean>
}

/** A phone requests a transfer with REFER. The rules are those of the API. */
export async function handleRefer(
  parts: ControlParts,
  turns: SerialQueue,
  call: CustomerCall,
  asking: Asking,
): Promise<void> {
  const { log } = parts.edge
  const { callId } = call.ref
  try {
    const refusal = await begin(parts, turns, call, asking)
    if (!refusal) return
    log.info({ call: callId, why: refusal.why }, 'a transfer requested by a phone was refused')
    asking.asked.refuse(refusal.status)
  } catch (err) {
    log.error({ err, call: callId }, 'a transfer requested by a phone failed')
    asking.asked.refuse(AWAY)
  }
}

interface Refusal {
  status: number
  why: string
}

async function begin(
  parts: ControlParts,
  turns: SerialQueue,
  call: CustomerCall,
  { employeeId, asked, start }: Asking,
): Promise<Refusal | undefined> {
  const giveUp = (opened: Opened) => {
    if (!opened.ok) return
    const { transferId, toEmployeeId } = opened
    const ref = { ...call.ref, transferId, fromEmployeeId: employeeId, toEmployeeId }
    turns.write((tx) => transferFailed(tx, ref))
  }
  // The rules read the database, so wait for the writes.
  const opening = turns.written.then(() => open(parts, call, employeeId, asked))
  // A database that is away keeps neither the phone waiting nor what its employee does next.
  const looked = await withTimeout(parts.edge.clock, TELEPHONY_LIMITS.phoneTransferMs, opening)
  if (!looked.ok) {
    inBackground(parts.edge.log, 'open a transfer that came too late', opening.then(giveUp))
    return { status: AWAY, why: 'the database is away' }
  }
  const opened = looked.value
  if (!opened.ok) return opened
  if (await start(opened.transferId, opened.toEmployeeId, opened.ring)) return undefined
  giveUp(opened)
  return { status: OTHERWISE, why: 'there is nothing left to transfer' }
}

type Opened =
  | { ok: true; transferId: string; toEmployeeId: string; ring?: () => Ringing }
  | ({ ok: false } & Refusal)

async function open(
  parts: ControlParts,
  call: CustomerCall,
  employeeId: string,
  { target }: ReferRequest,
): Promise<Opened> {
  const { edge } = parts
  const { companyId, callId } = call.ref
  const actor = { companyId, employeeId }
  const internalCallId = internalCallIn(target)
  if (internalCallId !== undefined)
    return orRefusal(async () => {
      const opened = await edge.db.tx((tx) => openAttendedTransfer(tx, actor, callId, internalCallId))
      const internal = { internalCallId, edgeId: opened.edgeId, employeeId }
      return { ok: true, ...opened, ring: () => takeOverCoworker(parts, call, internal) }
    })
  const meant = await findCoworker(edge, { companyId, country: call.number.country }, target)
  switch (meant.is) {
    case 'nobody':
      return { ok: false, status: 404, why: 'nobody has that address' }
    case 'outside':
      return { ok: false, status: 403, why: 'that number belongs to no coworker' }
    case 'ambiguous':
      return { ok: false, status: 485, why: 'several employees have that number' }
    case 'coworker':
      break
  }
  const toEmployeeId = meant.employeeId
  return orRefusal(async () => {
    const transferId = await edge.db.tx((tx) => openTransfer(tx, actor, callId, toEmployeeId))
    return { ok: true, transferId, toEmployeeId }
  })
}

async function orRefusal(run: () => Promise<Opened>): Promise<Opened> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ok: false, status: STATUSES[error.code] ?? OTHERWISE, why: error.code }
  }
}
