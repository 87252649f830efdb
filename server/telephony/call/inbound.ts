import {
  type CallRef,
  endStartedCall,
  enterInbox,
  NumberChanged,
  startInboundCall,
} from '../../modules/calls/index.ts'
import {
  type CalledNumber,
  flowAt,
  planInboundCall,
  type StoredFlow,
  unchangedNumber,
} from '../../modules/numbers/index.ts'
import { inBackground } from '../../platform/background.ts'
import type { Body, IncomingCall } from '../../sip/index.ts'
import { runConversation } from '../conversation/run-conversation.ts'
import type { FlowCall, FlowEnd } from '../flow/flow-call.ts'
import { runFlow } from '../flow/run-flow.ts'
import { readOpening } from '../flow/say.ts'
import { startCallSpan } from '../monitoring/call-span.ts'
import { secondsSince } from '../monitoring/metrics.ts'
import { type CallRefusal, maskedNumber, refuseCall } from '../monitoring/refuse-call.ts'
import type { EdgePort } from '../port.ts'
import { QueueWait } from '../ring/queue-wait.ts'
import { endIfStored, serialWriter } from './call-writer.ts'
import { calledNumbers, callingNumber } from './called-number.ts'
import {
  type ControlParts,
  createCustomerCall,
  type CustomerCall,
  CustomerGone,
  type EdgeCallParts,
} from './customer-call.ts'
import type { EdgeCalls } from './edge-calls.ts'
import { runToEnd } from './ending.ts'
import { applyDelayedAnswer, type Leg, openLeg } from './leg.ts'

/** Accepts a call from a carrier to one of our numbers. */
export async function handleInboundCall(
  shared: EdgeCallParts,
  live: EdgeCalls,
  call: IncomingCall,
): Promise<void> {
  const { edge } = shared
  const arrivedAt = edge.realTime.now()
  const called = calledNumbers(call)
  const kept = edge.numbers.find(called)
  const held = kept && shared.admission.enter(kept.company_id, call)
  if (held && !(await held)) return
  // Opened while the number is looked up and the call is stored. If it is not needed, it closes when the call is refused.
  const media = openCustomer(edge, call)
  media.catch(() => {})
  const store = (number: CalledNumber, isKept: boolean) => {
    const remoteNumber = callingNumber(call, number.country)
    return storeCall(shared, { call, media, number, isKept, remoteNumber, arrivedAt })
  }
  try {
    let stored = kept ? await store(kept, true) : 'number_changed'
    if (stored === 'number_changed') {
      const number = await edge.numbers.read(edge.db.sql, called)
      if (!number) return refuseUnknownNumber(edge, call, called)
      stored = await store(number, false)
    }
    if (typeof stored === 'object') await runStoredCall(shared, live, stored)
  } catch (error) {
    if (!(error instanceof MediaRefused)) throw error
    refuseCall(edge, call, error.refusal)
  }
}

function refuseUnknownNumber(edge: EdgePort, call: IncomingCall, called: string[]): void {
  refuseCall(edge, call, {
    status: 404,
    why: called.length > 0 ? 'no company has the called number' : 'the call names no phone number',
    details: { called: called.map(maskedNumber) },
  })
}

/** The SDP offer of a call does not fit. */
class MediaRefused extends Error {
  readonly refusal: CallRefusal

  constructor(refusal: CallRefusal) {
    super(refusal.why)
    this.refusal = refusal
  }
}

async function openCustomer(edge: EdgePort, call: IncomingCall): Promise<CustomerMedia> {
  const opened = await openLeg(edge, call, encryptionOf(edge, call))
  if (!opened.ok) throw new MediaRefused(opened.refusal)
  const { leg, answer } = opened
  leg.follow((event) => applyDelayedAnswer(edge.media, leg, event))
  return { leg, answer }
}

function encryptionOf({ trunks }: EdgePort, { peer }: IncomingCall): { encryption: 'required' } | undefined {
  const trunk = trunks.find(({ name }) => peer.kind === 'trunk' && name === peer.trunk)
  return trunk?.isEncryptionRequired ? { encryption: 'required' } : undefined
}

/** The caller's leg, whose events are followed already, and the answer to their offer. */
interface CustomerMedia {
  leg: Leg
  answer: Body
}

/** A call that has reached one of our numbers. */
interface ArrivedCall {
  call: Pick<IncomingCall, 'accept' | 'reject'>
  /** May still be opening. */
  media: Promise<CustomerMedia>
  number: CalledNumber
  /** The number is as it was at an earlier call, and may have changed since. */
  isKept?: boolean
  remoteNumber: string
  /** When a carrier brought it. */
  arrivedAt?: Date
}

