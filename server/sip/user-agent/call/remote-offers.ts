import { inBackground } from '../../../platform/background.ts'
import { type Dialog, refreshTarget } from '../../dialog/dialog.ts'
import { MIN_SE_S, negotiateTimerAsServer, type SessionTimer } from '../../dialog/session-timer.ts'
import { SIP_LIMITS } from '../../limits.ts'
import { respondTo } from '../../message/create.ts'
import { bodyOf, cseqOf } from '../../message/fields.ts'
import type { Body, SipRequest, SipResponse } from '../../message/message.ts'
import type { ServerTransaction } from '../../transaction/server-transaction.ts'
import { ALLOW, type Core, SUPPORTED } from '../core.ts'
import type { CallEvent } from './call.ts'
import { retransmit2xx } from './retransmit-2xx.ts'

/** Retry-After when offers of the peer overlap: 0 to 10 s (RFC 3261 §14.2). */
export const RETRY_AFTER_S_MAX = 10

/** What offers need of the session. */
export interface OfferHandler {
  readonly dialog: Dialog
  readonly contact: string
  readonly isOffering: boolean
  localBody: Body | undefined
  keepTime(timer: SessionTimer | undefined): void
  /** An SDP offer of the peer was answered or refused. */
  offerSettled(): void
  bye(): Promise<void>
}

interface Unacknowledged {
  cseq: number
  /** The SDP offer was ours: its answer is in the ACK. */
  isOurOffer: boolean
  stop(): void
  /** Without an ACK if the peer has the 2xx nevertheless, and has nothing to say in the ACK. */
  done: AckHandler
}

export type AckHandler = (ack: SipRequest | undefined) => void

/** Re-INVITEs and UPDATEs of the peer, one at a time, each answered by the user of the call. */
export class RemoteOffers {
  readonly #core: Core
  readonly #session: OfferHandler
  readonly #emit: (event: CallEvent) => void
  /** The SDP offer that waits for an answer. */
  #pending: ServerTransaction | undefined
  #stopWaiting = () => {}
  /** The 2xx that waits for its ACK. */
  #unacknowledged: Unacknowledged | undefined

  constructor(core: Core, session: OfferHandler, emit: (event: CallEvent) => void) {
    this.#core = core
    this.#session = session
    this.#emit = emit
  }

  get awaitsAck(): boolean {
    return this.#unacknowledged !== undefined
  }

  get isPending(): boolean {
    return this.#pending !== undefined || this.#unacknowledged !== undefined
  }

  receive(transaction: ServerTransaction): void {
    const { request } = transaction
    const body = bodyOf(request)
    const timer = negotiateTimerAsServer(request.headers)
    const makesOffer = request.method === 'INVITE' || body !== undefined
    if (makesOffer && this.#session.isOffering) return transaction.respond(respondTo(request, 491))
    if (makesOffer && this.#mustWait(request.method)) {
      const seconds = Math.floor(this.#core.chance.fraction() * (RETRY_AFTER_S_MAX + 1))
      return transaction.respond(respondTo(request, 500, { headers: { 'retry-after': String(seconds) } }))
    }
    if ('tooSmall' in timer) {
      return transaction.respond(respondTo(request, 422, { headers: { 'min-se': String(MIN_SE_S) } }))
    }
    const accept = (answer: Body | undefined) => {
      if (transaction.isAnswered) return
      this.#settle()
      if (answer) this.#session.localBody = answer
      refreshTarget(this.#session.dialog, request)
      const headers = { contact: this.#session.contact, allow: ALLOW, supported: SUPPORTED, ...timer.headers }
      this.#succeed(transaction, respondTo(request, 200, { headers, body: answer }))
      this.#session.keepTime(timer.agreed)
      this.#session.offerSettled()
    }
    if (!makesOffer) return accept(undefined)
    const refuse = (status: number) => {
      if (transaction.isAnswered) return
      this.#settle()
      transaction.respond(respondTo(request, status))
      this.#session.offerSettled()
    }
    this.#pending = transaction
    this.#stopWaiting = this.#core.clock.after(SIP_LIMITS.offerAnswerMs, () => refuse(488))
    this.#emit({ type: 'offer', offer: { body, accept, refuse } })
  }

  /** Sends a 2xx to an INVITE until its ACK arrives; also for the initial INVITE. */
  awaitAck(transaction: ServerTransaction, response: SipResponse, done: AckHandler): void {
    const cseq = cseqOf(transaction.request).number
    const isOurOffer = bodyOf(transaction.request) === undefined
    const stop = retransmit2xx(this.#core.clock, transaction, response, () => {
      this.#unacknowledged = undefined
      this.#emit({ type: 'ended', ending: { why: 'lost' } })
      inBackground(this.#core.log, 'end a call whose answer was not acknowledged', this.#session.bye())
    })
    this.#unacknowledged = { cseq, isOurOffer, stop, done }
  }

  acknowledge(ack: SipRequest): void {
    const waiting = this.#unacknowledged
    if (waiting?.cseq === cseqOf(ack).number) this.#acknowledged(waiting, ack)
  }

  /**
   * The peer has sent another INVITE, so it has the 2xx of the one before. Over UDP its ACK may be late (RFC 5407 §3.1.4),
   * and some proxies change the order.
   */
  overtakeAck(): void {
    const waiting = this.#unacknowledged
    if (waiting && !waiting.isOurOffer) this.#acknowledged(waiting, undefined)
  }

  close(): void {
    this.#unacknowledged?.stop()
    this.#unacknowledged = undefined
    const pending = this.#pending
    this.#settle()
    pending?.respond(respondTo(pending.request, 487))
  }

  /** A peer that has sent an UPDATE may not have our 2xx yet, but its own offer was answered by then (RFC 3311 §5.2). */
  #mustWait(method: string): boolean {
    if (method === 'INVITE') return this.isPending
    return this.#pending !== undefined || this.#unacknowledged?.isOurOffer === true
  }

  #succeed(transaction: ServerTransaction, response: SipResponse): void {
    if (transaction.request.method !== 'INVITE') return transaction.respond(response)
    const isOurOffer = bodyOf(transaction.request) === undefined
    this.awaitAck(transaction, response, (ack) => {
      if (isOurOffer && ack) this.#emit({ type: 'offerAnswered', body: bodyOf(ack) })
    })
  }

  #acknowledged({ stop, done }: Unacknowledged, ack: SipRequest | undefined): void {
    this.#unacknowledged = undefined
    stop()
    done(ack)
    this.#session.offerSettled()
  }

  #settle(): void {
    this.#stopWaiting()
    this.#pending = undefined
  }
}
