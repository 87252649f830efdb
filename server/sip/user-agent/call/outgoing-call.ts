import { inBackground } from '../../../platform/background.ts'
import { DigestClient } from '../../auth/client.ts'
import type { DigestCredentials } from '../../auth/digest.ts'
import { dialogAsClient } from '../../dialog/dialog.ts'
import {
  MIN_SE_S,
  readTimerAsClient,
  SESSION_EXPIRES_S,
  timerRequestHeaders,
} from '../../dialog/session-timer.ts'
import { SIP_LIMITS } from '../../limits.ts'
import { addFields } from '../../message/create.ts'
import { bodyOf, cseqOf, numberOf, tagOf, toOf } from '../../message/fields.ts'
import { type Address, printAddress } from '../../message/grammar/address.ts'
import { Headers } from '../../message/headers.ts'
import { type Body, NO_BODY, type SipRequest, type SipResponse } from '../../message/message.ts'
import type { ClientTransaction } from '../../transaction/client-transaction.ts'
import { TIMEOUT_64_T1_MS } from '../../transaction/timers.ts'
import { family, type Family, type Flow } from '../../transport/flow.ts'
import { type CallRoute, CallRoutes, type RouteAttempt } from '../call-routes.ts'
import { ALLOW, type Core, SUPPORTED, cannotServe, contactOn } from '../core.ts'
import { CallEventBuffer } from '../events.ts'
import type { CallEndReason, CallEvent, OfferOutcome, OutgoingCall, ReferTarget } from './call.ts'
import { InviteDialog } from './invite-dialog.ts'

export interface InviteOptions {
  /** Without a tag. */
  from: Address
  /** The called party; by default the Request-URI of the first route. */
  to?: Address
  /** The SDP offer; a function makes one for the family of the peer, which may have several addresses. */
  body: Body | ((family: Family) => Promise<Body>)
  headers?: Record<string, string>
  /** Credentials for challenges; by default those of the trunk. */
  credentials?: DigestCredentials
}

interface PlacedCallParts {
  credentials: DigestCredentials | undefined
  /** For a device that sent no response to the INVITE, not even 100. Awaited before the call ends. */
  onSilent?: () => Promise<void>
  onEnded?: (ending: CallEndReason) => void
}

/** An INVITE over one route. */
interface InviteAttempt {
  transaction: ClientTransaction
  body: Body
  /** Its responses are ignored: another route was taken, or the INVITE was sent again. */
  isAbandoned: boolean
  hasProvisional: boolean
}

/** A call that we place, over the first route that responds. */
export class PlacedCall implements OutgoingCall {
  readonly id: string
  /** Resolves when the call was answered or has ended. */
  readonly settled: Promise<void>
  #settle!: () => void
  readonly #core: Core
  readonly #options: InviteOptions
  readonly #routes: CallRoutes
  readonly #digest: DigestClient
  readonly #onSilent: PlacedCallParts['onSilent']
  readonly #events: CallEventBuffer
  readonly #localTag: string
  /** By the tag of the callee: a forked call has several until one answers. */
  readonly #sessions = new Map<string, InviteDialog>()
  readonly #lastRSeq = new Map<string, number>()
  #winner: { session: InviteDialog; sendAckAgain: () => void } | undefined
  #attempt: InviteAttempt | undefined
  #hasHeard = false
  #isGivingUp = false
  #isAnsweredElsewhere = false
  #cseq = 0
  #sessionSeconds = SESSION_EXPIRES_S
  #demandsMet = 0
  #stopTimer: (() => void) | undefined

