import {
  type CallRef,
  countInternalCalls,
  endInternalCall,
  endStartedInternalCall,
  startInternalCall,
} from '../../modules/calls/index.ts'
import { extensionOf } from '../../modules/employees/index.ts'
import type { Tx } from '../../platform/db/database.ts'
import { encodeId } from '../../platform/ids.ts'
import type { Body, IncomingCall } from '../../sip/index.ts'
import { endIfStored } from '../call/call-writer.ts'
import type { ControlParts } from '../call/customer-call.ts'
import type { EdgeCalls } from '../call/edge-calls.ts'
import { applyDelayedAnswer, openLeg } from '../call/leg.ts'
import { refuseCall } from '../monitoring/refuse-call.ts'
import type { DeviceOwner, EdgePort } from '../port.ts'
import type { RingDisplay } from '../ring/ringing.ts'
import type { Extension } from './dialled-coworker.ts'
import { InternalConversation, type InternalEnd } from './internal-conversation.ts'

const MINUTE_MS = 60_000
const BUSY = 486
const UNAVAILABLE = 480
const TOO_MANY = 503
/** RFC 3891 §3: also the response to an INVITE whose early dialog was replaced. */
const TERMINATED = 487

interface Refusal {
  status: number
  why: string
}

/** The response for each status in which a coworker is not rung. */
const REFUSALS: Record<string, Refusal> = {
  on_call: { status: BUSY, why: 'the coworker is on a call' },
  ringing: { status: BUSY, why: 'the coworker has another call ringing' },
  do_not_disturb: { status: UNAVAILABLE, why: 'the coworker does not want to be disturbed' },
}
const AWAY: Refusal = { status: UNAVAILABLE, why: 'no phone of the coworker is registered' }

/** The response if the coworker was rung and did not answer. */
const NOT_REACHED: Partial<Record<InternalEnd, Refusal>> = {
  declined: { status: BUSY, why: 'the coworker declined' },
  not_answered: { status: UNAVAILABLE, why: 'the coworker did not answer' },
  unreachable: AWAY,
}

/** An employee's phone dials the extension of a coworker. No carrier and no business number takes part. */
export async function handleInternalCall(
  parts: ControlParts,
  live: EdgeCalls,
  call: IncomingCall,
  { owner, coworker }: { owner: DeviceOwner; coworker: Extension },
): Promise<void> {
  const { edge } = parts
  const refuse = ({ status, why }: Refusal) => {
    const headers = { reason: `SIP;cause=${status};text="${why}"` }
    refuseCall(edge, call, {
      status,
      why,
      headers,
      details: { employee: owner.employeeId },
      isInternal: true,
    })
  }
  const opened = await openLeg(edge, call, owner)
  if (!opened.ok) return refuseCall(edge, call, opened.refusal)
  const { leg, answer } = opened
  leg.follow((event) => applyDelayedAnswer(edge.media, leg, event))
  const started = await start(parts, owner, coworker).catch((err: unknown) => {
    edge.log.error({ err }, 'a call to a coworker was refused because it could not be stored')
    return { status: 503, why: 'the call could not be stored' }
  })
  if (!('ref' in started)) return refuse(started)
  const { ref, display } = started
  edge.trace.link(ref.callId, call.id)
  const removeCall = live.add(ref)
  const conversation = new InternalConversation(parts, ref, { employeeId: owner.employeeId, leg })
  live.callsCoworker(ref, conversation)
  try {
    await runToInternalEnd(parts, ref, () => run({ call, answer, refuse, conversation, coworker, display }))
  } finally {
    removeCall()
  }
}

async function start(
  parts: ControlParts,
  { companyId, employeeId }: DeviceOwner,
  to: Extension,
): Promise<{ ref: CallRef; display: RingDisplay } | Refusal> {
  const { edge, writes } = parts
  if (to.employeeId === employeeId) return { status: BUSY, why: 'that is your own extension' }
  const now = edge.clock.now()
  const placed = await countInternalCalls(edge.db.sql, companyId, new Date(now.getTime() - MINUTE_MS))
  if (placed >= edge.outboundPerMinute) return { status: TOO_MANY, why: 'too many calls in a minute' }
  const caller = await writes.tx((tx) => extensionOf(tx, companyId, employeeId))
  if (!caller) return { status: 403, why: 'the employee has been deleted' }
  const from = { employeeId, extension: caller.extension }
  const call = { companyId, edgeId: edge.edgeId, from, to, startedAt: now }
  const started = await writes
    .tx((tx) => startInternalCall(tx, call))
    .catch((err: unknown) => {
      endIfStored(parts, err, (tx) => endStartedInternalCall(tx, call, edge.clock.now()))
      throw err
    })
  if (!started.ok) return REFUSALS[started.status] ?? AWAY
  const ref = { companyId, callId: started.callId }
  return { ref, display: displayOf(edge, ref, caller) }
}

/** The URI can be redialled from the phone's list of calls. */
const displayOf = (
  { domain }: EdgePort,
  { callId }: CallRef,
  { name, extension }: { name: string; extension: string },
): RingDisplay => ({
  from: {
    name,
    uri: { scheme: 'sip', user: extension, ...domain, params: new Map() },
    params: new Map(),
  },
  headers: { 'x-bellhop-call': encodeId('ica', callId) },
})

interface Dialling {
  call: IncomingCall
  /** What the caller's phone is told of our sound. */
  answer: Body
  refuse(refusal: Refusal): void
  conversation: InternalConversation
  coworker: Extension
  display: RingDisplay
}

async function run({
  call,
  answer,
  refuse,
  conversation,
  coworker,
  display,
}: Dialling): Promise<InternalEnd> {
  call.ring()
  const outcome = await conversation.ring(coworker.employeeId, display)
  if (outcome !== 'answered') {
    const refusal = NOT_REACHED[outcome]
    if (refusal) refuse(refusal)
    if (outcome === 'transferred') call.reject(TERMINATED)
    return outcome
  }
  call.accept(answer)
  return conversation.talk()
}

/** Stores the end of the call whatever happens. */
async function runToInternalEnd(
  { edge, store, writeAtLast }: ControlParts,
  ref: CallRef,
  run: () => Promise<string>,
): Promise<void> {
  let reason = 'failed'
  try {
    reason = await run()
  } finally {
    const at = edge.clock.now()
    const end = (tx: Tx) => endInternalCall(tx, ref, at, reason)
    await store(end).catch((err: unknown) => {
      edge.log.error({ err, call: ref.callId }, 'the end of a call to a coworker could not be stored')
      return writeAtLast(end)
    })
  }
}
