import {
  type Digit,
  type Direction,
  type LegId,
  type LegStart,
  type MediaEvent,
  MediaFailed,
  type MediaPort,
} from '../../media/port.ts'
import type { Log } from '../../platform/log.ts'
import {
  type Body,
  bodyText,
  type CallEndReason,
  type CallEvent,
  type IncomingCall,
  type ReferRequest,
  type RemoteOffer,
  sdpBody,
  type SipCall,
} from '../../sip/index.ts'
import { TELEPHONY_LIMITS } from '../limits.ts'
import type { CallRefusal } from '../monitoring/refuse-call.ts'
import type { DeviceOwner } from '../port.ts'
import { digitInInfo } from './info-digit.ts'

/** What a participant does that concerns others. */
export interface LegListener {
  /** The participant put us on hold, or resumed. */
  onHold(isHeld: boolean): void
  onKey(key: Digit): void
  /** The participant requested a transfer of the call. */
  onTransfer(asked: ReferRequest): void
}

/** The edge's, as far as a leg needs them. */
export interface LegParts {
  media: MediaPort
  log: Log
}

type Begin = (event: CallEvent) => Promise<void> | void

/** One participant of a call: signalling and media, which begin and end together. */
export class Leg {
  readonly call: SipCall
  readonly sound: LegId
  readonly ended: Promise<CallEndReason>
  listener: LegListener | undefined
  /** We have put the participant on hold, so no media needs to arrive. */
  isHolding = false
  readonly #media: MediaPort
  readonly #log: Log
  readonly #over: (ending: CallEndReason) => void
  #stopListening: (() => void) | undefined
  #isHeld = false
  #isAnswered = false
  /** Events of the participant are handled in their order. */
  #done: Promise<void> = Promise.resolve()

  constructor({ media, log }: LegParts, call: SipCall, sound: LegId) {
    this.#media = media
    this.#log = log
    this.call = call
    this.sound = sound
    let over!: (ending: CallEndReason) => void
    this.ended = new Promise((resolve) => (over = resolve))
    this.#over = over
  }

  get isOver(): boolean {
    return this.call.isOver
  }

  get isHeld(): boolean {
    return this.#isHeld
  }

  /** Starts listening. `begin` gets the events that come before the conversation. */
  follow(begin?: Begin): void {
    this.#stopListening = this.#media.listen((event) => {
      if (event.leg === this.sound) this.#notice(event)
    })
    this.call.listen((event) => {
      this.#done = this.#done.then(() => this.#handle(event, begin)).catch((err: unknown) => this.#fail(err))
    })
  }

  hangUp(): void {
    this.call.hangUp()
  }

  /** Leaves the call and its media to others, who listen to both from now on. */
  release(): void {
    this.#stopListening?.()
  }

  /** Without this event the two sides disagree about the call, so it cannot continue. */
  #fail(err: unknown): void {
    // Expected of an event that arrives after the media was closed.
    if (this.isOver && err instanceof MediaFailed) return
    this.#log.error({ err, callId: this.call.id }, 'a leg was hung up because an event of it failed')
    this.hangUp()
  }

  #notice(event: MediaEvent): void {
    // A browser had half a minute to renew its ICE consent.
    if (event.on === 'leg.lost') this.hangUp()
    if (event.on === 'leg.quiet') this.#probe().catch((err: unknown) => this.#fail(err))
  }

  /** No media has arrived for a while. A participant who does not respond to a re-INVITE is gone: the call ends. */
  async #probe(): Promise<void> {
    if (!this.#isAnswered || this.#isHeld || this.isHolding || this.isOver) return
    const offer = await this.#media.hold(this.sound, 'sendrecv')
    const outcome = await this.call.reinvite(sdpBody(offer), TELEPHONY_LIMITS.probeMs)
    if (this.isOver || !outcome.ok || !outcome.body) return
    await this.#media.setRemote(this.sound, { type: 'answer', sdp: bodyText(outcome.body) })
  }

  async #handle(event: CallEvent, begin?: Begin): Promise<void> {
    switch (event.type) {
      case 'offer':
        return this.#change(event.offer)
      case 'info':
        return this.#press(digitInInfo(event.body))
      case 'transfer':
        // The customer, or a phone without a conversation, has nobody to transfer.
        return this.listener ? this.listener.onTransfer(event.transfer) : event.transfer.refuse(603)
      case 'ended':
        return this.#end(event, begin)
      case 'offerAnswered':
        return this.#complete(event.body)
      default:
        this.#isAnswered ||= event.type === 'answered' || event.type === 'connected'
        return begin?.(event)
    }
  }

  /** Resolves `ended` even if the clean-up fails, because others wait for it. */
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
    if (!offer.body) return offer.accept(sdpBody(await this.#media.reoffer(this.sound)))
    const set = await this.#media.setRemote(this.sound, { type: 'offer', sdp: bodyText(offer.body) })
    if (!set.ok) return offer.refuse(488)
    offer.accept(sdpBody(set.sdp!))
    this.#changed(set.direction)
  }

  async #complete(answer: Body | undefined): Promise<void> {
    if (!answer) return this.hangUp()
    const set = await this.#media.setRemote(this.sound, { type: 'answer', sdp: bodyText(answer) })
    if (set.ok) this.#changed(set.direction)
    else this.hangUp()
  }

  #changed(direction: Direction): void {
    const isHeld = direction === 'recvonly' || direction === 'inactive'
    if (isHeld === this.#isHeld) return
    this.#isHeld = isHeld
    this.listener?.onHold(isHeld)
  }

  /** A DTMF digit that was sent by SIP INFO. */
  async #press(key: Digit | undefined): Promise<void> {
    if (key === undefined) return
    await this.#media.pressed(this.sound, key)
    this.listener?.onKey(key)
  }
}

