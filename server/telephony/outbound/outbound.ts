import type { LegId } from '../../media/port.ts'
import { type CallRef, endStartedCall, startOutboundCall } from '../../modules/calls/index.ts'
import { inBackground } from '../../platform/background.ts'
import { WITHHELD_NUMBER } from '../../platform/text/phone.ts'
import { isEmergencyNumber, isShortNumber } from '../../platform/text/short-numbers/short-numbers.ts'
import type { Body, CallEndReason, CallerId, CallEvent, IncomingCall } from '../../sip/index.ts'
import { endIfStored } from '../call/call-writer.ts'
import { type ControlParts, createCustomerCall, type CustomerCall } from '../call/customer-call.ts'
import type { EdgeCalls } from '../call/edge-calls.ts'
import { runToEnd } from '../call/ending.ts'
import { applyAnswer, applyDelayedAnswer, Leg, openLeg } from '../call/leg.ts'
import { runConversation } from '../conversation/run-conversation.ts'
import { TELEPHONY_LIMITS } from '../limits.ts'
import { startCallSpan } from '../monitoring/call-span.ts'
import { reportRefusal } from '../monitoring/carrier-refusals.ts'
import { secondsSince } from '../monitoring/metrics.ts'
import { refuseCall } from '../monitoring/refuse-call.ts'
import type { DeviceOwner, EdgePort } from '../port.ts'
import { prepareInsideCall } from './inside-call.ts'
import type { PlacedLeg } from './placed-leg.ts'
import { type Plan, planCall } from './plan.ts'
import { prepareTrunkCall } from './trunk-call.ts'

/** An employee's phone dials a number. */
export async function handleOutboundCall(
  parts: ControlParts,
  live: EdgeCalls,
  call: IncomingCall,
  owner: DeviceOwner,
): Promise<void> {
  const { edge } = parts
  const plan = await planCall(edge, call, owner)
  if ('refusal' in plan) {
    const { refusal: status, why } = plan
    const headers = { reason: `SIP;cause=${status};text="${why}"` }
    return refuseCall(edge, call, { status, why, headers, details: { employee: owner.employeeId } })
  }
  const opened = await openLeg(edge, call, owner, { isNarrowband: true })
  if (!opened.ok) return refuseCall(edge, call, opened.refusal)
  const employee = opened.leg
  employee.follow((event) => applyDelayedAnswer(edge.media, employee, event))
  const placed = await prepare(parts, live, plan, employee.sound)
  if (!placed) return refuseCall(edge, call, { status: 500, why: 'no media could be opened for the callee' })
  const ref = await open(parts, plan).catch((err: unknown) => {
    edge.log.error({ err }, 'a call was refused because it could not be stored')
    edge.metrics.callsRefused.inc({ direction: 'outbound', status: 503 })
    call.reject(503)
  })
  if (!ref) return placed.discard()
  const link = (sipCallId: string) => edge.trace.link(ref.callId, sipCallId)
  link(call.id)
  const customer = new Leg(edge, placed.invite(link), placed.sound)
  if (isShortNumber(plan.remoteNumber, plan.number.country)) logShortNumber(edge, plan, ref)
  const end = live.add(ref)
  live.dials(ref, { employeeId: owner.employeeId, leg: employee })
  const { number, remoteNumber } = plan
  const direction = 'outbound'
  const { tracer, edgeId } = edge
  const span = tracer && startCallSpan(tracer, ref, { direction, edgeId, numberId: number.id })
  const customerCall = createCustomerCall(edge, { ref, number, customer, remoteNumber, direction, span })
  try {
    await runToEnd(parts, customerCall, async () => {
      const dialling = { call, employee, answer: opened.answer, plan, customerCall }
      const reason = await run(parts, live, dialling)
      await placed.settled()
      return reason
    })
  } finally {
    end()
  }
}

function prepare(
  parts: ControlParts,
  live: EdgeCalls,
  plan: Plan,
  near: LegId,
): Promise<PlacedLeg | undefined> {
  const { number, remoteNumber, isWithheld, route } = plan
  return route.over === 'inside'
    ? prepareInsideCall(parts, live, {
        shown: isWithheld ? WITHHELD_NUMBER : number.number,
        called: route.called,
        near,
      })
    : prepareTrunkCall(parts.edge, route.trunks, { caller: callerIdFor(plan), dialled: remoteNumber, near })
}

/** For the operator, who answers for emergency calls. */
function logShortNumber({ log }: EdgePort, plan: Plan, { companyId, callId }: CallRef): void {
  const { owner, number, remoteNumber } = plan
  const isEmergency = isEmergencyNumber(remoteNumber, number.country)
  log.warn(
    { company: companyId, employee: owner.employeeId, call: callId, dialled: remoteNumber, isEmergency },
    'an emergency or short number was dialled',
  )
}

/** Emergency services see a number with a registered address, and never nobody. */
function callerIdFor({ number, remoteNumber, isWithheld }: Plan): CallerId {
  return isEmergencyNumber(remoteNumber, number.country)
    ? { number: number.emergency_caller_id ?? number.number }
    : { number: number.number, isWithheld }
}

async function open(parts: ControlParts, { owner, number, remoteNumber }: Plan): Promise<CallRef> {
  const { edge, writes } = parts
  const { companyId, employeeId } = owner
  const call = {
    companyId,
    numberId: number.id,
    edgeId: edge.edgeId,
    remoteNumber,
    startedAt: edge.clock.now(),
  }
  try {
    const callId = await writes.tx((tx) => startOutboundCall(tx, call, employeeId))
    return { companyId, callId }
  } catch (err) {
    endIfStored(parts, err, (tx) => endStartedCall(tx, call, edge.clock.now()))
    throw err
  }
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
  const end = await runConversation(parts, live, customerCall, party)
  customer.hangUp()
  return end
}

/** Passes provisional responses on to the phone until the customer answers or the call fails. */
function isAnswered(
  { edge }: ControlParts,
  { call, employee, answer, plan, customerCall }: Dialling,
): Promise<boolean> {
  const { media, clock } = edge
  const { customer, ref } = customerCall
  const placedAt = edge.realTime.now()
  let isPutThrough = false
  const putThrough = () => {
    if (!isPutThrough)
      edge.metrics.setUpSeconds.observe({ direction: 'outbound' }, secondsSince(edge, placedAt))
    isPutThrough = true
  }
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
          putThrough()
          return call.ring()
        case 'progress':
          putThrough()
          if (!(await applyAnswer(edge, customer, event.body))) return
          await media.bridge(customer.sound, employee.sound)
          return call.progress(answer)
        case 'answered':
          putThrough()
          if (await applyAnswer(edge, customer, event.body)) return finish(true)
          call.reject(UNREACHABLE, UNFIT_ANSWER)
          return customer.hangUp()
        case 'ended':
          if (plan.route.over === 'trunks') reportRefusal(edge, ref, event.ending)
          call.reject(statusFor(event.ending))
          return finish(false)
      }
    })
  })
}

const UNREACHABLE = 503
/** It is the carrier's media that does not fit, not the phone's. */
const UNFIT_ANSWER = { reason: 'SIP;cause=488;text="the SDP answer of the carrier does not fit"' }

/** The response to the employee's phone if the customer was not reached. */
function statusFor(ending: CallEndReason): number {
  if (ending.why !== 'refused') return ending.why === 'lost' ? UNREACHABLE : 480
  return isForPhone(ending.status) ? ending.status : UNREACHABLE
}

/** Not a redirection, nor a challenge that we could not meet: a phone would send its own password to the carrier. */
const isForPhone = (status: number) => status >= 400 && status !== 401 && status !== 407
