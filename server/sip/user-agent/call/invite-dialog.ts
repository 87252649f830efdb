import { inBackground } from '../../../platform/background.ts'
import { DigestClient } from '../../auth/client.ts'
import {
  type Dialog,
  ackInDialog,
  dialogKey,
  isInOrder,
  nextHop,
  refreshTarget,
  requestInDialog,
} from '../../dialog/dialog.ts'
import {
  readTimerAsClient,
  type SessionTimer,
  timerMs,
  timerRefreshHeaders,
} from '../../dialog/session-timer.ts'
import { SIP_LIMITS } from '../../limits.ts'
import { addFields, respondTo } from '../../message/create.ts'
import { bodyOf, cseqOf, numberOf } from '../../message/fields.ts'
import type { Body, SipRequest, SipResponse } from '../../message/message.ts'
import type { ServerTransaction } from '../../transaction/server-transaction.ts'
import type { Flow } from '../../transport/flow.ts'
import {
  ALLOW,
  contactOn,
  type Core,
  type DialogOwner,
  firstFlow,
  type RequestOutcome,
  sendRequest,
  SUPPORTED,
} from '../core.ts'
import type { CallEndReason, CallEvent, OfferOutcome, ReferTarget } from './call.ts'
import { OutgoingRefer } from './outgoing-refer.ts'
import { readRefer } from './refer.ts'
import { type AckHandler, type OfferHandler, RemoteOffers, RETRY_AFTER_S_MAX } from './remote-offers.ts'

interface RequestParts {
  headers?: Record<string, string>
  body?: Body | undefined
}

/** A call within its dialog, early or confirmed: all requests of either side. */
export class InviteDialog implements DialogOwner, OfferHandler {
  readonly dialog: Dialog
  readonly #core: Core
  readonly #user: string
  readonly #emit: (event: CallEvent) => void
  readonly #digest: DigestClient
  /** RFC 3261 §14.1: the owner of the Call-ID waits longer after glare. */
  readonly isCaller: boolean
  readonly #remoteOffers: RemoteOffers
  readonly #referral = new OutgoingRefer()
  /** Our latest session description: a refresh by re-INVITE repeats it. */
  localBody: Body | undefined
  peerAllowsUpdate = false
  isConfirmed = false
  /** PRACK is handled by the call that is being set up. */
  onPrack: ((transaction: ServerTransaction) => void) | undefined
  #isEnded = false
  #isOffering = false
  #byeAfterAck = false
  readonly #waitingToOffer: (() => void)[] = []
  #stopTimer = () => {}
  #timer: SessionTimer | undefined

