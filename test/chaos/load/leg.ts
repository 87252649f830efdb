import type { Body, CallEndReason, SipCall } from '../../../server/sip/index.ts'
import type { SoundSource } from './sound.ts'

/** One participant of a call: its signalling as on a phone, and audio as soon as there is a remote party. */
export interface Leg {
  party: SoundSource
  /** Of the customer in the call, if known. */
  number: string
  /** The address of its edge. */
  edge(): string | undefined
  isOver(): boolean
  ending(): CallEndReason | undefined
  /** Resolves when it sends audio, or never. */
  up: Promise<void>
  ended: Promise<void>
  hangUp(): void
}

/** `offer` is defined if we are called. */
export function takePart(call: SipCall, party: SoundSource, number: string, offer?: Body): Leg {
  let edge: string | undefined
  let ending: CallEndReason | undefined
  let goUp: () => void
  let end: () => void
  const up = new Promise<void>((resolve) => (goUp = resolve))
  const ended = new Promise<void>((resolve) => (end = resolve))
  const talk = (body: Body | undefined) => {
    if (!body) return
    edge = party.talkTo(body)
    goUp()
  }
  call.listen((event) => {
    switch (event.type) {
      case 'answered':
        return talk(event.body)
      case 'connected':
        return talk(event.body ?? offer)
      case 'offer':
        if (event.offer.body) edge = party.talkTo(event.offer.body)
        return event.offer.accept(party.sdp())
      case 'ended':
        ending = event.ending
        party.close()
        return end()
    }
  })
  return {
    party,
    number,
    edge: () => edge,
    isOver: () => ending !== undefined,
    ending: () => ending,
    up,
    ended,
    hangUp: () => call.hangUp(),
  }
}
