import { type Digit, type LegId, type MediaEvent, MediaFailed, type MediaPort } from '../../media/port.ts'
import {
  type Body,
  bodyText,
  type Call,
  type CallEvent,
  type Ending,
  type IncomingCall,
  type RemoteOffer,
  sdpBody,
  type Transfer,
} from '../../sip/index.ts'

/** What a party does that others hear of. */
export interface LegListener {
  /** The party put us on hold, or took us back. */
  onHold(isHeld: boolean): void
  onKey(key: Digit): void
  /** The party wants its call to go to somebody else. */
  onTransfer(asked: Transfer): void
}

type Begin = (event: CallEvent) => Promise<void> | void

/** One party of a call: its signalling and its sound, which begin and end together. */
export class Leg {
  readonly call: Call
  readonly sound: LegId
  readonly ended: Promise<Ending>
  listener: LegListener | undefined
  readonly #media: MediaPort
  readonly #over: (ending: Ending) => void
  #stopListening: (() => void) | undefined
  #isHeld = false
  #isAnswered = false
  /** What the party does is dealt with in its order. */
  #done: Promise<void> = Promise.resolve()

  constructor(media: MediaPort, call: Call, sound: LegId) {
    this.#media = media
    this.call = call
    this.sound = sound
    let over!: (ending: Ending) => void
    this.ended = new Promise((resolve) => (over = resolve))
    this.#over = over
  }

  get isOver(): boolean {
    return this.call.isOver
  }

  get isHeld(): boolean {
    return this.#isHeld
  }

  /** From now on; `begin` sees what comes before anybody talks. */
  follow(begin?: Begin): void {
    this.#stopListening = this.#media.listen((event) => {
      if (event.leg === this.sound) this.#notice(event)
    })
    this.call.listen((event) => {
      // A leg whose events cannot be carried out is of no use to anybody.
      this.#done = this.#done.then(() => this.#handle(event, begin)).catch(() => this.hangUp())
    })
  }

  hangUp(): void {
    this.call.hangUp()
  }

  #notice(event: MediaEvent): void {
    // A browser whose consent has run out had half a minute to come back.
    if (event.on === 'leg.lost') this.hangUp()
    if (event.on === 'leg.quiet') this.#probe().catch(() => this.hangUp())
  }

  /** Nothing has been heard of the party for long: who does not answer a re-INVITE either is gone, and has ended. */
  async #probe(): Promise<void> {
    if (!this.#isAnswered || this.#isHeld || this.isOver) return
    const offer = await this.#media.hold(this.sound, 'sendrecv')
    const outcome = await this.call.reinvite(sdpBody(offer))
    if (this.isOver || !outcome.ok || !outcome.body) return
    await this.#media.setRemote(this.sound, { type: 'answer', sdp: bodyText(outcome.body) })
  }

  async #handle(event: CallEvent, begin?: Begin): Promise<void> {
    switch (event.type) {
      case 'offer':
        return this.#change(event.offer)
      case 'info':
        return this.#press(bodyText(event.body))
      case 'transfer':
        // Of the customer's side, or before anybody talks: there is nobody who could give the call away.
        return this.listener ? this.listener.onTransfer(event.transfer) : event.transfer.refuse(603)
      case 'ended':
        return this.#end(event, begin)
      default:
        this.#isAnswered ||= event.type === 'answered' || event.type === 'connected'
        return begin?.(event)
    }
  }

  /** Also when what it leads to fails: others wait for it. */
  async #end(event: Extract<CallEvent, { type: 'ended' }>, begin?: Begin): Promise<void> {
    try {
      await begin?.(event)
      await this.#media.close(this.sound)
    } finally {
      this.#stopListening?.()
      this.#over(event.ending)
    }
  }

  async #change(offer: RemoteOffer): Promise<void> {
    if (!offer.body) return offer.refuse(488)
    const set = await this.#media.setRemote(this.sound, { type: 'offer', sdp: bodyText(offer.body) })
    if (!set.ok) return offer.refuse(488)
    offer.accept(sdpBody(set.sdp!))
    const isHeld = set.direction === 'recvonly' || set.direction === 'inactive'
    if (isHeld === this.#isHeld) return
    this.#isHeld = isHeld
    this.listener?.onHold(isHeld)
  }

  /** A key that came beside the sound. */
  async #press(body: string): Promise<void> {
    const key = /^Signal=\s*([\d*#A-D])/im.exec(body)?.[1] as Digit | undefined
    if (!key) return
    await this.#media.pressed(this.sound, key)
    this.listener?.onKey(key)
  }
}

/** The sound for a call that came in, and what answers its offer. Undefined when we have none in common. */
export async function openLeg(
  media: MediaPort,
  call: IncomingCall,
): Promise<{ leg: Leg; answer: Body } | undefined> {
  const created = call.body
    ? await media.createLeg({ offer: bodyText(call.body) })
    : await media.createLeg({ transport: 'rtp' })
  if (!created.ok) return undefined
  return { leg: new Leg(media, call, created.leg), answer: sdpBody(created.sdp) }
}

/** Of a caller who left the offer to us: their answer comes with the acknowledgement. */
export async function takeLateAnswer(media: MediaPort, leg: Leg, event: CallEvent): Promise<void> {
  if (event.type !== 'connected' || !event.body) return
  const set = await media.setRemote(leg.sound, { type: 'answer', sdp: bodyText(event.body) })
  if (!set.ok) leg.hangUp()
}

/** False when the other side cannot have meant it. */
export async function takeAnswer(media: MediaPort, leg: Leg, body: Body | undefined): Promise<boolean> {
  if (!body) return false
  try {
    return (await media.setRemote(leg.sound, { type: 'answer', sdp: bodyText(body) })).ok
  } catch (error) {
    if (error instanceof MediaFailed) return false
    throw error
  }
}