  constructor(
    core: Core,
    routes: CallRoute[],
    options: InviteOptions,
    { credentials, onSilent, onEnded }: PlacedCallParts,
  ) {
    this.#events = new CallEventBuffer(onEnded)
    this.#core = core
    this.#onSilent = onSilent
    this.#routes = new CallRoutes(routes)
    this.#options = options
    this.#digest = new DigestClient(credentials, core.chance.token)
    this.#localTag = core.chance.token()
    this.id = core.chance.token()
    this.settled = new Promise((resolve) => (this.#settle = resolve))
    this.#goOn(() => this.#tryNextRoute({ why: 'lost' }))
  }

  get isAnswered(): boolean {
    return this.#winner !== undefined
  }

  get isOver(): boolean {
    return this.#events.isOver
  }

  hasDialog(dialog: string): boolean {
    return [...this.#sessions.values()].some(({ key }) => key === dialog)
  }

  listen(listener: (event: CallEvent) => void): void {
    this.#events.listen(listener)
  }

  hangUp(why?: 'elsewhere'): void {
    if (this.isOver) return
    if (this.#winner) return this.#winner.session.hangUp()
    if (this.#isGivingUp) return
    this.#isGivingUp = true
    this.#isAnsweredElsewhere = why === 'elsewhere'
    // RFC 3261 §9.1: a CANCEL waits for a provisional response, and for its own effect no longer than this.
    if (this.#attempt?.hasProvisional) this.#cancel(this.#attempt)
    this.#stopTimer?.()
    this.#stopTimer = this.#core.clock.after(TIMEOUT_64_T1_MS, () => this.#end({ why: 'cancelled' }))
  }

  async reinvite(body: Body | undefined, firstResponseMs?: number): Promise<OfferOutcome> {
    return (await this.#winner?.session.reinvite(body, firstResponseMs)) ?? { ok: false, status: 481 }
  }

  async update(body: Body | undefined): Promise<OfferOutcome> {
    const session = this.#winner?.session ?? [...this.#sessions.values()].at(-1)
    return (await session?.update(body)) ?? { ok: false, status: 481 }
  }

  async info(body: Body): Promise<number> {
    return (await this.#winner?.session.info(body)) ?? 481
  }

  async refer(asked: ReferTarget, onReport: (status: number) => void): Promise<number> {
    return (await this.#winner?.session.refer(asked, onReport)) ?? 481
  }

  /** Whatever fails, the listener learns that the call has ended. */
  #goOn(step: () => Promise<void>): void {
    inBackground(this.#core.log, 'place a call', async () => {
      try {
        await step()
      } catch (error) {
        if (!this.isOver) this.#end({ why: 'lost' })
        throw error
      }
    })
  }

  async #tryNextRoute(otherwise: CallEndReason): Promise<void> {
    const next = await this.#routes.next()
    if (this.#isGivingUp) return this.#end({ why: 'cancelled' })
    if (!next) return this.#unanswered(otherwise)
    this.#demandsMet = 0
    await this.#try(next)
  }

  async #unanswered(ending: CallEndReason): Promise<void> {
    if (!this.#hasHeard && (ending.why === 'lost' || isTimeout(ending))) await this.#onSilent?.()
    this.#end(ending)
  }

  async #try(next: RouteAttempt): Promise<void> {
    const { route, open } = next
    // Why it cannot be opened does not matter: the next route is tried.
    const flow = await open().catch(() => undefined)
    if (!flow) return this.#tryNextRoute({ why: 'lost' })
    const body = await this.#offerTo(flow)
    if (!body || this.#isGivingUp) return this.#end({ why: 'cancelled' })
    const request = this.#makeInvite(route, flow, body)
    const attempt: InviteAttempt = {
      transaction: undefined!,
      body,
      isAbandoned: false,
      hasProvisional: false,
    }
    this.#attempt = attempt
    this.#stopTimer?.()
    const patienceMs = this.#routes.hasMore ? SIP_LIMITS.firstAnswerMs : SIP_LIMITS.deviceAnswerMs
    if (this.#routes.hasMore || this.#onSilent) {
      this.#stopTimer = this.#core.clock.after(patienceMs, () => {
        if (attempt.hasProvisional) return
        attempt.isAbandoned = true
        this.#goOn(() => this.#tryNextRoute({ why: 'lost' }))
      })
    }
    attempt.transaction = this.#core.transactions.request(request, flow, {
      response: (response) => this.#receive(response, attempt, next),
      failed: () => {
        if (!attempt.isAbandoned) this.#goOn(() => this.#tryNextRoute({ why: 'lost' }))
      },
    })
  }

  /** Undefined if the media is gone because the call was given up. */
  async #offerTo(flow: Flow): Promise<Body | undefined> {
    const { body } = this.#options
    if (typeof body !== 'function') return body
    try {
      return await body(family(flow.remote.address))
    } catch (error) {
      if (this.#isGivingUp) return undefined
      throw error
    }
  }

  #makeInvite(route: CallRoute, flow: Flow, body: Body): SipRequest {
    const { from, to, headers: more } = this.#options
    const headers = new Headers()
    headers.add('route', ...route.path)
    headers.add('max-forwards', '70')
    headers.add('from', printAddress({ ...from, params: new Map([['tag', this.#localTag]]) }))
    headers.add('to', to ? printAddress(to) : `<${route.uri}>`)
    headers.add('call-id', this.id)
    headers.add('cseq', `${++this.#cseq} INVITE`)
    headers.add('contact', contactOn(flow, this.#user))
    headers.add('allow', ALLOW)
    headers.add('supported', SUPPORTED)
    addFields(headers, { ...timerRequestHeaders(this.#sessionSeconds), ...more }, body)
    const request: SipRequest = {
      kind: 'request',
      method: 'INVITE',
      uri: route.uri,
      headers,
      body: body.bytes,
    }
    this.#digest.sign(request)
    return request
  }

  #receive(response: SipResponse, attempt: InviteAttempt, tried: RouteAttempt): void {
    const { status } = response
    if (status < 200) {
      this.#hasHeard = true
      const isFirst = !attempt.hasProvisional
      attempt.hasProvisional = true
      if (attempt.isAbandoned || this.#isGivingUp) return isFirst ? this.#cancel(attempt) : undefined
      if (status > 100) this.#progress(response, attempt, tried.route)
    } else if (status < 300) this.#goOn(() => this.#succeed(response, attempt, tried.route))
    else if (!attempt.isAbandoned) this.#refused(response, attempt, tried)
  }

  #progress(response: SipResponse, attempt: InviteAttempt, route: CallRoute): void {
    const tag = tagOf(toOf(response))
    const body = bodyOf(response)
    if (tag !== '') {
      const session = this.#sessionOf(response, attempt, route)
      const rseq = numberOf(response.headers, 'rseq')
      if (rseq !== undefined && response.headers.names('require', '100rel')) {
        // RFC 3262 §4: copies and responses out of order are not acknowledged.
        const last = this.#lastRSeq.get(tag)
        if (last !== undefined && rseq !== last + 1) return
        this.#lastRSeq.set(tag, rseq)
        const { number } = cseqOf(attempt.transaction.request)
        const headers = { rack: `${rseq} ${number} INVITE` }
        inBackground(this.#core.log, 'acknowledge a provisional response', session.send('PRACK', { headers }))
      }
    }
    this.#events.emit(body ? { type: 'progress', status: response.status, body } : { type: 'ringing' })
  }

  async #succeed(response: SipResponse, attempt: InviteAttempt, route: CallRoute): Promise<void> {
    const session = this.#sessionOf(response, attempt, route)
    if (this.#winner?.session === session) return this.#winner.sendAckAgain()
    const isWinner = !this.#winner && !attempt.isAbandoned
    const winner = { session, sendAckAgain: () => {} }
    if (isWinner) {
      this.#winner = winner
      this.#settle()
      this.#stopTimer?.()
      session.isConfirmed = true
      session.localBody = attempt.body
      session.peerAllowsUpdate = /\bUPDATE\b/.test(response.headers.get('allow') ?? '')
      for (const other of this.#sessions.values()) if (other !== session) other.close()
    }
    const acknowledged = session.sendAck(cseqOf(attempt.transaction.request).number)
    if (!isWinner || this.#isGivingUp) {
      // Answered twice, or just as we cancelled.
      await acknowledged
      await session.bye()
      return isWinner ? this.#end({ why: 'cancelled' }) : undefined
    }
    this.#events.emit({ type: 'answered', body: bodyOf(response) })
    session.keepTime(readTimerAsClient(response.headers))
    winner.sendAckAgain = await acknowledged
  }

  #refused(response: SipResponse, attempt: InviteAttempt, tried: RouteAttempt): void {
    const { status } = response
    const again = () => {
      attempt.isAbandoned = true
      this.#closeSessions()
      this.#goOn(() => this.#try(tried))
    }
    if (this.#isGivingUp) return this.#end({ why: 'cancelled' })
    if (this.#demandsMet++ < SIP_LIMITS.demandsMetMax) {
      if ((status === 401 || status === 407) && this.#digest.takeUp(response)) return again()
      if (status === 422) {
        this.#sessionSeconds = Math.max(
          numberOf(response.headers, 'min-se') ?? MIN_SE_S,
          this.#sessionSeconds,
        )
        return again()
      }
    }
    const ending: CallEndReason = { why: 'refused', by: 'peer', status, reason: response.reason }
    if (cannotServe(response)) this.#goOn(() => this.#tryNextRoute(ending))
    else this.#end(ending)
  }

  #sessionOf(response: SipResponse, attempt: InviteAttempt, route: CallRoute): InviteDialog {
    const { request, flow } = attempt.transaction
    const dialog = dialogAsClient(request, response, flow, route.staysOnFlow)
    const known = this.#sessions.get(dialog.remoteTag)
    if (known) {
      known.dialog.remoteTarget = dialog.remoteTarget
      // RFC 3261 §13.2.2.4: the 2xx determines the route set.
      if (response.status >= 200) known.dialog.routeSet = dialog.routeSet
      return known
    }
    const session = new InviteDialog(this.#core, {
      dialog,
      user: this.#user,
      isCaller: true,
      digest: this.#digest,
      emit: (event) => this.#relay(dialog.remoteTag, event),
    })
    this.#sessions.set(dialog.remoteTag, session)
    return session
  }

  /** With several early dialogs, the end of one does not end the call. */
  #relay(tag: string, event: CallEvent): void {
    const session = this.#sessions.get(tag)
    if (event.type === 'ended' && this.#winner?.session !== session) this.#sessions.delete(tag)
    else this.#events.emit(event)
  }

  #cancel({ transaction }: InviteAttempt): void {
    const { request: invite } = transaction
    const headers = new Headers()
    headers.add('route', ...invite.headers.all('route'))
    headers.add('max-forwards', '70')
    for (const key of ['from', 'to', 'call-id']) headers.add(key, invite.headers.get(key)!)
    headers.add('cseq', `${cseqOf(invite).number} CANCEL`)
    // RFC 3326 §2: the phone then lists the call as answered, not as missed.
    if (this.#isAnsweredElsewhere) headers.add('reason', 'SIP;cause=200;text="Call completed elsewhere"')
    this.#core.transactions.cancel(transaction, { ...invite, method: 'CANCEL', headers, body: NO_BODY })
  }

  #end(ending: CallEndReason): void {
    this.#stopTimer?.()
    if (!this.#winner) this.#closeSessions()
    this.#settle()
    this.#events.emit({ type: 'ended', ending })
  }

  #closeSessions(): void {
    for (const session of this.#sessions.values()) session.close()
    this.#sessions.clear()
  }

  get #user(): string {
    const { uri } = this.#options.from
    return ('host' in uri ? uri.user : undefined) ?? 'bellhop'
  }
}

/** Sent on behalf of the device by a proxy. */
const isTimeout = (ending: CallEndReason) => ending.why === 'refused' && ending.status === 408
