import { DigestClient } from '../../auth/client.ts'
import type { Dialog } from '../../dialog/dialog.ts'
import { negotiateTimerAsServer, type SessionTimer } from '../../dialog/session-timer.ts'
import { respondTo } from '../../message/create.ts'
import { bodyOf, fromOf, toOf } from '../../message/fields.ts'
import type { Address } from '../../message/grammar/address.ts'
import { type Uri, parseUri } from '../../message/grammar/uri.ts'
import type { Body, SipRequest } from '../../message/message.ts'
import { reasonOf } from '../../message/reasons.ts'
import type { ServerTransaction } from '../../transaction/server-transaction.ts'
import { family, type Family, isEncrypted } from '../../transport/flow.ts'
import { ALLOW, type Core, SUPPORTED, userOf } from '../core.ts'
import { CallEventBuffer } from '../events.ts'
import type { CallEndReason, CallEvent, IncomingCall, OfferOutcome, Peer, ReferTarget } from './call.ts'
import { InviteDialog } from './invite-dialog.ts'
import { ReliableProvisional } from './reliable-provisional.ts'

/** RFC 3262 §3: the first RSeq is below 2^31. */
const RSEQ_MAX = 2 ** 31

/** A call that we received, from its INVITE to its end. */
export class ReceivedCall implements IncomingCall {
  readonly id: string
  readonly peer: Peer
  readonly request: SipRequest
  readonly isSecure: boolean
  readonly replaces: string | undefined
  readonly family: Family
  readonly #transaction: ServerTransaction
  readonly #session: InviteDialog
  readonly #events: CallEventBuffer
  readonly #progress: ReliableProvisional
  readonly #isReliable: boolean
  readonly #mustBeReliable: boolean
  readonly #timer: { agreed: SessionTimer | undefined; headers: Record<string, string> }

  constructor(
    core: Core,
    transaction: ServerTransaction,
    dialog: Dialog,
    {
      peer,
      replaces,
      onEnded,
    }: {
      peer: Peer
      replaces: string | undefined
      onEnded?: ((ending: CallEndReason) => void) | undefined
    },
  ) {
    const { request } = transaction
    this.replaces = replaces
    this.#events = new CallEventBuffer(onEnded)
    this.#transaction = transaction
    this.request = request
    this.isSecure = isEncrypted(transaction.flow.origin.protocol)
    this.family = family(transaction.flow.origin.remote.address)
    this.id = dialog.callId
    this.peer = peer
    this.#mustBeReliable = request.headers.names('require', '100rel')
    this.#isReliable = this.#mustBeReliable || request.headers.names('supported', '100rel')
    const timer = negotiateTimerAsServer(request.headers)
    this.#timer = 'tooSmall' in timer ? { agreed: undefined, headers: {} } : timer
    this.#session = new InviteDialog(core, {
      dialog,
      user: userOf(request.uri),
      isCaller: false,
      digest: new DigestClient(undefined, core.chance.token),
      emit: (event) => {
        // A BYE before the answer, or a closed connection, also ends the INVITE.
        if (event.type === 'ended') this.#transaction.respond(respondTo(request, 487))
        this.#events.emit(event)
      },
    })
    this.#session.peerAllowsUpdate = /\bUPDATE\b/.test(request.headers.get('allow') ?? '')
    const firstRSeq = 1 + Math.floor(core.chance.fraction() * (RSEQ_MAX - 1))
    this.#progress = new ReliableProvisional(core.clock, transaction, firstRSeq, () => this.reject(504))
    this.#session.onPrack = (prack) => this.#progress.receive(prack)
  }

  get from(): Address {
    return fromOf(this.request)
  }

  get to(): Address {
    return toOf(this.request)
  }

  get uri(): Uri {
    return parseUri(this.request.uri)!
  }

  get body(): Body | undefined {
    return bodyOf(this.request)
  }

  get isOver(): boolean {
    return this.#events.isOver
  }

  hasDialog(dialog: string): boolean {
    return this.#session.key === dialog
  }

  listen(listener: (event: CallEvent) => void): void {
    this.#events.listen(listener)
  }

  ring(): void {
    this.#provisional(180, undefined, this.#mustBeReliable)
  }

  progress(body: Body): void {
    this.#session.localBody = body
    this.#provisional(183, body, this.#isReliable)
  }

  accept(body: Body): void {
    if (this.#transaction.isAnswered || this.isOver) return
    this.#session.localBody = body
    this.#progress.whenIdle(() => {
      const headers = { ...this.#headers(), ...this.#timer.headers }
      const response = respondTo(this.request, 200, { headers, body })
      this.#session.awaitAck(this.#transaction, response, (ack) => {
        this.#session.keepTime(this.#timer.agreed)
        this.#events.emit({ type: 'connected', body: ack && bodyOf(ack) })
      })
    })
  }

  reject(status: number, headers: Record<string, string> = {}): void {
    this.#refuse(status, headers, { why: 'refused', by: 'us', status, reason: reasonOf(status) })
  }

  hangUp(): void {
    if (this.#transaction.isAnswered) this.#session.hangUp()
    else this.reject(480)
  }

  /** The caller cancelled. If we have already answered, this has no effect, and a BYE follows. */
  cancelled(isElsewhere: boolean): void {
    this.#refuse(487, {}, { why: 'cancelled', ...(isElsewhere && { elsewhere: true }) })
  }

  reinvite(body: Body | undefined, firstResponseMs?: number): Promise<OfferOutcome> {
    return this.#session.reinvite(body, firstResponseMs)
  }

  update(body: Body | undefined): Promise<OfferOutcome> {
    return this.#session.update(body)
  }

  info(body: Body): Promise<number> {
    return this.#session.info(body)
  }

  refer(asked: ReferTarget, onReport: (status: number) => void): Promise<number> {
    return this.#session.refer(asked, onReport)
  }

  #refuse(status: number, headers: Record<string, string>, ending: CallEndReason): void {
    if (this.#transaction.isAnswered) return
    this.#progress.close()
    this.#transaction.respond(respondTo(this.request, status, { headers }))
    this.#session.end(ending)
  }

  #provisional(status: number, body: Body | undefined, reliably: boolean): void {
    if (this.#transaction.isAnswered || this.isOver) return
    const response = respondTo(this.request, status, { headers: this.#headers(), body })
    if (reliably) this.#progress.send(response)
    else this.#transaction.respond(response)
  }

  #headers(): Record<string, string | string[]> {
    const recordRoute = this.request.headers.all('record-route')
    return {
      contact: this.#session.contact,
      allow: ALLOW,
      supported: SUPPORTED,
      ...(recordRoute.length > 0 && { 'record-route': recordRoute }),
    }
  }
}
