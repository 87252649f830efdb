import { LIMITS } from '../limits.ts'
import { finish } from './ending.ts'
import type { Party } from './party.ts'
import { type Talk, transferOf } from './talk.ts'
import { callBack } from './transfer/recall.ts'
import { cancelTransfer, completeTransfer } from './transfer/transfer.ts'

/** An employee hung up. The effect depends on their part in the call, and on a transfer in progress. */
export function hungUp(talk: Talk, party: Party): void | Promise<void> {
  // Hanging up right after requesting a transfer makes it a blind transfer.
  if (talk.asking) return talk.turns.startAfter(talk.asking, () => hungUp(talk, party))
  const transfer = transferOf(talk)
  if (party === transfer?.target) return cancelTransfer(talk, transfer, 480)
  if (party !== talk.controller) return
  if (transfer?.target) return completeTransfer(talk, transfer)
  // The coworker's phones keep ringing: the controller need not wait.
  if (transfer) transfer.isBlind = true
  else if (hasJustFailed(talk)) return callBack(talk)
  else if (talk.now.is === 'talking') finish(talk, 'employee_hung_up')
}

/** Some phones hang up when their transfer fails, although the customer is still there. */
function hasJustFailed({ now, parts }: Talk): boolean {
  if (now.is !== 'talking' || !now.failedAt) return false
  return parts.exchange.clock.now().getTime() - now.failedAt.getTime() < LIMITS.transferFailedMs
}
