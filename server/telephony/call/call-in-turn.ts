import { inBackground } from '../../platform/background.ts'
import type { Log } from '../../platform/log.ts'
import {
  type Body,
  type CallEndReason,
  CallEventBuffer,
  type CallEvent,
  type OfferOutcome,
  type OutgoingCall,
  type ReferTarget,
} from '../../sip/index.ts'

/** Places the call: over one carrier, or with one SDP offer. */
export type Attempt = () => Promise<OutgoingCall>

/** Whether the next attempt is made after this failure; also called after the last one. */
export type GoesOn = (ending: CallEndReason, isLast: boolean) => boolean

const NO_SUCH_CALL = 481

/** A call that is placed in one way after another until one of them puts it through. */
export class CallInTurn implements OutgoingCall {
  readonly #events = new CallEventBuffer()
  readonly #log: Log
  readonly #attempts: Attempt[]
  readonly #goesOn: GoesOn
  #call: OutgoingCall | undefined
  #isAnswered = false
  #isHungUp = false

  constructor(log: Log, attempts: Attempt[], goesOn: GoesOn) {
    this.#log = log
    this.#attempts = [...attempts]
    this.#goesOn = goesOn
    this.#goOn({ why: 'lost' })
  }

  get id(): string {
    return this.#call?.id ?? ''
  }

  get isAnswered(): boolean {
    return this.#isAnswered
  }

  get isOver(): boolean {
    return this.#events.isOver
  }

  hasDialog(dialog: string): boolean {
    return this.#call?.hasDialog(dialog) ?? false
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

  hangUp(why?: 'elsewhere'): void {
    this.#isHungUp = true
    this.#call?.hangUp(why)
  }

  #goOn(last: CallEndReason): void {
    inBackground(this.#log, 'place a call in the next way', this.#tryNext(last))
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
    const isLast = this.#attempts.length === 0
    if (!hasFailed || !this.#goesOn(event.ending, isLast) || isLast) return this.#events.emit(event)
    this.#goOn(event.ending)
  }
}
