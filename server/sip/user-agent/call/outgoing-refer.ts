import { respondTo } from '../../message/create.ts'
import type { ServerTransaction } from '../../transaction/server-transaction.ts'

/** RFC 3515: our REFER, one at a time, and the NOTIFYs that report on it. */
export class OutgoingRefer {
  #onReport: ((status: number) => void) | undefined

  get isOpen(): boolean {
    return this.#onReport !== undefined
  }

  /** Called before the REFER is sent: a NOTIFY may arrive before its response. */
  open(onReport: (status: number) => void): void {
    this.#onReport = onReport
  }

  close(): void {
    this.#onReport = undefined
  }

  receive(transaction: ServerTransaction): void {
    const { request } = transaction
    const { headers, body } = request
    const onReport = this.#onReport
    if (!onReport || !/^refer\b/i.test(headers.get('event') ?? '')) {
      return transaction.respond(respondTo(request, 481))
    }
    transaction.respond(respondTo(request, 200))
    const status = Number(/^SIP\/2\.0 (\d{3})\b/i.exec(body.toString())?.[1] ?? 0)
    if (status >= 200 || /^terminated\b/i.test(headers.get('subscription-state') ?? '')) this.close()
    if (status > 0) onReport(status)
  }
}
