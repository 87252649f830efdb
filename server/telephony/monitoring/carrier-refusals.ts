import type { CallRef } from '../../modules/calls/index.ts'
import type { CallEndReason } from '../../sip/index.ts'
import type { EdgePort } from '../port.ts'

/** What a callee does, rather than a carrier: not reachable, busy, hung up, declined. */
const OF_CALLEES = new Set([480, 486, 487, 600, 603])

/** One line for an outbound call that was not put through. */
export function reportRefusal(
  { log, metrics }: Pick<EdgePort, 'log' | 'metrics'>,
  { callId }: CallRef,
  ending: CallEndReason,
): void {
  if (ending.why === 'lost') {
    metrics.carrierRefusals.inc({ status: 'none' })
    log.warn({ call: callId, why: 'the carrier does not respond' }, 'a carrier did not take a call')
  } else if (ending.why === 'refused') {
    const { status, reason } = ending
    metrics.carrierRefusals.inc({ status })
    const level = OF_CALLEES.has(status) ? 'info' : 'warn'
    log[level]({ call: callId, status, reason }, 'a carrier did not take a call')
  }
}
