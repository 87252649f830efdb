import { inBackground } from '../../platform/background.ts'
import { type Dialog, dialogKey, isInOrder, refreshTarget, requestInDialog } from '../dialog/dialog.ts'
import { SIP_LIMITS } from '../limits.ts'
import { addFields, respondTo } from '../message/create.ts'
import { numberOf } from '../message/fields.ts'
import type { Headers } from '../message/headers.ts'
import type { Body } from '../message/message.ts'
import type { ServerTransaction } from '../transaction/server-transaction.ts'
import type { Flow } from '../transport/flow.ts'
import { ALLOW, contactOn, type Core, type DialogOwner, sendRequest } from '../user-agent/core.ts'
import { type EventHeader, printEvent, readEvent } from './event-header.ts'

/** What a phone is subscribed to. */
export interface EventState {
  /** The current state, in full. Called once for each NOTIFY. */
  body(): Body
  /** The subscription is over, however it ended. */
  ended(): void
}

/** A phone's subscription, as its owner sees it. */
export interface SipSubscription {
  /** The state has changed: the phone is notified. */
  changed(): void
}

/** RFC 6665 §4.1.3: why a subscription ends. */
type EndReason = 'timeout' | 'rejected' | 'probation'

interface SubscriptionParts {
  dialog: Dialog
  event: EventHeader
  /** The user of our Contact. */
  user: string
  /** Whether a refresh comes from the subscriber; otherwise it has been answered. */
  isSubscriber(transaction: ServerTransaction): Promise<boolean>
  ended(): void
}

/** The notifier's side of a subscription (RFC 6665 §4.2), in a dialog of its own. One NOTIFY is under way at a time. */
export class EventSubscription implements DialogOwner, SipSubscription {
  // It is no call, and so no INVITE can replace it (RFC 3891 §3).
  readonly isConfirmed = false
  readonly isCaller = false
  readonly #core: Core
  readonly #parts: SubscriptionParts
  readonly #key: string
  #state: EventState | undefined
  #expiresAt = 0
  #stopTimer = () => {}
  #isNotifying = false
  /** Another NOTIFY is due when the one under way has been answered. */
  #isDue = false
  #ending: EndReason | undefined
  #isOver = false
  readonly #whenOver: (() => void)[] = []

  constructor(core: Core, parts: SubscriptionParts) {
    this.#core = core
    this.#parts = parts
    const { callId, localTag, remoteTag } = parts.dialog
    this.#key = dialogKey(callId, localTag, remoteTag)
  }

  /** Accepts the SUBSCRIBE that asked for it. */
  begin(transaction: ServerTransaction, seconds: number, state: EventState): void {
    if (this.#isOver) {
      transaction.respond(respondTo(transaction.request, 503))
      return state.ended()
    }
    this.#state = state
    this.#core.dialogs.set(this.#key, this)
    this.#accept(transaction, seconds)
  }

  get isEnded(): boolean {
    return this.#isOver
  }

  changed(): void {
    this.#notify()
  }

