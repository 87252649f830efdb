import { callNotParkedAtAll, openParking } from '../../../modules/calls/index.ts'
import { inBackground } from '../../../platform/background.ts'
import { withTimeout } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import type { ReferRequest } from '../../../sip/index.ts'
import { TELEPHONY_LIMITS } from '../../limits.ts'
import type { ConversationState } from '../conversation-state.ts'
import { parkCustomer } from './park.ts'

/** The SIP status for each rule that refuses. */
const STATUSES: Record<string, number> = {
  not_call_controller: 403,
  parking_slot_taken: 486,
  transfer_in_progress: 491,
}
const OTHERWISE = 603
const AWAY = 503

/** A phone transfers its customer to a slot: they are parked there. The rules are those of the API. */
export async function referToSlot(
  state: ConversationState,
  employeeId: string,
  asked: ReferRequest,
  slot: number,
): Promise<void> {
  const { parts, turns, call } = state
  const { edge, writes } = parts
  const { companyId, callId } = call.ref
  const actor = { companyId, employeeId }
  const giveUp = () => turns.write((tx) => callNotParkedAtAll(tx, call.ref))
  // The rules read the database, so wait for the writes.
  const opening = turns.written.then(() => writes.tx((tx) => openParking(tx, actor, callId, slot)))
  try {
    // A database that is away does not keep the phone waiting.
    const opened = await withTimeout(edge.clock, TELEPHONY_LIMITS.phoneTransferMs, opening)
    if (!opened.ok) {
      inBackground(edge.log, 'park a call too late', opening.then(giveUp))
      return asked.refuse(AWAY)
    }
    if (await turns.take(() => parkCustomer(state, asked))) return
    giveUp()
    asked.refuse(OTHERWISE)
  } catch (err) {
    if (!(err instanceof AppError)) edge.log.error({ err, call: callId }, 'a phone could not park a call')
    asked.refuse(err instanceof AppError ? (STATUSES[err.code] ?? OTHERWISE) : AWAY)
  }
}
