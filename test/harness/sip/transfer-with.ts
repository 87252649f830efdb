import type { SipCall } from '../../../server/sip/index.ts'
import { AsyncQueue } from './async-queue.ts'

/** What a phone sees of its transfer: the response to the REFER, and the final report. */
export async function transferWith(call: SipCall, target: string) {
  const reports = new AsyncQueue<number>()
  const status = await call.refer({ target }, reports.put)
  return { status, outcome: () => reports.take((report) => report >= 200) }
}