  receive(transaction: ServerTransaction): void {
    const { request } = transaction
    const refuse = (status: number, headers = {}) =>
      transaction.respond(respondTo(request, status, { headers }))
    if (!isInOrder(this.#parts.dialog, request)) return refuse(500)
    if (request.method !== 'SUBSCRIBE') return refuse(405, { allow: ALLOW })
    inBackground(this.#core.log, 'refresh a subscription', async () => {
      if (!(await this.#parts.isSubscriber(transaction))) return
      if (this.#ending !== undefined || this.#isOver) return refuse(481)
      const event = readEvent(request.headers)
      const { name, id } = this.#parts.event
      if (event?.name !== name || event.id !== id) return refuse(489)
      const wanted = readExpires(request.headers)
      if (!wanted.ok) return refuse(423, wanted.headers)
      refreshTarget(this.#parts.dialog, request)
      this.#parts.dialog.flow = transaction.flow
      this.#accept(transaction, wanted.seconds)
    })
  }

  acknowledge(): void {}

  /** Nobody can be notified any more. A phone that returns subscribes anew. */
  flowClosed(flow: Flow): void {
    if (this.#parts.dialog.flow.id === flow.id) this.close()
  }

  /** Ends the subscription, and notifies the phone. Resolves when that has been answered, or cannot be. */
  end(reason: EndReason): Promise<void> {
    // Without a state it has not been accepted.
    if (!this.#state) this.close()
    if (this.#isOver) return Promise.resolve()
    this.#ending ??= reason
    this.#stopTimer()
    const over = new Promise<void>((resolve) => this.#whenOver.push(resolve))
    this.#notify()
    return over
  }

  close(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#stopTimer()
    this.#core.dialogs.delete(this.#key)
    this.#state?.ended()
    this.#parts.ended()
    for (const tell of this.#whenOver.splice(0)) tell()
  }

  #accept(transaction: ServerTransaction, seconds: number): void {
    const headers = { expires: String(seconds), contact: this.#contact }
    transaction.respond(respondTo(transaction.request, 200, { headers }))
    this.#stopTimer()
    this.#expiresAt = this.#core.clock.now().getTime() + seconds * 1_000
    // RFC 6665 §4.2.1.2: every SUBSCRIBE gets a NOTIFY with the state; one for no time at all gets the last one.
    if (seconds === 0) return this.#endInBackground('timeout')
    this.#stopTimer = this.#core.clock.after(seconds * 1_000, () => this.#endInBackground('timeout'))
    this.#notify()
  }

  #endInBackground(reason: EndReason): void {
    inBackground(this.#core.log, 'end a subscription', this.end(reason))
  }

  #notify(): void {
    this.#isDue = true
    if (!this.#isNotifying) inBackground(this.#core.log, 'notify a subscriber', () => this.#notifyUntilDone())
  }

  async #notifyUntilDone(): Promise<void> {
    this.#isNotifying = true
    try {
      while (this.#isDue && !this.#isOver) {
        this.#isDue = false
        const isLast = this.#ending !== undefined
        const isKept = await this.#sendNotify()
        if (!isKept || isLast) this.close()
      }
    } catch (err) {
      this.close()
      throw err
    } finally {
      this.#isNotifying = false
    }
  }

  /** False if the phone knows nothing of the subscription, or cannot be reached. */
  async #sendNotify(): Promise<boolean> {
    const { dialog, event } = this.#parts
    const request = requestInDialog(dialog, 'NOTIFY')
    const body = this.#ending === 'rejected' ? undefined : this.#state!.body()
    const headers = {
      contact: this.#contact,
      event: printEvent(event),
      'subscription-state': this.#subscriptionState,
    }
    addFields(request.headers, headers, body)
    if (body) request.body = body.bytes
    const { flow } = dialog
    if (!flow.isOpen) return false
    const outcome = await sendRequest(this.#core, request, flow)
    return outcome.ok && !ENDING_STATUSES.has(outcome.response.status)
  }

  get #subscriptionState(): string {
    if (this.#ending === 'probation') return `terminated;reason=probation;retry-after=${RETRY_AFTER_S}`
    if (this.#ending !== undefined) return `terminated;reason=${this.#ending}`
    const leftMs = this.#expiresAt - this.#core.clock.now().getTime()
    return `active;expires=${Math.max(0, Math.round(leftMs / 1_000))}`
  }

  get #contact(): string {
    return contactOn(this.#parts.dialog.flow, this.#parts.user)
  }
}

/** RFC 6665 §4.2.2: after these the subscription is over; after others the next change is sent as usual. */
const ENDING_STATUSES = new Set([404, 405, 410, 416, 480, 481, 482, 483, 484, 485, 489, 501, 604])

/** When phones may return to an edge that stops. */
const RETRY_AFTER_S = 10

type Expires = { ok: true; seconds: number } | { ok: false; headers: Record<string, string> }

/** RFC 6665 §4.2.1.1: how long a subscription lasts; too short an interval is refused, a long one is shortened. */
export function readExpires(headers: Headers): Expires {
  const { subscriptionSecondsMin: min, subscriptionSecondsMax: max } = SIP_LIMITS
  const seconds = Math.min(numberOf(headers, 'expires') ?? max, max)
  return seconds > 0 && seconds < min
    ? { ok: false, headers: { 'min-expires': String(min) } }
    : { ok: true, seconds }
}
