import { LIMITS } from '../limits.ts'
import { finish } from './ending.ts'
import type { Party } from './party.ts'
import { type Talk, transferOf } from './talk.ts'
import { callBack } from './transfer/recall.ts'
import { cancelTransfer, completeTransfer } from './transfer/transfer.ts'

/** An employee has hung up: what that means depends on who they are, and on what goes on. */
export function hungUp(talk: Talk, party: Party): void | Promise<void> {
  // Who hangs up as soon as they have asked for a transfer means the customer to be taken over.
  if (talk.asking) return talk.turns.startAfter(talk.asking, () => hungUp(talk, party))
  const transfer = transferOf(talk)
  if (party === transfer?.target) return cancelTransfer(talk, transfer, 480)
  if (party !== talk.controller) return
  if (transfer?.target) return completeTransfer(talk, transfer)
  // The target's phones ring on: who transfers a call may hang up at once.
  if (transfer) transfer.isBlind = true
  else if (hasJustFailed(talk)) return callBack(talk)
  else if (talk.now.is === 'talking') finish(talk, 'employee_hung_up')
}

/** Some phones hang up when they hear that their transfer failed, whatever becomes of the customer. */
function hasJustFailed({ now, parts }: Talk): boolean {
  if (now.is !== 'talking' || !now.failedAt) return false
  return parts.exchange.clock.now().getTime() - now.failedAt.getTime() < LIMITS.transferFailedMs
}
