import { type Clock, withTimeout } from '../../../platform/clock.ts'
import { printUri, type ReferRequest, type SipCall } from '../../../sip/index.ts'
import { TELEPHONY_LIMITS } from '../../limits.ts'

/** The same request, and when its sender was told the outcome. */
export function withOutcome(asked: ReferRequest): { request: ReferRequest; outcome: Promise<void> } {
  let settle!: () => void
  const outcome = new Promise<void>((resolve) => (settle = resolve))
  const request: ReferRequest = {
    ...asked,
    refuse(status) {
      asked.refuse(status)
      settle()
    },
    report(status) {
      asked.report(status)
      if (status >= 200) settle()
    },
  }
  return { request, outcome }
}

/**
 * Passes the REFER of a phone on to the edge that has the call, which decides. Its reports are passed back once the
 * phone's subscription exists. Resolves with the outcome, or when it takes too long.
 */
export async function passOnRefer(clock: Clock, call: SipCall, asked: ReferRequest): Promise<void> {
  const { request, outcome } = withOutcome(asked)
  const early: number[] = []
  let report: ReferRequest['report'] = (status) => early.push(status)
  const { target, referredBy } = request
  const status = await call.refer({ target: printUri(target), referredBy }, (each) => report(each))
  if (status >= 300) return request.refuse(status)
  request.accept()
  report = request.report
  for (const each of early) report(each)
  await withTimeout(clock, TELEPHONY_LIMITS.phoneTransferMs, outcome)
}
