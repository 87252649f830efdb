import type { Clock } from '../../../platform/clock.ts'
import { respondTo } from '../../message/create.ts'
import { find } from '../../message/fields.ts'
import type { SipResponse } from '../../message/message.ts'
import type { ServerTransaction } from '../../transaction/server-transaction.ts'
import { T1_MS, TIMEOUT_64_T1_MS } from '../../transaction/timers.ts'

/** RFC 3262: provisional responses, one at a time, each retransmitted until its PRACK. */
export class ReliableProvisional {
  readonly #clock: Clock
  readonly #transaction: ServerTransaction
  readonly #gaveUp: () => void
  readonly #queue: SipResponse[] = []
  #rseq: number
  #stop: (() => void) | undefined
  #whenIdle: (() => void) | undefined

  constructor(clock: Clock, transaction: ServerTransaction, firstRSeq: number, gaveUp: () => void) {
    this.#clock = clock
    this.#transaction = transaction
    this.#rseq = firstRSeq
    this.#gaveUp = gaveUp
  }

  send(response: SipResponse): void {
    this.#queue.push(response)
    if (this.#queue.length === 1) this.#sendFirst()
  }

  /** §3: the final response waits until the provisional ones are acknowledged. */
  whenIdle(run: () => void): void {
    if (this.#queue.length === 0) run()
    else this.#whenIdle = run
  }

  /** Responds to a PRACK, depending on whether it matches the response that is pending. */
  receive(prack: ServerTransaction): void {
    const [, rseq, cseq, method] =
      /^(\d+)\s+(\d+)\s+(\S+)$/.exec(prack.request.headers.get('rack') ?? '') ?? []
    const invite = find.cseq(this.#transaction.request.headers)!.number
    const isOurs = Number(rseq) === this.#rseq && Number(cseq) === invite && method === 'INVITE'
    if (!isOurs || this.#queue.length === 0) return prack.respond(respondTo(prack.request, 481))
    prack.respond(respondTo(prack.request, 200))
    this.#stop?.()
    this.#queue.shift()
    this.#rseq++
    if (this.#queue.length > 0) this.#sendFirst()
    else this.#whenIdle?.()
  }

  close(): void {
    this.#stop?.()
    this.#queue.length = 0
    this.#whenIdle = undefined
  }

  #sendFirst(): void {
    const response = this.#queue[0]!
    response.headers.set('require', '100rel').set('rseq', String(this.#rseq))
    let stopResend: (() => void) | undefined
    const send = (nextMs: number) => {
      this.#transaction.respond(response)
      stopResend = this.#clock.after(nextMs, () => send(nextMs * 2))
    }
    const stopWaiting = this.#clock.after(TIMEOUT_64_T1_MS, () => {
      this.close()
      this.#gaveUp()
    })
    this.#stop = () => {
      stopResend?.()
      stopWaiting()
    }
    send(T1_MS)
  }
}
