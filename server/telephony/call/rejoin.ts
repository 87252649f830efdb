import { decodeId } from '../../platform/ids.ts'
import { type IncomingCall, isSipUri } from '../../sip/index.ts'
import { linkByHeader } from '../monitoring/link-by-header.ts'
import { refuseCall } from '../monitoring/refuse-call.ts'
import type { DeviceOwner } from '../port.ts'
import type { ControlParts } from './customer-call.ts'
import type { EdgeCalls } from './edge-calls.ts'
import { applyDelayedAnswer, openLeg } from './leg.ts'

/** What a phone dials to return to its call, as after a page reload. X-Bellhop-Call names the call. */
const REJOIN = 'rejoin'

export const isRejoin = ({ uri }: IncomingCall) => isSipUri(uri) && uri.user === REJOIN

/** With a customer, or with a coworker. */
function conversationOf(live: EdgeCalls, id: string) {
  const [callId, internalId] = [decodeId('cal', id), decodeId('ica', id)]
  if (callId !== undefined) return live.conversationOf(callId)
  return internalId === undefined ? undefined : live.internalOf(internalId)
}

/** The phone of the call's controller returns to the call. */
export async function handleRejoin(
  { edge }: ControlParts,
  live: EdgeCalls,
  call: IncomingCall,
  owner: DeviceOwner,
): Promise<void> {
  const { employeeId } = owner
  const conversation = conversationOf(live, call.request.headers.get('x-bellhop-call') ?? '')
  // The same response whether the call does not exist or belongs to somebody else.
  if (!conversation?.isWith(employeeId))
    return refuseCall(edge, call, { status: 404, why: 'there is no such call to rejoin' })
  const opened = await openLeg(edge, call, owner)
  if (!opened.ok) return refuseCall(edge, call, opened.refusal)
  linkByHeader(edge.trace, call.request.headers.get('x-bellhop-call'), call.id)
  const { leg, answer } = opened
  leg.follow((event) => applyDelayedAnswer(edge.media, leg, event))
  call.accept(answer)
  if (!(await conversation.rejoin(employeeId, leg))) leg.hangUp()
  await leg.ended
}
