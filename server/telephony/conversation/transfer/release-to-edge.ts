import type { LegId } from '../../../media/port.ts'
import { decodeId } from '../../../platform/ids.ts'
import { type Body, bodyText, type IncomingCall, sdpBody } from '../../../sip/index.ts'
import { linkByHeader } from '../../monitoring/link-by-header.ts'
import type { CallControl, EdgePort, LegForEdge } from '../../port.ts'
import { LEAVES } from './take-over-coworker.ts'

interface Released {
  employeeId: string
  /** The coworker's, bridged with the leg of the other edge. */
  leg: LegForEdge
  near: LegId
  /** To the SDP offer of the other edge. */
  answer: Body
}

/**
 * Another edge takes the coworker out of an internal call of this one, once they have answered. Undefined if there is
 * nobody to take, or if the call was refused here.
 */
export async function releaseToEdge(
  { media, trace, releaseCoworker }: Pick<EdgePort, 'media' | 'trace'> & Pick<CallControl, 'releaseCoworker'>,
  incoming: IncomingCall,
  { internalCallId, body }: { internalCallId: string; body: Body },
): Promise<Released | undefined> {
  const { headers } = incoming.request
  const leaver = decodeId('emp', headers.get(LEAVES) ?? '')
  const released = leaver === undefined ? undefined : releaseCoworker(internalCallId, leaver)
  if (!released) return undefined
  const { ringing, employeeId } = released
  incoming.listen((event) => event.type === 'ended' && ringing.cancel())
  incoming.ring()
  const outcome = await ringing.outcome
  if (outcome.is === 'declined') incoming.reject(603)
  if (outcome.is !== 'answered') return undefined
  const { leg } = outcome
  const near = await media.createLeg({ offer: bodyText(body), near: leg.sound })
  const isBridged =
    near.ok &&
    (await media.bridge(near.leg, leg.sound).then(
      () => true,
      // The coworker has just hung up, and their media is closed.
      () => false,
    ))
  if (!isBridged || incoming.isOver || leg.isOver) {
    if (near.ok) await media.close(near.leg)
    leg.hangUp()
    return undefined
  }
  leg.release()
  for (const sipCallId of [incoming.id, leg.call.id])
    linkByHeader(trace, headers.get('x-bellhop-call'), sipCallId)
  return { employeeId, leg, near: near.leg, answer: sdpBody(near.sdp) }
}
