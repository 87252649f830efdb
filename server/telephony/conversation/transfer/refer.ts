import { inBackground } from '../../../platform/background.ts'
import { withTimeout } from '../../../platform/clock.ts'
import type { ReferRequest } from '../../../sip/index.ts'
import { TELEPHONY_LIMITS } from '../../limits.ts'
import type { ConversationState } from '../conversation-state.ts'
import { type OpenedTransfer, openRequestedTransfer, type TransferRefusal } from './requested-transfer.ts'

const NOTHING_TO_TRANSFER = 603
const AWAY = 503

/** A phone requests a transfer with REFER. The rules are those of the API. */
export async function handleRefer(
  state: ConversationState,
  employeeId: string,
  asked: ReferRequest,
): Promise<void> {
  const { log } = state.parts.edge
  const { callId } = state.call.ref
  try {
    const refusal = await begin(state, employeeId, asked)
    if (!refusal) return
    log.info({ call: callId, why: refusal.why }, 'a transfer requested by a phone was refused')
    asked.refuse(refusal.status)
  } catch (err) {
    log.error({ err, call: callId }, 'a transfer requested by a phone failed')
    asked.refuse(AWAY)
  }
}

async function begin(
  state: ConversationState,
  employeeId: string,
  asked: ReferRequest,
): Promise<TransferRefusal | undefined> {
  const { parts, turns, call } = state
  const giveUp = (opened: OpenedTransfer) => opened.ok && turns.write(opened.failed)
  // The rules read the database, so wait for the writes.
  const opening = turns.written.then(() => openRequestedTransfer(parts, call, employeeId, asked))
  // A database that is away keeps neither the phone waiting nor what its employee does next.
  const looked = await withTimeout(parts.edge.clock, TELEPHONY_LIMITS.phoneTransferMs, opening)
  if (!looked.ok) {
    inBackground(parts.edge.log, 'open a transfer that came too late', opening.then(giveUp))
    return { status: AWAY, why: 'the database is away' }
  }
  const opened = looked.value
  if (!opened.ok) return opened
  if (await turns.take(() => opened.begin(state))) return undefined
  giveUp(opened)
  return { status: NOTHING_TO_TRANSFER, why: 'there is nothing left to transfer' }
}
