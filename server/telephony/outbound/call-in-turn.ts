import { inBackground } from '../../platform/background.ts'
import type { Log } from '../../platform/log.ts'
import {
  type Body,
  type CallEndReason,
  CallEventBuffer,
  type CallEvent,
  type OfferOutcome,
  type ReferTarget,
  type SipCall,
} from '../../sip/index.ts'

/** Places the call over one carrier. */
export type Attempt = () => Promise<SipCall>

const NO_SUCH_CALL = 481

/** A call that is placed over one carrier after another until one of them puts it through. */
export class CallInTurn implements SipCall {
  readonly #events = new CallEventBuffer()
  readonly #log: Log
  readonly #attempts: Attempt[]
  readonly #onFailed: (ending: CallEndReason) => void
  #call: SipCall | undefined
  #isAnswered = false
  #isHungUp = false

  /** `onFailed` is called before the next attempt. */
  constructor(log: Log, attempts: Attempt[], onFailed: (ending: CallEndReason) => void) {
    this.#log = log
    this.#attempts = [...attempts]
    this.#onFailed = onFailed
    this.#goOn({ why: 'lost' })
  }

  get id(): string {
    return this.#call?.id ?? ''
  }

  get isOver(): boolean {
    return this.#events.isOver
  }

  listen(listener: (event: CallEvent) => void): void {
    this.#events.listen(listener)
  }

  async reinvite(body: Body | undefined, firstResponseMs?: number): Promise<OfferOutcome> {
    return this.#call?.reinvite(body, firstResponseMs) ?? { ok: false, status: NO_SUCH_CALL }
  }

  async update(body: Body | undefined): Promise<OfferOutcome> {
    return this.#call?.update(body) ?? { ok: false, status: NO_SUCH_CALL }
  }

  async info(body: Body): Promise<number> {
    return this.#call?.info(body) ?? NO_SUCH_CALL
  }

  async refer(asked: ReferTarget, onReport: (status: number) => void): Promise<number> {
    return this.#call?.refer(asked, onReport) ?? NO_SUCH_CALL
  }

  hangUp(): void {
    this.#isHungUp = true
    this.#call?.hangUp()
  }

  #goOn(last: CallEndReason): void {
    inBackground(this.#log, 'call over the next carrier', this.#tryNext(last))
  }

  /** Ends as the last attempt did if there is no other. */
  async #tryNext(last: CallEndReason): Promise<void> {
    const attempt = this.#isHungUp ? undefined : this.#attempts.shift()
    if (!attempt)
      return this.#events.emit({ type: 'ended', ending: this.#isHungUp ? { why: 'cancelled' } : last })
    try {
      this.#call = await attempt()
    } catch {
      return this.#tryNext({ why: 'lost' })
    }
    this.#call.listen((event) => this.#pass(event))
    if (this.#isHungUp) this.#call.hangUp()
  }

  #pass(event: CallEvent): void {
    this.#isAnswered ||= event.type === 'answered'
    const hasFailed = event.type === 'ended' && !this.#isAnswered && !this.#isHungUp
    if (!hasFailed || this.#attempts.length === 0) return this.#events.emit(event)
    this.#onFailed(event.ending)
    this.#goOn(event.ending)
  }
}
