import type { LegId } from '../../media/port.ts'
import { inBackground } from '../../platform/background.ts'
import { encodeId } from '../../platform/ids.ts'
import type { Span } from '../../platform/tracing/span.ts'
import type { CallEndReason, CallEvent, InviteOptions, OutgoingCall } from '../../sip/index.ts'
import { retryTransient } from '../call/call-writer.ts'
import { applyAnswer, Leg } from '../call/leg.ts'
import { FLOW_FAILED } from '../edge/peer-edges.ts'
import type { EdgePort, PhoneRoute } from '../port.ts'
import { invitePhone, openPhoneLeg } from './invite-phone.ts'

/** The outcome: somebody answered, nobody could or wanted to, or the ringing was cancelled. */
export type RingOutcome =
  | { is: 'answered'; leg: Leg }
  | { is: 'declined' }
  /** `isAway` if no phone is there: none is registered, or each lost its connection, as a page that is reloaded does. */
  | { is: 'unreachable'; isAway: boolean }
  | { is: 'called_off' }

export interface Ringing {
  outcome: Promise<RingOutcome>
  cancel(why?: 'elsewhere'): void
}

/** A participant who leaves an internal call for one with a customer. */
export interface ReleasedCoworker {
  employeeId: string
  /** Has answered already, unless they are still rung. */
  ringing: Ringing
}

/** What the phone displays, and header fields for programs. */
export type RingDisplay = Pick<InviteOptions, 'from' | 'headers'>

interface RingOptions {
  ringMs?: number
  /** Who is to talk with the employee. */
  near?: LegId
  /** Of ringing this employee, if the call is traced. */
  span?: Span | undefined
}

const DECLINED = new Set([486, 600, 603])

/** Rings all phones of an employee. The first to answer gets the call, and the others stop ringing. */
export function ringEmployee(
  edge: EdgePort,
  { companyId, employeeId }: { companyId: string; employeeId: string },
  display: () => Promise<RingDisplay>,
  options: RingOptions = {},
): Ringing {
  return ringPhones(edge, () => edge.routesToEmployee(companyId, employeeId), display, options)
}

export function ringPhones(
  edge: EdgePort,
  routes: () => Promise<PhoneRoute[]>,
  display: () => Promise<RingDisplay>,
  { ringMs, near, span }: RingOptions = {},
): Ringing {
  const legs = new Set<Leg>()
  let settle!: (outcome: RingOutcome) => void
  const outcome = new Promise<RingOutcome>((resolve) => (settle = resolve))
  let isOver = false
  let hasDeclined = false
  let isAway = true

  function finish(result: RingOutcome, why?: 'elsewhere'): void {
    if (isOver) return
    isOver = true
    stopTimer?.()
    for (const leg of legs) {
      if (result.is === 'answered' && leg === result.leg) continue
      ;(leg.call as OutgoingCall).hangUp(why ?? (result.is === 'answered' ? 'elsewhere' : undefined))
    }
    settle(result)
  }

  function gone(leg: Leg): void {
    legs.delete(leg)
    // One phone that declines does so for the employee, even while others still ring.
    if (hasDeclined) finish({ is: 'declined' })
    else if (legs.size === 0 && allPlaced) finish({ is: 'unreachable', isAway })
  }

  async function place(way: PhoneRoute, as: RingDisplay): Promise<void> {
    const created = await openPhoneLeg(edge.media, way, near)
    if (!created.ok) {
      isAway = false
      return
    }
    if (isOver) return edge.media.close(created.leg)
    const call = invitePhone(edge, way, created, as)
    const leg = new Leg(edge, call, created.leg)
    legs.add(leg)
    const ofPhone = span?.child('ring phone', {
      kind: 'client',
      attributes: way.deviceId === undefined ? {} : { 'bellhop.device.id': encodeId('dev', way.deviceId) },
    })
    leg.follow((event) => {
      if (ofPhone) endWith(ofPhone, event)
      return handle(leg, event)
    })
  }

  async function handle(leg: Leg, event: CallEvent): Promise<void> {
    if (event.type === 'answered') {
      if (isOver || !(await applyAnswer(edge, leg, event.body)) || isOver) return leg.hangUp()
      finish({ is: 'answered', leg })
    } else if (event.type === 'ended') {
      const { ending } = event
      isAway &&= isLost(ending)
      hasDeclined ||= ending.why === 'refused' && DECLINED.has(ending.status)
      gone(leg)
    }
  }

  let allPlaced = false
  const prepare = () => Promise.all([routes(), display()])
  async function ring(): Promise<void> {
    try {
      const [ways, as] = await retryTransient(edge, prepare, () => !isOver)
      // One phone that cannot be rung leaves the others ringing.
      for (const each of await Promise.allSettled(ways.map((way) => place(way, as))))
        if (each.status === 'rejected') edge.log.error({ err: each.reason }, 'a phone could not be rung')
    } finally {
      allPlaced = true
      if (legs.size === 0) finish({ is: 'unreachable', isAway })
    }
  }
  inBackground(edge.log, 'ring an employee', ring)

  const cancel = (why?: 'elsewhere') => finish({ is: 'called_off' }, why)
  const stopTimer = ringMs === undefined ? undefined : edge.clock.after(ringMs, cancel)
  return { outcome, cancel }
}

/** The edge of the phone may report it to the edge of the call. */
const isLost = (ending: CallEndReason) =>
  ending.why === 'lost' || (ending.why === 'refused' && ending.status === FLOW_FAILED)

/** A phone rings until it answers, or its INVITE has failed. */
function endWith(span: Span, event: CallEvent): void {
  if (event.type !== 'answered' && event.type !== 'ended') return
  const { ending } = event.type === 'ended' ? event : {}
  span.set({ 'bellhop.outcome': ending?.why ?? 'answered' })
  if (ending?.why === 'refused') span.set({ 'sip.response.status_code': ending.status })
  if (ending?.why === 'lost') span.fail('the phone did not respond')
  span.end()
}
