import { decodeId, encodeId } from '../../../platform/ids.ts'
import { isSipUri, type Uri } from '../../../sip/index.ts'
import type { ControlParts, CustomerCall } from '../../call/customer-call.ts'
import { TELEPHONY_LIMITS } from '../../limits.ts'
import { type Ringing, ringPhones } from '../../ring/ringing.ts'

interface InternalCallOf {
  internalCallId: string
  /** The edge that has it. */
  edgeId: string
  /** The employee who leaves it; the coworker goes to the customer. */
  employeeId: string
}

/** Names the employee who leaves an internal call to the edge that has it. */
export const LEAVES = 'x-bellhop-leaves'

/** The internal call that a transfer names as its target. */
export const internalCallIn = (target: Uri): string | undefined =>
  isSipUri(target) ? decodeId('ica', target.user ?? '') : undefined

const GONE: Ringing = { outcome: Promise.resolve({ is: 'unreachable', isAway: false }), cancel() {} }

/** Takes the coworker out of an internal call, at this edge or at another, as if they had been rung for the customer. */
export function takeOverCoworker(
  { edge, releaseCoworker }: ControlParts,
  { ref, ringDisplay }: CustomerCall,
  { internalCallId, edgeId, employeeId }: InternalCallOf,
): Ringing {
  if (edgeId === edge.edgeId) {
    const ringing = releaseCoworker(internalCallId, employeeId)?.ringing
    if (!ringing) return GONE
    const outcome = ringing.outcome.then((outcome) => {
      if (outcome.is === 'answered') edge.trace.link(ref.callId, outcome.leg.call.id)
      return outcome
    })
    return { ...ringing, outcome }
  }
  const display = async () => {
    const { from, headers } = await ringDisplay()
    return { from, headers: { ...headers, [LEAVES]: encodeId('emp', employeeId) } }
  }
  return ringPhones(edge, () => edge.routesToInternalCall(internalCallId, edgeId), display, {
    ringMs: TELEPHONY_LIMITS.transferRingMs,
  })
}
