import { answerCall, type CallRef, countPlaced, startOutboundCall } from '../../modules/calls/index.ts'
import type { CalledNumber } from '../../modules/numbers/index.ts'
import { inBackground } from '../../platform/background.ts'
import {
  type Body,
  type CallEndReason,
  type CallEvent,
  type IncomingCall,
  isSipUri,
  sdpBody,
} from '../../sip/index.ts'
import { runConversation } from '../conversation/run-conversation.ts'
import { TELEPHONY_LIMITS } from '../limits.ts'
import type { DeviceOwner, TrunkChoice } from '../port.ts'
import type { ControlParts, CustomerCall } from './customer-call.ts'
import type { EdgeCalls } from './edge-calls.ts'
import { runToEnd } from './ending.ts'
import { applyAnswer, applyDelayedAnswer, Leg, openLeg } from './leg.ts'
import { checkDialled, numberToShow, readDialled } from './outbound-number.ts'

const MINUTE_MS = 60_000

/** A call that may be placed. */
interface Plan {
  owner: DeviceOwner
  number: CalledNumber
  remoteNumber: string
  trunk: TrunkChoice
}

/** An employee's phone dials a number. */
export async function handleOutboundCall(
  parts: ControlParts,
  live: EdgeCalls,
  call: IncomingCall,
  owner: DeviceOwner,
): Promise<void> {
  const { edge } = parts
  const plan = await planCall(parts, call, owner)
  if ('refusal' in plan) {
    edge.log.warn({ employee: owner.employeeId, why: plan.why }, 'an outbound call was refused')
    return call.reject(plan.refusal, { reason: `SIP;cause=${plan.refusal};text="${plan.why}"` })
  }
  const opened = await openLeg(edge, call)
  if (!opened) return call.reject(488)
  const employee = opened.leg
  employee.follow((event) => applyDelayedAnswer(edge.media, employee, event))
  const placed = await edge.media.createLeg({ transport: plan.trunk.transport })
  if (!placed.ok) return call.reject(500)
  const ref = await open(parts, plan).catch((err: unknown) => {
    edge.log.error({ err }, 'a call was refused because it could not be stored')
    call.reject(503)
  })
  if (!ref) return edge.media.close(placed.leg)
  const outgoing = edge.ua.invite(
    { to: 'trunk', trunk: plan.trunk.name, number: plan.remoteNumber },
    {
      from: {
        uri: { scheme: 'sip', user: plan.number.number, host: 'bellhop', params: new Map() },
        params: new Map(),
      },
      body: sdpBody(placed.sdp),
    },
  )
  const customer = new Leg(edge, outgoing, placed.leg)
  const end = live.add(ref)
  live.dials(ref, { employeeId: owner.employeeId, leg: employee })
  const customerCall: CustomerCall = { ref, number: plan.number, customer, remoteNumber: plan.remoteNumber }
  try {
    await runToEnd(parts, customerCall, () =>
      run(parts, live, { call, employee, answer: opened.answer, plan, customerCall }),
    )
  } finally {
    end()
  }
}

async function planCall(
  { edge }: ControlParts,
  call: IncomingCall,
  owner: DeviceOwner,
): Promise<Plan | { refusal: number; why: string }> {
  const user = isSipUri(call.uri) ? (call.uri.user ?? '') : call.uri.opaque
  const { choice, dialled } = readDialled(user)
  const header = call.request.headers.get('x-bellhop-number')
  const number = await numberToShow(edge.db.sql, owner, { header, choice })
  if (!number) return { refusal: 403, why: 'the company has no such number to call from' }
  const checked = checkDialled(dialled, number.country, edge.allowedCountries)
  if (!checked.ok) {
    return checked.why === 'not_a_number'
      ? { refusal: 484, why: 'not a phone number' }
      : { refusal: 403, why: 'calls to that country are not allowed' }
  }
  const since = new Date(edge.clock.now().getTime() - MINUTE_MS)
  if ((await countPlaced(edge.db.sql, owner.companyId, since)) >= edge.outboundPerMinute)
    return { refusal: 503, why: 'too many calls in a minute' }
  // Short numbers belong to no prefix: they go the way of the number that the call shows.
  const trunk = edge.trunkFor(checked.number.startsWith('+') ? checked.number : number.number)
  if (!trunk) return { refusal: 503, why: 'no carrier is configured for this number' }
  return { owner, number, remoteNumber: checked.number, trunk }
}

async function open({ edge }: ControlParts, { owner, number, remoteNumber }: Plan): Promise<CallRef> {
  const { companyId, employeeId } = owner
  const call = {
    companyId,
    numberId: number.id,
    edgeId: edge.edgeId,
    remoteNumber,
    startedAt: edge.clock.now(),
  }
  const callId = await edge.db.tx((tx) => startOutboundCall(tx, call, employeeId))
  return { companyId, callId }
}

interface Dialling {
  call: IncomingCall
  employee: Leg
  /** What the employee's phone is told of our sound. */
  answer: Body
  plan: Plan
  customerCall: CustomerCall
}

async function run(parts: ControlParts, live: EdgeCalls, dialling: Dialling): Promise<string> {
  const { call, employee, answer, plan, customerCall } = dialling
  const { customer } = customerCall
  if (!(await isAnswered(parts, dialling))) return employee.isOver ? 'employee_hung_up' : 'not_answered'
  call.accept(answer)
  const party = { employeeId: plan.owner.employeeId, leg: employee }
  const end = await runConversation(parts, live, customerCall, party, (tx, at) =>
    answerCall(tx, customerCall.ref, party.employeeId, at),
  )
  customer.hangUp()
  return end
}

/** Passes provisional responses on to the phone until the customer answers or the call fails. */
function isAnswered(
  { edge }: ControlParts,
  { call, employee, answer, customerCall }: Dialling,
): Promise<boolean> {
  const { media, clock } = edge
  const { customer } = customerCall
  return new Promise((resolve) => {
    let isSettled = false
    const stopTimer = clock.after(TELEPHONY_LIMITS.outboundRingMs, () => customer.hangUp())
    const finish = (answered: boolean) => {
      isSettled = true
      stopTimer()
      resolve(answered)
    }
    const hungUp = () => {
      // A call that was answered may belong to a coworker by now.
      if (isSettled) return
      customer.hangUp()
      finish(false)
    }
    inBackground(edge.log, 'handle the hang-up of an employee', employee.ended.then(hungUp))
    customer.follow(async (event: CallEvent) => {
      switch (event.type) {
        case 'ringing':
          return call.ring()
        case 'progress':
          if (!(await applyAnswer(media, customer, event.body))) return
          await media.bridge(customer.sound, employee.sound)
          return call.progress(answer)
        case 'answered':
          if (!(await applyAnswer(media, customer, event.body))) return customer.hangUp()
          return finish(true)
        case 'ended':
          call.reject(statusFor(event.ending))
          return finish(false)
      }
    })
  })
}

/** The response to the employee's phone if the customer was not reached. */
function statusFor(ending: CallEndReason): number {
  if (ending.why === 'refused') return ending.status
  return ending.why === 'lost' ? 503 : 480
}
