import type { SessionDescription } from '../sdp/description.ts'
import type { Direction } from '../sdp/direction.ts'
import {
  acceptAnswer,
  answerOffer,
  type LocalAudio,
  makeOffer,
  type NegotiatedAudio,
} from '../sdp/negotiate.ts'
import { parseSdp } from '../sdp/parse.ts'
import { printSdp } from '../sdp/print.ts'
import { refuseSdp, type SdpResult } from '../sdp/refusal.ts'
import type { Transport } from '../sdp/remote-audio.ts'

export type OwnAudio = Omit<LocalAudio, 'session' | 'direction'>

/**
 * The SDP offers and answers of one leg, from first to last. `own` is evaluated every time: a browser that restarts ICE
 * gets new credentials.
 */
export function createSdpNegotiation(sessionId: string, transport: Transport, own: () => OwnAudio) {
  let version = 0
  let direction: Direction = 'sendrecv'
  let current: { description: SessionDescription; session: NegotiatedAudio } | undefined
  let pending: { description: SessionDescription; direction: Direction } | undefined

  function local(wanted: Direction): LocalAudio {
    version++
    const { codecs, ...rest } = own()
    // The agreed codec stays, as long as the other side still supports it.
    const agreed = current ? [current.session.send.codec] : []
    return {
      ...rest,
      codecs: [...new Set([...agreed, ...codecs])],
      session: { id: sessionId, version },
      direction: wanted,
    }
  }

  return {
    answer(offer: SessionDescription): SdpResult<{ sdp: string; session: NegotiatedAudio }> {
      const answered = answerOffer(offer, local(direction))
      if (!answered.ok) return answered
      const { answer: description, session } = answered
      current = { description, session }
      pending = undefined
      return { ok: true, sdp: printSdp(description), session }
    },
    /** An offer takes effect only once it is answered. */
    offer(wanted: Direction = direction): string {
      const description = makeOffer(local(wanted), current?.session.transport ?? transport, current)
      pending = { description, direction: wanted }
      return printSdp(description)
    },
    /** To somebody else, as if nothing had been agreed yet. */
    offerAnew(other: Transport): string {
      current = pending = undefined
      transport = other
      return this.offer()
    },
    accept(answer: string): SdpResult<{ session: NegotiatedAudio }> {
      const parsed = parseSdp(answer)
      if (!parsed.ok) return parsed
      // Without a pending offer of ours, this is another answer to the last one: early or final.
      const offered = pending?.description ?? current?.description
      if (!offered) return refuseSdp('malformed')
      const accepted = acceptAnswer(offered, parsed.description)
      if (!accepted.ok) return accepted
      current = { description: offered, session: accepted.session }
      direction = pending?.direction ?? direction
      pending = undefined
      return accepted
    },
  }
}