/**
 * Opens the media of an inbound call and answers its SDP offer, unless there is nothing in common, or no encryption where
 * the caller's phone or trunk must have it.
 */
export async function openLeg(
  parts: LegParts,
  call: IncomingCall,
  owner?: Pick<DeviceOwner, 'encryption'>,
  options?: MediaOptions,
): Promise<Opened<Leg>> {
  const opened = await openMedia(parts.media, call, owner, options)
  return opened.ok ? { ...opened, leg: new Leg(parts, call, opened.leg) } : opened
}

type Opened<T> = { ok: true; leg: T; answer: Body } | { ok: false; refusal: CallRefusal }

/** Of a phone that calls somebody with G.711. */
type MediaOptions = Pick<LegStart, 'isNarrowband'>

/** The media alone, for a call that is not handled here. */
export async function openMedia(
  media: MediaPort,
  call: IncomingCall,
  owner?: Pick<DeviceOwner, 'encryption'>,
  options?: MediaOptions,
): Promise<Opened<LegId>> {
  const isRequired = owner?.encryption === 'required'
  const encryption = isRequired ? 'required' : call.isSecure ? 'if_offered' : 'if_demanded'
  const opus = call.peer.kind === 'device'
  const created = call.body
    ? await media.createLeg({ offer: bodyText(call.body), encryption, opus, ...options })
    : await media.createLeg({
        transport: isRequired ? 'sdes' : 'rtp',
        encryption,
        opus,
        ...options,
        family: call.family,
      })
  if (!created.ok)
    return { ok: false, refusal: { status: 488, why: `the SDP offer does not fit: ${created.why}` } }
  return { ok: true, leg: created.leg, answer: sdpBody(created.sdp) }
}

/** For a caller who sent no SDP offer: their answer to ours comes with the ACK. */
export async function applyDelayedAnswer(media: MediaPort, leg: Leg, event: CallEvent): Promise<void> {
  if (event.type !== 'connected' || !event.body) return
  const set = await media.setRemote(leg.sound, { type: 'answer', sdp: bodyText(event.body) })
  if (!set.ok) leg.hangUp()
}

/** False if the SDP answer does not fit our offer, as without keys for media that must be encrypted. */
export async function applyAnswer(
  { media, log }: LegParts,
  leg: Leg,
  body: Body | undefined,
): Promise<boolean> {
  if (!body) return false
  try {
    const set = await media.setRemote(leg.sound, { type: 'answer', sdp: bodyText(body) })
    if (!set.ok) log.warn({ why: set.why, sipCallId: leg.call.id }, 'the SDP answer to a call does not fit')
    return set.ok
  } catch (error) {
    if (error instanceof MediaFailed) return false
    throw error
  }
}
