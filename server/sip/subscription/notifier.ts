import { dialogAsServer } from '../dialog/dialog.ts'
import { SIP_LIMITS } from '../limits.ts'
import { respondTo } from '../message/create.ts'
import { callIdOf } from '../message/fields.ts'
import { parseUri, type Uri } from '../message/grammar/uri.ts'
import type { RefusalReason, ReportRefusal } from '../refusal.ts'
import type { ServerTransaction } from '../transaction/server-transaction.ts'
import { type Core, userOf } from '../user-agent/core.ts'
import type { PeerAuthenticator } from '../user-agent/peer-authenticator.ts'
import { acceptsType, readEvent } from './event-header.ts'
import { EventSubscription, type EventState, readExpires, type SipSubscription } from './subscription.ts'

/** A phone asks for a subscription, which must be accepted or refused. */
export interface SubscriptionRequest {
  /** The name of the event package. */
  event: string
  /** The authenticated phone. */
  username: string
  /** The Request-URI: whose state is asked for. */
  target: Uri
  /** The SUBSCRIBE is accepted, and the phone is notified of the state at once. */
  accept(state: EventState): SipSubscription
  refuse(status: number): void
}

/** The event packages that phones may subscribe to. */
export interface EventPackages {
  /** The content type of each, by its name. */
  contentTypes: Record<string, string>
  onSubscribe(request: SubscriptionRequest): void
}

interface NotifierParts {
  core: Core
  authenticator: PeerAuthenticator
  packages: EventPackages
  onRefusal: ReportRefusal
}

/** Accepts the subscriptions of phones (RFC 6665). */
export class Notifier {
  readonly #parts: NotifierParts
  readonly #byUser = new Map<string, Set<EventSubscription>>()
  #count = 0

  constructor(parts: NotifierParts) {
    this.#parts = parts
  }

  get allowedEvents(): string {
    return Object.keys(this.#parts.packages.contentTypes).join(', ')
  }

  /** The subscriptions of all phones. */
  get count(): number {
    return this.#count
  }

  /** The phones that have subscriptions. */
  usernames(): string[] {
    return [...this.#byUser.keys()]
  }

  /** Handles a SUBSCRIBE outside of dialogs, of an authenticated phone. */
  receive(transaction: ServerTransaction, username: string): void {
    const { request, flow } = transaction
    const { headers } = request
    const { core, packages } = this.#parts
    const refuse = (status: number, more = {}) =>
      transaction.respond(respondTo(request, status, { headers: more }))
    const event = readEvent(headers)
    const { contentTypes } = packages
    const contentType =
      event && Object.hasOwn(contentTypes, event.name) ? contentTypes[event.name] : undefined
    if (!event || contentType === undefined) return refuse(489, { 'allow-events': this.allowedEvents })
    if (!acceptsType(headers, contentType)) return refuse(406, { accept: contentType })
    const wanted = readExpires(headers)
    if (!wanted.ok) return refuse(423, wanted.headers)
    const dialog = dialogAsServer(request, transaction.tag, flow, true)
    if (!dialog) return refuse(400)
    const own = this.#byUser.get(username)?.size ?? 0
    if (own >= SIP_LIMITS.subscriptionsPerUserMax || this.#count >= SIP_LIMITS.subscriptionsMax) {
      this.#report(transaction, username, 'too_many_subscriptions', 503)
      return refuse(503, { 'retry-after': String(SIP_LIMITS.subscriptionSecondsMin) })
    }
    const subscription = new EventSubscription(core, {
      dialog,
      event,
      user: userOf(request.uri),
      isSubscriber: (refresh) => this.#isOf(refresh, username),
      ended: () => this.#remove(username, subscription),
    })
    this.#add(username, subscription)
    packages.onSubscribe({
      event: event.name,
      username,
      target: parseUri(request.uri)!,
      accept(state) {
        subscription.begin(transaction, wanted.seconds, state)
        return subscription
      },
      refuse(status) {
        refuse(status)
        subscription.close()
      },
    })
  }

  /** Ends the subscriptions of a deleted user. */
  async forget(username: string): Promise<void> {
    await Promise.all([...(this.#byUser.get(username) ?? [])].map((each) => each.end('rejected')))
  }

  /** Ends all subscriptions: their phones may subscribe again elsewhere, or later. */
  async leave(): Promise<void> {
    const ending: Promise<void>[] = []
    for (const own of this.#byUser.values()) for (const each of own) ending.push(each.end('probation'))
    await Promise.all(ending)
  }

  /** A refresh proves the password as the first SUBSCRIBE did: a deleted phone cannot go on. */
  async #isOf(transaction: ServerTransaction, username: string): Promise<boolean> {
    const peer = await this.#parts.authenticator.identify(transaction, false)
    if (!peer) return false
    if (peer.kind === 'device' && peer.username === username) return true
    transaction.respond(respondTo(transaction.request, 403))
    return false
  }

  #report({ request, flow }: ServerTransaction, username: string, why: RefusalReason, status: number): void {
    const source = flow.origin.remote.address
    this.#parts.onRefusal({
      why,
      source,
      method: request.method,
      username,
      status,
      sipCallId: callIdOf(request),
    })
  }

  #add(username: string, subscription: EventSubscription): void {
    this.#byUser.set(username, (this.#byUser.get(username) ?? new Set()).add(subscription))
    this.#count++
  }

  #remove(username: string, subscription: EventSubscription): void {
    const own = this.#byUser.get(username)
    if (!own?.delete(subscription)) return
    if (own.size === 0) this.#byUser.delete(username)
    this.#count--
  }
}
