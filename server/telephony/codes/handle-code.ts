import type { IncomingCall } from '../../sip/index.ts'
import type { ControlParts } from '../call/customer-call.ts'
import type { EdgeCalls } from '../call/edge-calls.ts'
import { applyDelayedAnswer, openLeg } from '../call/leg.ts'
import { refuseCall } from '../monitoring/refuse-call.ts'
import type { DeviceOwner } from '../port.ts'
import type { PhoneCode } from './phone-code.ts'
import { pickUpByPhone } from './pick-up.ts'

/** A phone that dials a code gets a call that another phone had, or would have got. */
export async function handlePhoneCode(
  parts: ControlParts,
  live: EdgeCalls,
  call: IncomingCall,
  { owner, code }: { owner: DeviceOwner; code: PhoneCode },
): Promise<void> {
  const { edge } = parts
  const opened = await openLeg(edge, call, owner)
  if (!opened.ok) return refuseCall(edge, call, opened.refusal)
  const { leg, answer } = opened
  leg.follow((event) => applyDelayedAnswer(edge.media, leg, event))
  const accept = () => call.accept(answer)
  const dialling = { owner, leg, accept, linkTo: (callId: string) => edge.trace.link(callId, call.id) }
  const refusal = await pickUpByPhone(parts, live, dialling, code.extension).catch((err: unknown) => {
    edge.log.error({ err }, 'a code that a phone dialled was refused because the database failed')
    return { status: 503, why: 'the database is away' }
  })
  if (!refusal) {
    await leg.ended
    return
  }
  const { status, why } = refusal
  edge.log.info({ employee: owner.employeeId, why }, 'a code that a phone dialled was refused')
  call.reject(status, { reason: `SIP;cause=${status};text="${why}"` })
}
