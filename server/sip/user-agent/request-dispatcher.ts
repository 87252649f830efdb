import { dialogAsServer, dialogKeyOf } from '../dialog/dialog.ts'
import { checkReplaces } from '../dialog/replaces.ts'
import { MIN_SE_S, negotiateTimerAsServer } from '../dialog/session-timer.ts'
import { SIP_LIMITS } from '../limits.ts'
import { respondTo } from '../message/create.ts'
import { callIdOf, tagOf, toOf } from '../message/fields.ts'
import { parseUri } from '../message/grammar/uri.ts'
import type { RefusalReason, ReportRefusal } from '../refusal.ts'
import type { Registrar } from '../registrar/registrar.ts'
import type { Notifier } from '../subscription/notifier.ts'
import type { ServerTransaction } from '../transaction/server-transaction.ts'
import type { CallEndReason, IncomingCall, Peer } from './call/call.ts'
import { ReceivedCall } from './call/incoming-call.ts'
import { ALLOW, type Core, SUPPORTED } from './core.ts'
import type { PeerAuthenticator } from './peer-authenticator.ts'

const SCHEMES = new Set(['sip', 'sips', 'tel'])
const UNDERSTOOD = new Set(['100rel', 'timer', 'norefersub', 'replaces', 'path', 'outbound'])
/** RFC 3261 §21.5.2: unknown methods get 501, known ones that we do not support get 405. */
const KNOWN_METHODS = new Set(['MESSAGE', 'PUBLISH', ...ALLOW.split(', ')])

interface DispatcherOptions {
  onInvite(call: IncomingCall): void
  onRefusal: ReportRefusal
  /** The caller is authenticated. */
  onIdentified(sipCallId: string): void
  accepts: string[]
  takesCalls(): boolean
  /** A call of this peer begins; returns what to call when it ends. */
  onBegun(peer: Peer): ((ending: CallEndReason) => void) | undefined
}

/** Dispatches the requests of peers, and handles those outside of dialogs. */
export class RequestDispatcher {
  readonly #core: Core
  readonly #gatekeeper: PeerAuthenticator
  readonly #registrar: Registrar
  readonly #notifier: Notifier
  readonly #options: DispatcherOptions
  readonly #ringing = new Map<ServerTransaction, ReceivedCall>()

  constructor(
    core: Core,
    parts: { gatekeeper: PeerAuthenticator; registrar: Registrar; notifier: Notifier },
    options: DispatcherOptions,
  ) {
    this.#core = core
    this.#gatekeeper = parts.gatekeeper
    this.#registrar = parts.registrar
    this.#notifier = parts.notifier
    this.#options = options
  }

