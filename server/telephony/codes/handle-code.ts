import type { IncomingCall } from '../../sip/index.ts'
import type { EdgeCallParts } from '../call/customer-call.ts'
import type { EdgeCalls } from '../call/edge-calls.ts'
import { applyDelayedAnswer, openLeg } from '../call/leg.ts'
import { DIALLED_BY, isPassedOn } from '../edge/peer-edges.ts'
import { linkByHeader } from '../monitoring/link-by-header.ts'
import { refuseCall } from '../monitoring/refuse-call.ts'
import type { CodeCall, CodeParts, CodeRefusal } from './code-call.ts'
import { findCallToMerge } from './merge.ts'
import { findCallForSlot } from './parking-slot.ts'
import { type PhoneCode, readPhoneCode } from './phone-code.ts'
import { findCallForPickup } from './pick-up.ts'

const ELSEWHERE: CodeRefusal = { status: 480, why: 'the call has just moved' }
const AWAY: CodeRefusal = { status: 503, why: 'the database is away' }

/** A phone that dials a code gets a call that another phone had or would have got, gives its own away, or merges two. */
export async function handlePhoneCode(
  code: CodeParts,
  call: IncomingCall,
  dialled: PhoneCode,
): Promise<void> {
  const { edge } = code.parts
  const away = (err: unknown): CodeRefusal => {
    edge.log.error({ err }, 'a code that a phone dialled could not be carried out')
    return AWAY
  }
  const handling = (async () => {
    const found = await findCall(code, dialled)
    return 'status' in found ? found : carryOut(code, call, found)
  })().catch(away)
  if (dialled.is === 'merge') keepCallsDuring(code, handling)
  const refusal = await handling
  if (!refusal) return
  const { status, why } = refusal
  const headers = { reason: `SIP;cause=${status};text="${why}"` }
  const details = { employee: code.owner.employeeId }
  refuseCall(edge, call, { status, why, headers, details, isInternal: true })
}

/** A phone that hangs up on its customer before the calls are merged does not end the customer's call. */
function keepCallsDuring(
  { parts: { edge }, live, owner: { employeeId } }: CodeParts,
  handling: Promise<unknown>,
) {
  live.conversationControlledBy(employeeId)?.keepDuring(handling)
  edge.keepRelayedDuring(employeeId, handling)
}

/** The same for a phone at another edge, where it dialled. */
export async function handlePassedOnCode(
  shared: EdgeCallParts,
  live: EdgeCalls,
  call: IncomingCall,
): Promise<void> {
  const { edge } = shared
  const owner = await edge.ownerOf(call.request.headers.get(DIALLED_BY) ?? '')
  const dialled = readPhoneCode(call.uri)
  if (!owner || !dialled) return refuseCall(edge, call, { status: 403, why: 'the phone has been removed' })
  return handlePhoneCode({ parts: shared.ofCompany(owner.companyId), live, owner }, call, dialled)
}

function findCall(code: CodeParts, dialled: PhoneCode): Promise<CodeCall | CodeRefusal> {
  switch (dialled.is) {
    case 'pickup':
      return findCallForPickup(code, dialled.extension)
    case 'slot':
      return findCallForSlot(code, dialled.slot)
    case 'merge':
      return findCallToMerge(code)
  }
}

async function carryOut(
  { parts, owner }: CodeParts,
  call: IncomingCall,
  { id, edgeId, run }: CodeCall,
): Promise<CodeRefusal | undefined> {
  const { edge } = parts
  if (edgeId !== edge.edgeId) return isPassedOn(call) ? ELSEWHERE : edge.passOn(call, { owner, edgeId, id })
  // Between edges the media is not encrypted, whatever the device must have.
  const opened = await openLeg(edge, call, isPassedOn(call) ? undefined : owner)
  if (!opened.ok) {
    refuseCall(edge, call, opened.refusal)
    return undefined
  }
  const { leg, answer } = opened
  leg.follow((event) => applyDelayedAnswer(edge.media, leg, event))
  linkByHeader(edge.trace, id, call.id)
  const refusal = await run({ leg, accept: () => call.accept(answer) })
  if (!refusal) await leg.ended
  return refusal
}