  constructor(
    core: Core,
    options: {
      dialog: Dialog
      user: string
      isCaller: boolean
      digest: DigestClient
      emit: (event: CallEvent) => void
    },
  ) {
    this.#core = core
    this.dialog = options.dialog
    this.#user = options.user
    this.isCaller = options.isCaller
    this.#digest = options.digest
    this.#emit = options.emit
    this.#remoteOffers = new RemoteOffers(core, this, options.emit)
    core.dialogs.set(this.key, this)
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  get isOffering(): boolean {
    return this.#isOffering
  }

  get contact(): string {
    return contactOn(this.dialog.flow, this.#user)
  }

  get key(): string {
    return dialogKey(this.dialog.callId, this.dialog.localTag, this.dialog.remoteTag)
  }

  receive(transaction: ServerTransaction): void {
    const { request } = transaction
    const refuse = (status: number, headers?: Record<string, string>) =>
      transaction.respond(respondTo(request, status, headers && { headers }))
    if (!isInOrder(this.dialog, request)) return refuse(500)
    if (this.dialog.staysOnFlow) this.dialog.flow = transaction.flow
    if (request.method === 'BYE') {
      refuse(200)
      return this.end({ why: 'hungUp', by: 'peer' })
    }
    if (this.#isEnded) return refuse(481)
    // After we have hung up, the BYE still waits for the ACK itself.
    if (request.method === 'INVITE' && !this.#byeAfterAck) this.#remoteOffers.overtakeAck()
    switch (request.method) {
      case 'INVITE':
      case 'UPDATE':
        return this.#remoteOffers.receive(transaction)
      case 'PRACK':
        return this.onPrack ? this.onPrack(transaction) : refuse(481)
      case 'OPTIONS':
        return refuse(200, { allow: ALLOW, supported: SUPPORTED })
      case 'INFO': {
        refuse(200)
        const body = bodyOf(request)
        return body && this.#emit({ type: 'info', body })
      }
      case 'REFER': {
        const notify = (headers: Record<string, string>, body: Body) => {
          const parts = { headers: { ...headers, contact: this.contact }, body }
          inBackground(this.#core.log, 'report the progress of a transfer', this.send('NOTIFY', parts))
        }
        const transfer = readRefer(transaction, this.#core.dialogs, notify)
        return transfer && this.#emit({ type: 'transfer', transfer })
      }
      case 'NOTIFY':
        return this.#referral.receive(transaction)
      default:
        return refuse(405, { allow: ALLOW })
    }
  }

  acknowledge(ack: SipRequest): void {
    this.#remoteOffers.acknowledge(ack)
    if (this.#byeAfterAck) this.#sayBye()
  }

  /** An answered call outlives its connection: a browser reconnects, and media has its own path. */
  flowClosed(flow: Flow): void {
    if (this.dialog.flow.id === flow.id && this.dialog.staysOnFlow && !this.isConfirmed)
      this.end({ why: 'lost' })
  }

  /** Retransmits the 2xx of the initial INVITE until its ACK. */
  awaitAck(transaction: ServerTransaction, response: SipResponse, done: AckHandler): void {
    this.isConfirmed = true
    this.#remoteOffers.awaitAck(transaction, response, done)
  }

  hangUp(): void {
    if (this.#isEnded) return
    this.#emit({ type: 'ended', ending: { why: 'hungUp', by: 'us' } })
    // RFC 3261 §15: the callee sends no BYE before the ACK of its 2xx.
    if (this.#remoteOffers.awaitsAck) this.#byeAfterAck = true
    else this.#sayBye()
  }

  /** Sends a request other than INVITE. A peer that does not know the call, or does not respond, ends it. */
  async send(method: string, parts: RequestParts = {}): Promise<RequestOutcome> {
    for (let tried = 0; ; tried++) {
      const request = this.#make(method, parts)
      const flow = await this.#flowFor(request)
      const answer: RequestOutcome = flow
        ? await sendRequest(this.#core, request, flow)
        : { ok: false, why: 'transport' }
      if (answer.ok && isChallenge(answer.response) && tried < SIP_LIMITS.demandsMetMax) {
        if (this.#digest.takeUp(answer.response)) continue
      }
      const isGone = !answer.ok || answer.response.status === 481 || answer.response.status === 408
      // RFC 3261 §12.2.1.2; a NOTIFY belongs to a subscription, whose end does not end the call.
      if (isGone && method !== 'BYE' && method !== 'NOTIFY') this.end({ why: 'lost' })
      return answer
    }
  }

  async info(body: Body): Promise<number> {
    const answer = await this.send('INFO', { body })
    return answer.ok ? answer.response.status : 408
  }

  /** One REFER at a time. */
  async refer(asked: ReferTarget, onReport: (status: number) => void): Promise<number> {
    if (this.#isEnded) return 481
    if (this.#referral.isOpen) return 491
    this.#referral.open(onReport)
    const { target, referredBy } = asked
    const headers = { contact: this.contact, 'refer-to': `<${target}>` }
    const answer = await this.send('REFER', {
      headers: referredBy === undefined ? headers : { ...headers, 'referred-by': referredBy },
    })
    const status = answer.ok ? answer.response.status : 408
    if (status >= 300) this.#referral.close()
    return status
  }

  reinvite(body: Body | undefined, firstResponseMs?: number): Promise<OfferOutcome> {
    return this.#offer(() => this.#sendInvite(body, firstResponseMs), body)
  }

  update(body: Body | undefined): Promise<OfferOutcome> {
    return this.#offer(async () => {
      const answer = await this.send('UPDATE', { headers: this.#offerHeaders, body })
      return answer.ok ? answer.response : undefined
    }, body)
  }

  /** Sends a BYE. */
  async bye(): Promise<void> {
    this.#byeAfterAck = false
    this.#stopTimer()
    this.#isEnded = true
    await this.send('BYE')
    this.close()
  }

  /** Ends the call without sending anything. */
  end(ending: CallEndReason): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.close()
    this.#emit({ type: 'ended', ending })
  }

  close(): void {
    this.#isEnded = true
    this.#stopTimer()
    this.#remoteOffers.close()
    this.offerSettled()
    this.#core.dialogs.delete(this.key)
  }

  /** RFC 4028 §10: refreshes the session, or checks that the peer does. */
  keepTime(timer: SessionTimer | undefined): void {
    this.#stopTimer()
    this.#timer = timer
    if (!timer || this.#isEnded) return
    this.#stopTimer = this.#core.clock.after(timerMs(timer), () => {
      if (timer.refresher === 'us') this.#startRefresh()
      else this.#hangUpAsLost()
    })
  }

  #startRefresh(): void {
    inBackground(this.#core.log, 'refresh a call', () => this.#refresh())
  }

  async #refresh(): Promise<void> {
    const { ok } = await (this.peerAllowsUpdate ? this.update(undefined) : this.reinvite(this.localBody))
    if (ok || this.#isEnded) return
    this.#stopTimer = this.#core.clock.after(SIP_LIMITS.refreshAgainMs, () => this.#startRefresh())
  }

  /** Header fields of our re-INVITEs and UPDATEs. */
  get #offerHeaders(): Record<string, string> {
    const timer = this.#timer ? timerRefreshHeaders(this.#timer) : {}
    return { contact: this.contact, allow: ALLOW, supported: SUPPORTED, ...timer }
  }

  #hangUpAsLost(): void {
    if (this.#isEnded) return
    this.#emit({ type: 'ended', ending: { why: 'lost' } })
    this.#sayBye()
  }

  #sayBye(): void {
    inBackground(this.#core.log, 'send a BYE', this.bye())
  }

  /** One SDP offer at a time, of either side; RFC 3261 §14.1 for glare. */
  async #offer(send: () => Promise<SipResponse | undefined>, body: Body | undefined): Promise<OfferOutcome> {
    for (let tried = 1; ; tried++) {
      while (!this.#isEnded && (this.#isOffering || this.#remoteOffers.isPending)) {
        await new Promise<void>((resolve) => this.#waitingToOffer.push(resolve))
      }
      if (this.#isEnded) return { ok: false, status: 481 }
      this.#isOffering = true
      const response = await send().finally(() => {
        this.#isOffering = false
        this.offerSettled()
      })
      if (!response) return { ok: false, status: 408 }
      if (response.status < 300) {
        if (body) this.localBody = body
        refreshTarget(this.dialog, response)
        this.keepTime(readTimerAsClient(response.headers))
        return { ok: true, body: bodyOf(response) }
      }
      const { status } = response
      const pauseMs = this.#pauseAfter(response)
      if (pauseMs === undefined || tried === SIP_LIMITS.offerAttemptsMax) return { ok: false, status }
      await new Promise<void>((resolve) => {
        this.#core.clock.after(pauseMs, resolve)
      })
    }
  }

  offerSettled(): void {
    for (const wake of this.#waitingToOffer.splice(0)) wake()
  }

  /** Until an offer is made again that came while another was pending (RFC 3261 §14). Undefined if it was refused. */
  #pauseAfter({ status, headers }: SipResponse): number | undefined {
    if (status === 491) {
      const fraction = this.#core.chance.fraction()
      return this.isCaller ? 2_100 + fraction * 1_900 : fraction * 2_000
    }
    const seconds = status === 500 ? numberOf(headers, 'retry-after') : undefined
    return seconds !== undefined && seconds <= RETRY_AFTER_S_MAX ? seconds * 1_000 : undefined
  }

  async #sendInvite(body: Body | undefined, firstResponseMs?: number): Promise<SipResponse | undefined> {
    for (let tried = 0; ; tried++) {
      const request = this.#make('INVITE', { headers: this.#offerHeaders, body })
      const flow = await this.#flowFor(request)
      const response = flow && (await this.#inviteOver(flow, request, firstResponseMs))
      if (response && isChallenge(response) && tried < SIP_LIMITS.demandsMetMax) {
        if (this.#digest.takeUp(response)) continue
      }
      // The peer may be back after all, if it had only a moment.
      if (!response && firstResponseMs !== undefined) this.#hangUpAsLost()
      else if (!response || response.status === 481 || response.status === 408) this.end({ why: 'lost' })
      return response
    }
  }

  /** Undefined if there was no final response, or within `firstResponseMs` none at all. */
  #inviteOver(
    flow: Flow,
    request: SipRequest,
    firstResponseMs: number | undefined,
  ): Promise<SipResponse | undefined> {
    const { transactions, clock } = this.#core
    let ack: Buffer | undefined
    return new Promise((resolve) => {
      const stopWaiting =
        firstResponseMs === undefined ? () => {} : clock.after(firstResponseMs, () => resolve(undefined))
      transactions.request(request, flow, {
        response: (response) => {
          stopWaiting()
          if (response.status < 200) return
          if (response.status >= 300) return resolve(response)
          // A retransmitted 2xx means that our ACK was lost.
          if (ack) return flow.send(ack)
          refreshTarget(this.dialog, response)
          ack = transactions.ack(ackInDialog(this.dialog, cseqOf(request).number, undefined), flow)
          resolve(response)
        },
        failed: () => {
          stopWaiting()
          resolve(undefined)
        },
      })
    })
  }

  #make(method: string, { headers, body }: RequestParts): SipRequest {
    const request = requestInDialog(this.dialog, method)
    addFields(request.headers, headers, body)
    if (body) request.body = body.bytes
    this.#digest.sign(request)
    return request
  }

  /** The flow for a request in this dialog; undefined if there is none. */
  async #flowFor(request: SipRequest): Promise<Flow | undefined> {
    const { flow, staysOnFlow } = this.dialog
    if (staysOnFlow) return flow.isOpen ? flow : undefined
    try {
      return await firstFlow(await this.#core.flowsTo(nextHop(request), flow.protocol))
    } catch {
      return undefined
    }
  }

  /** Sends the ACK of the 2xx that created this dialog. */
  async sendAck(cseq: number): Promise<() => void> {
    const request = ackInDialog(this.dialog, cseq, undefined)
    const flow = await this.#flowFor(request)
    if (!flow) return () => {}
    const bytes = this.#core.transactions.ack(request, flow)
    return () => flow.send(bytes)
  }
}

const isChallenge = ({ status }: SipResponse) => status === 401 || status === 407