interface StoredCall extends Omit<ArrivedCall, 'media'>, CustomerMedia {
  ref: CallRef
  /** PostgreSQL has inserted the call, and may still be writing it to the disk. */
  committed: Promise<unknown>
  isInInbox: boolean
  flow: StoredFlow
  opening: FlowCall['opening']
}

/** Stores the call and runs the call flow of its number. */
export async function runInboundCall(
  shared: EdgeCallParts,
  live: EdgeCalls,
  arrived: ArrivedCall,
): Promise<void> {
  const stored = await storeCall(shared, arrived)
  if (typeof stored === 'object') await runStoredCall(shared, live, stored)
}

/** Stores the call, unless its media cannot be opened. */
async function storeCall(
  shared: EdgeCallParts,
  { media, ...arrived }: ArrivedCall,
): Promise<StoredCall | 'number_changed' | 'refused'> {
  const { edge } = shared
  const { number, isKept, remoteNumber, call } = arrived
  const startedAt = edge.clock.now()
  const { flow, outsideHours } = flowAt(number, startedAt)
  const opening = readOpening(edge, number, flow)
  const companyId = number.company_id
  const row = { companyId, numberId: number.id, edgeId: edge.edgeId, remoteNumber, startedAt }
  const endAnyRow = (err: unknown) =>
    endIfStored(shared, err, (tx) => endStartedCall(tx, row, edge.clock.now()))
  let isInInbox = true
  const onNotInInbox = () => (isInInbox = false)
  let onInserted!: (callId: string) => void
  const inserted = new Promise<string>((resolve) => (onInserted = resolve))
  const written = shared.ofCompany(companyId).writes.step((tx) => {
    const ofNumber = isKept && { ofNumber: unchangedNumber(tx, number) }
    const options = { outsideHours, once: media, onNotInInbox, onInserted }
    return startInboundCall(tx, { ...row, ...ofNumber }, options)
  })
  try {
    const callId = await Promise.race([inserted, written])
    const opened = await media
    const committed = written.catch((err: unknown) => {
      endAnyRow(err)
      throw err
    })
    // It is awaited after the call is answered.
    committed.catch(() => {})
    return { ...arrived, ...opened, ref: { companyId, callId }, committed, isInInbox, flow, opening }
  } catch (err) {
    if (err instanceof NumberChanged) return 'number_changed'
    endAnyRow(err)
    // If that is the cause, it is no failure to store the call.
    await media
    edge.log.error({ err }, 'a call was refused because it could not be stored')
    edge.metrics.callsRefused.inc({ direction: 'inbound', status: 503 })
    call.reject(503)
    return 'refused'
  }
}

async function runStoredCall(
  shared: EdgeCallParts,
  live: EdgeCalls,
  {
    call,
    leg,
    answer,
    number,
    remoteNumber,
    arrivedAt,
    ref,
    committed,
    isInInbox,
    flow,
    opening,
  }: StoredCall,
): Promise<void> {
  const { edge } = shared
  const ofCompany = shared.ofCompany(ref.companyId)
  const parts: ControlParts = { ...ofCompany, store: serialWriter(ofCompany.store) }
  edge.trace.link(ref.callId, leg.call.id)
  const end = live.add(ref)
  const { tracer, edgeId } = edge
  const span =
    tracer && startCallSpan(tracer, ref, { direction: 'inbound', edgeId, numberId: number.id, at: arrivedAt })
  const settingUp = span?.child('set up', { at: arrivedAt })
  try {
    const direction = 'inbound'
    call.accept(answer)
    settingUp?.end()
    if (arrivedAt) edge.metrics.setUpSeconds.observe({ direction }, secondsSince(edge, arrivedAt))
    try {
      await committed
    } catch (err) {
      edge.log.error({ err, call: ref.callId }, 'a call was hung up because it could not be stored')
      edge.metrics.callsEnded.inc({ direction, answered: 'false', outcome: 'failed' })
      span?.fail('it could not be stored')
      span?.end()
      return leg.hangUp()
    }
    if (!isInInbox)
      inBackground(
        edge.log,
        'add a call to the inbox',
        parts.store((tx) => enterInbox(tx, ref), 'step'),
      )
    const customerCall = createCustomerCall(edge, {
      ref,
      number,
      customer: leg,
      remoteNumber,
      direction,
      span,
    })
    const flowCall = prepare(parts, live, customerCall, opening)
    await runToEnd(parts, flowCall, () => run(flowCall, flow))
  } finally {
    end()
  }
}

async function run(call: FlowCall, flow: StoredFlow): Promise<FlowEnd> {
  try {
    return await runFlow(call, planInboundCall(call.number, flow))
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
