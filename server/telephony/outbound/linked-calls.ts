import { randomUUID } from 'node:crypto'

import {
  type Body,
  type CallEndReason,
  CallEventBuffer,
  type CallEvent,
  type OfferOutcome,
  type SipCall,
} from '../../sip/index.ts'

const DECLINED = 603
const NO_SUCH_CALL = 481

/** The two ends of a call within this process: what one does is an event of the other, as over SIP. */
export function linkCalls(): { outgoing: SipCall; incoming: LinkedIncomingCall } {
  const id = `inside-${randomUUID()}`
  const outgoing = new LinkedCall(id)
  const incoming = new LinkedIncomingCall(id)
  outgoing.link(incoming)
  incoming.link(outgoing)
  return { outgoing, incoming }
}

class LinkedCall implements SipCall {
  readonly id: string
  readonly events = new CallEventBuffer()
  isAnswered = false
  protected other!: LinkedCall

  constructor(id: string) {
    this.id = id
  }

  link(other: LinkedCall): void {
    this.other = other
  }

  get isOver(): boolean {
    return this.events.isOver
  }

  /** There is no SIP between the two. */
  hasDialog(): boolean {
    return false
  }

  listen(listener: (event: CallEvent) => void): void {
    this.events.listen(listener)
  }

  reinvite(body: Body | undefined): Promise<OfferOutcome> {
    if (this.isOver) return Promise.resolve({ ok: false, status: NO_SUCH_CALL })
    return new Promise((resolve) => {
      const offer = {
        body,
        accept: (answer: Body | undefined) => resolve({ ok: true, body: answer }),
        refuse: (status: number) => resolve({ ok: false, status }),
      }
      this.other.events.emit({ type: 'offer', offer })
    })
  }

  update(body: Body | undefined): Promise<OfferOutcome> {
    return this.reinvite(body)
  }

  async info(body: Body): Promise<number> {
    this.other.events.emit({ type: 'info', body })
    return 200
  }

  /** Employees transfer on their phones, which have calls of their own. */
  async refer(): Promise<number> {
    return DECLINED
  }

  hangUp(): void {
    if (this.isAnswered) this.end({ why: 'hungUp', by: 'us' }, { why: 'hungUp', by: 'peer' })
    else this.end({ why: 'cancelled' }, { why: 'cancelled' })
  }

  protected end(here: CallEndReason, there: CallEndReason): void {
    this.events.emit({ type: 'ended', ending: here })
    this.other.events.emit({ type: 'ended', ending: there })
  }
}

/** The end that is called. */
export class LinkedIncomingCall extends LinkedCall {
  accept(body: Body): void {
    if (this.isOver) return
    this.isAnswered = this.other.isAnswered = true
    this.events.emit({ type: 'connected', body: undefined })
    this.other.events.emit({ type: 'answered', body })
  }

  reject(status: number): void {
    const refusal = { why: 'refused', status, reason: '' } as const
    this.end({ ...refusal, by: 'us' }, { ...refusal, by: 'peer' })
  }

  override hangUp(): void {
    if (this.isAnswered) super.hangUp()
    else this.reject(DECLINED)
  }
}
