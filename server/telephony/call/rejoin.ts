import { decodeId } from '../../platform/ids.ts'
import { type IncomingCall, isSipUri } from '../../sip/index.ts'
import type { DeviceOwner } from '../port.ts'
import type { LiveCalls } from './calls-at-edge.ts'
import type { ControlParts } from './customer-call.ts'
import { openLeg, takeLateAnswer } from './leg.ts'

/** What a phone dials that has lost its call, as a page has after a reload, with the call in X-Bellhop-Call. */
const REJOIN = 'rejoin'

export const asksToRejoin = ({ uri }: IncomingCall) => isSipUri(uri) && uri.user === REJOIN

/** The phone of an employee comes back to the call that they have in hand. */
export async function takeRejoin(
  { exchange }: ControlParts,
  live: LiveCalls,
  call: IncomingCall,
  { employeeId }: DeviceOwner,
): Promise<void> {
  const callId = decodeId('cal', call.request.headers.get('x-bellhop-call') ?? '')
  const conversation = callId === undefined ? undefined : live.conversationOf(callId)
  // Nobody learns of calls that are not theirs.
  if (!conversation?.isWith(employeeId)) return call.reject(404)
  const opened = await openLeg(exchange.media, call)
  if (!opened) return call.reject(488)
  const { leg, answer } = opened
  leg.follow((event) => takeLateAnswer(exchange.media, leg, event))
  call.accept(answer)
  if (!(await conversation.rejoin(employeeId, leg))) leg.hangUp()
  await leg.ended
}
