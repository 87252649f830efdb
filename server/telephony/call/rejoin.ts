import { decodeId } from '../../platform/ids.ts'
import { type IncomingCall, isSipUri } from '../../sip/index.ts'
import type { Conversation } from '../conversation/conversation.ts'
import type { InternalConversation } from '../internal/internal-conversation.ts'
import { linkByHeader } from '../monitoring/link-by-header.ts'
import { refuseCall } from '../monitoring/refuse-call.ts'
import type { DeviceOwner } from '../port.ts'
import type { EdgeCallParts } from './customer-call.ts'
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

/** RFC 3891: a phone takes over a call that the same employee has on another one. */
export async function handleReplacingCall(
  parts: EdgeCallParts,
  live: EdgeCalls,
  call: IncomingCall,
  dialog: string,
): Promise<void> {
  const { edge } = parts
  const owner = call.peer.kind === 'device' ? await edge.ownerOf(call.peer.username) : undefined
  const replaced = owner && live.callWith(owner.employeeId, dialog)
  const conversation = replaced && conversationOf(live, replaced.id)
  // The same response whether there is no such call or it belongs to somebody else.
  if (!replaced || !conversation?.isWith(owner.employeeId))
    return refuseCall(edge, call, { status: 481, why: 'there is no such call to replace' })
  return join(parts, call, { owner, conversation, id: replaced.id })
}

/** The phone of the call's controller returns to the call. */
export async function handleRejoin(
  parts: EdgeCallParts,
  live: EdgeCalls,
  call: IncomingCall,
  owner: DeviceOwner,
): Promise<void> {
  const id = call.request.headers.get('x-bellhop-call') ?? ''
  const conversation = conversationOf(live, id)
  // The same response whether the call does not exist or belongs to somebody else.
  if (!conversation?.isWith(owner.employeeId))
    return refuseCall(parts.edge, call, { status: 404, why: 'there is no such call to rejoin' })
  return join(parts, call, { owner, conversation, id })
}

interface Joining {
  owner: DeviceOwner
  conversation: Conversation | InternalConversation
  /** Of the call. */
  id: string
}

/** The phone gets the place of the employee's other leg. */
async function join(
  { edge }: EdgeCallParts,
  call: IncomingCall,
  { owner, conversation, id }: Joining,
): Promise<void> {
  const opened = await openLeg(edge, call, owner)
  if (!opened.ok) return refuseCall(edge, call, opened.refusal)
  linkByHeader(edge.trace, id, call.id)
  const { leg, answer } = opened
  leg.follow((event) => applyDelayedAnswer(edge.media, leg, event))
  call.accept(answer)
  if (!(await conversation.rejoin(owner.employeeId, leg))) leg.hangUp()
  await leg.ended
}
