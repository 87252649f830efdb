import type { Clock } from '../../../platform/clock.ts'
import type { SipResponse } from '../../message/message.ts'
import type { ServerTransaction } from '../../transaction/server-transaction.ts'
import { T1_MS, T2_MS, TIMEOUT_64_T1_MS } from '../../transaction/timers.ts'

/** RFC 3261 §13.3.1.4: a 2xx to an INVITE is retransmitted, over any transport, until its ACK. */
export function retransmit2xx(
  clock: Clock,
  transaction: ServerTransaction,
  response: SipResponse,
  gaveUp: () => void,
): () => void {
  let stopResend: (() => void) | undefined
  const send = (nextMs: number) => {
    transaction.respond(response)
    stopResend = clock.after(nextMs, () => send(Math.min(nextMs * 2, T2_MS)))
  }
  const stopWaiting = clock.after(TIMEOUT_64_T1_MS, () => {
    stopResend?.()
    gaveUp()
  })
  send(T1_MS)
  return () => {
    stopResend?.()
    stopWaiting()
  }
}
