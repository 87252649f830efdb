import { type CallRef, startInboundCall } from '../../modules/calls/index.ts'
import { type CalledNumber, findNumberCalled, flowAt } from '../../modules/numbers/index.ts'
import type { Body, IncomingCall } from '../../sip/index.ts'
import { runConversation } from '../conversation/run-conversation.ts'
import type { FlowCall, FlowEnd } from '../flow/flow-call.ts'
import { runFlow } from '../flow/run-flow.ts'
import { readOpening } from '../flow/say.ts'
import { secondsSince } from '../monitoring/metrics.ts'
import { maskedNumber, refuseCall } from '../monitoring/refuse-call.ts'
import type { EdgePort } from '../port.ts'
import { QueueWait } from '../ring/queue-wait.ts'
import { serialWriter } from './call-writer.ts'
import { calledNumbers, callingNumber } from './called-number.ts'
import { type ControlParts, createCustomerCall, type CustomerCall, CustomerGone } from './customer-call.ts'
import type { EdgeCalls } from './edge-calls.ts'
import { runToEnd } from './ending.ts'
import { applyDelayedAnswer, type Leg, openLeg } from './leg.ts'

/** Accepts a call from a carrier to one of our numbers. */
export async function handleInboundCall(
  shared: ControlParts,
  live: EdgeCalls,
  call: IncomingCall,
): Promise<void> {
  const { edge } = shared
  const arrivedAt = edge.realTime.now()
  const called = calledNumbers(call)
  // The media is opened meanwhile. If it is not needed, it closes when the call is refused.
  const [found, opened] = await Promise.allSettled([
    findNumberCalled(edge.db.sql, called),
    openLeg(edge, call, encryptionOf(edge, call)),
  ])
  const leg = opened.status === 'fulfilled' && opened.value.ok ? opened.value.leg : undefined
  leg?.follow((event) => applyDelayedAnswer(edge.media, leg, event))
  const number = valueOf(found)
  if (!number)
    return refuseCall(edge, call, {
      status: 404,
      why: called.length > 0 ? 'no company has the called number' : 'the call names no phone number',
      details: { called: called.map(maskedNumber) },
    })
  const media = valueOf(opened)
  if (!media.ok) return refuseCall(edge, call, media.refusal)
  const remoteNumber = callingNumber(call, number.country)
  return runInboundCall(shared, live, { call, ...media, number, remoteNumber, arrivedAt })
}

function valueOf<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason
  return settled.value
}

function encryptionOf({ trunks }: EdgePort, { peer }: IncomingCall): { encryption: 'required' } | undefined {
  const trunk = trunks.find(({ name }) => peer.kind === 'trunk' && name === peer.trunk)
  return trunk?.isEncryptionRequired ? { encryption: 'required' } : undefined
}

/** A call that has reached one of our numbers, with its media. */
interface ArrivedCall {
  call: Pick<IncomingCall, 'accept' | 'reject'>
  /** Its events are followed already. */
  leg: Leg
  answer: Body
  number: CalledNumber
  remoteNumber: string
  /** When a carrier brought it. */
  arrivedAt?: Date
}

/** Stores the call and runs the call flow of its number. */
export async function runInboundCall(
  shared: ControlParts,
  live: EdgeCalls,
  { call, leg, answer, number, remoteNumber, arrivedAt }: ArrivedCall,
): Promise<void> {
  const { edge } = shared
  const parts: ControlParts = { ...shared, store: serialWriter(shared.store) }
  const at = edge.clock.now()
  const { flow, outsideHours } = flowAt(number, at)
  const opening = readOpening(edge, number, flow)
  const ref = await open(parts, { number, remoteNumber, outsideHours, at }).catch((err: unknown) => {
    edge.log.error({ err }, 'a call was refused because it could not be stored')
    edge.metrics.callsRefused.inc({ direction: 'inbound', status: 503 })
    call.reject(503)
  })
  if (!ref) return
  edge.trace.link(ref.callId, leg.call.id)
  const end = live.add(ref)
  try {
    call.accept(answer)
    if (arrivedAt) edge.metrics.setUpSeconds.observe({ direction: 'inbound' }, secondsSince(edge, arrivedAt))
    const direction = 'inbound'
    const customerCall = createCustomerCall(edge, { ref, number, customer: leg, remoteNumber, direction })
    const flowCall = prepare(parts, live, customerCall, opening)
    await runToEnd(parts, flowCall, () => run(flowCall, flow))
  } finally {
    end()
  }
}

function open(
  { edge }: ControlParts,
  call: { number: CalledNumber; remoteNumber: string; outsideHours: boolean; at: Date },
): Promise<CallRef> {
  const { number, remoteNumber, outsideHours, at } = call
  const companyId = number.company_id
  return edge.db.step(async (tx) => {
    const row = {
      companyId,
      numberId: number.id,
      edgeId: edge.edgeId,
      remoteNumber,
      startedAt: at,
    }
    return { companyId, callId: await startInboundCall(tx, row, { outsideHours }) }
  })
}

async function run(call: FlowCall, flow: Parameters<typeof runFlow>[1]): Promise<FlowEnd> {
  try {
    return await runFlow(call, flow)
  } catch (error) {
    // An error after the caller hung up is expected.
    if (error instanceof CustomerGone || call.customer.isOver) return 'customer_hung_up'
    throw error
  }
}

function prepare(
  parts: ControlParts,
  live: EdgeCalls,
  call: CustomerCall,
  opening: FlowCall['opening'],
): FlowCall {
  const { ref } = call
  return {
    ...call,
    parts,
    opening,
    queuedAt: undefined,
    async wait(waitFor) {
      const waiting = new QueueWait(parts, call)
      const done = live.waits(ref, waiting)
      try {
        return await waiting.run(waitFor)
      } finally {
        done()
      }
    },
    converse: (employee) => runConversation(parts, live, call, employee),
  }
}