  async receive(transaction: ServerTransaction): Promise<void> {
    const { request } = transaction
    const refuse = (status: number, headers = {}) =>
      transaction.respond(respondTo(request, status, { headers }))
    if (request.method === 'CANCEL') return this.#cancel(transaction)
    if (tagOf(toOf(request)) !== '') {
      const owner = this.#core.dialogs.get(dialogKeyOf(request))
      return owner ? owner.receive(transaction) : refuse(481)
    }
    switch (request.method) {
      case 'INVITE':
        return this.#invite(transaction)
      case 'REGISTER':
        return this.#ofDevice(transaction, (username) => this.#registrar.receive(transaction, username))
      case 'SUBSCRIBE':
        return this.#ofDevice(transaction, (username) => this.#notifier.receive(transaction, username))
      case 'OPTIONS':
        if (this.#refuses(transaction)) return
        // A carrier or a proxy that asks whether it may send calls is told before one is refused.
        if (!this.#options.takesCalls())
          return refuse(503, { 'retry-after': String(SIP_LIMITS.callAgainSeconds) })
        return refuse(200, {
          allow: ALLOW,
          'allow-events': this.#notifier.allowedEvents || undefined,
          accept: this.#options.accepts.join(', '),
          supported: SUPPORTED,
        })
      default:
        return refuse(KNOWN_METHODS.has(request.method) ? 405 : 501, { allow: ALLOW })
    }
  }

  async #ofDevice(
    transaction: ServerTransaction,
    handle: (username: string) => Promise<void> | void,
  ): Promise<void> {
    // An address does not identify a user.
    const peer = await this.#gatekeeper.identify(transaction, false)
    if (!peer || this.#refuses(transaction)) return
    if (peer.kind === 'device') return handle(peer.username)
    this.#report(transaction, 'not_allowed', 403)
    transaction.respond(respondTo(transaction.request, 403))
  }

  async #invite(transaction: ServerTransaction): Promise<void> {
    const { request, flow } = transaction
    const refuse = (status: number, headers = {}) => {
      transaction.respond(respondTo(request, status, { headers }))
      // The caller asks again for a longer session.
      if (status !== INTERVAL_TOO_SMALL) this.#report(transaction, 'not_supported', status)
    }
    const peer = await this.#gatekeeper.identify(transaction, true)
    if (peer) this.#options.onIdentified(callIdOf(request))
    // The caller may have cancelled meanwhile.
    if (!peer || transaction.isAnswered || this.#refuses(transaction)) return
    const type = request.headers.get('content-type')?.split(';')[0]!.trim().toLowerCase()
    const { accepts } = this.#options
    if (request.body.length > 0 && !accepts.includes(type ?? ''))
      return refuse(415, { accept: accepts.join(', ') })
    if ('tooSmall' in negotiateTimerAsServer(request.headers))
      return refuse(INTERVAL_TOO_SMALL, { 'min-se': String(MIN_SE_S) })
    const replaced = checkReplaces(request.headers, (dialog) => this.#core.dialogs.get(dialog))
    if (!replaced.ok) return refuse(replaced.status)
    const dialog = dialogAsServer(request, transaction.tag, flow, staysOnFlow(peer))
    if (!dialog) return refuse(400)
    const call = new ReceivedCall(this.#core, transaction, dialog, {
      peer,
      replaces: replaced.dialog,
      onEnded: this.#options.onBegun(peer),
    })
    this.#ringing.set(transaction, call)
    transaction.onFinal(() => this.#ringing.delete(transaction))
    this.#options.onInvite(call)
  }

  /** RFC 3261 §9.2: the INVITE then gets 487, unless it already has a final response. */
  #cancel(transaction: ServerTransaction): void {
    const { request } = transaction
    const invite = this.#core.transactions.inviteOf(request)
    transaction.respond(respondTo(request, invite ? 200 : 481))
    if (!invite) return
    const call = this.#ringing.get(invite)
    // RFC 3326 §2: somebody else has answered.
    const isElsewhere = /\bSIP\s*;.*\bcause=200\b/i.test(request.headers.get('reason') ?? '')
    if (call) call.cancelled(isElsewhere)
    else invite.respond(respondTo(invite.request, 487))
  }

  #report({ request, flow }: ServerTransaction, why: RefusalReason, status: number): void {
    const { method } = request
    const source = flow.origin.remote.address
    this.#options.onRefusal({ why, source, method, status, sipCallId: callIdOf(request) })
  }

  /** §8.2.2: checks for every request, whoever sent it. */
  #refuses(transaction: ServerTransaction): boolean {
    const { request } = transaction
    if (!SCHEMES.has(parseUri(request.uri)!.scheme)) {
      transaction.respond(respondTo(request, 416))
      this.#report(transaction, 'not_supported', 416)
      return true
    }
    const required = request.headers.list('require') ?? []
    const unsupported = required.filter((option) => !UNDERSTOOD.has(option.toLowerCase()))
    if (unsupported.length === 0) return false
    transaction.respond(respondTo(request, 420, { headers: { unsupported: unsupported.join(', ') } }))
    this.#report(transaction, 'not_supported', 420)
    return true
  }
}

const INTERVAL_TOO_SMALL = 422

/** Phones are mostly behind NAT; the Contact of a carrier can be trusted. */
const staysOnFlow = (peer: Peer) => peer.kind === 'device'
