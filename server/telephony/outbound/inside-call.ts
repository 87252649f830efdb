import type { LegId } from '../../media/port.ts'
import type { CalledNumber } from '../../modules/numbers/index.ts'
import { withTimeout } from '../../platform/clock.ts'
import { sdpBody } from '../../sip/index.ts'
import type { EdgeCallParts } from '../call/customer-call.ts'
import type { EdgeCalls } from '../call/edge-calls.ts'
import { runInboundCall } from '../call/inbound.ts'
import { Leg } from '../call/leg.ts'
import { TELEPHONY_LIMITS } from '../limits.ts'
import { linkCalls } from './linked-calls.ts'
import type { PlacedLeg } from './placed-leg.ts'

/**
 * A call to a number of the same company, without a carrier. The number gets an inbound call of its own, as if from
 * outside: nobody is both customer and employee in one call.
 */
export async function prepareInsideCall(
  parts: EdgeCallParts,
  live: EdgeCalls,
  { shown, called, near: caller }: { shown: string; called: CalledNumber; near: LegId },
): Promise<PlacedLeg> {
  const { edge } = parts
  const [near, far] = await edge.media.createPair(caller)
  const { outgoing, incoming } = linkCalls()
  let inbound: Promise<void> = Promise.resolve()

  async function receive(): Promise<void> {
    if (live.size >= edge.callsMax) {
      edge.log.warn({ status: 503, why: 'this edge has too many calls' }, 'an inbound call was refused')
      edge.metrics.callsRefused.inc({ direction: 'inbound', status: 503 })
      incoming.reject(503)
      return edge.media.close(far.leg)
    }
    const leg = new Leg(edge, incoming, far.leg)
    leg.follow()
    const media = Promise.resolve({ leg, answer: sdpBody(far.sdp) })
    try {
      await runInboundCall(parts, live, { call: incoming, media, number: called, remoteNumber: shown })
    } catch (err) {
      edge.log.error({ err }, 'a call between two numbers of a company failed')
      incoming.hangUp()
    }
  }

  return {
    sound: near.leg,
    invite() {
      inbound = receive()
      return outgoing
    },
    async settled() {
      // An employee who became available while the call that they placed is still queued would be offered themselves.
      await withTimeout(edge.realTime, TELEPHONY_LIMITS.insideEndMs, inbound)
    },
    async discard() {
      await Promise.all([edge.media.close(near.leg), edge.media.close(far.leg)])
    },
  }
}
