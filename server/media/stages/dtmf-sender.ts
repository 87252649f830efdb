import { type Digit, renderDigit } from '../audio/dtmf.ts'
import { newPacketSequence, type PacketSequence } from '../rtp/packet-sequence.ts'
import { digitPackets, type EventPacket } from '../rtp/telephone-event.ts'
import type { NegotiatedAudio } from '../sdp/negotiate.ts'
import { createPlayer, encodedSound } from './player.ts'

export type DtmfFrame =
  | { kind: 'event'; payloadType: number; packet: EventPacket }
  | { kind: 'sound'; samples: Int16Array }
  | { kind: 'pause' }

const WAITING_MAX = 64

/** Sends DTMF digits in order: as telephone events if the other side supports them, else as tones. */
export function createDtmfSender() {
  let waiting: Digit[] = []
  let press: { strokes: Iterator<DtmfFrame, void>; run: PacketSequence } | undefined
  return {
    isBusy: (): boolean => press !== undefined,
    hasDigits: (): boolean => press !== undefined || waiting.length > 0,
    add(digits: Digit[]): void {
      waiting = [...waiting, ...digits].slice(0, WAITING_MAX)
    },
    /** The next 20 ms, and their run; undefined when no digit is left. */
    next(send: NegotiatedAudio['send']): { stroke: DtmfFrame; run: PacketSequence } | undefined {
      for (;;) {
        const step = press?.strokes.next()
        if (press && step && !step.done) return { stroke: step.value, run: press.run }
        const digit = waiting.shift()
        press =
          digit === undefined ? undefined : { strokes: strokesOf(digit, send), run: newPacketSequence() }
        if (!press) return undefined
      }
    },
  }
}

function* strokesOf(digit: Digit, { events }: NegotiatedAudio['send']): Generator<DtmfFrame, void> {
  if (events === undefined) {
    const tone = createPlayer(encodedSound(renderDigit(digit)), false)
    for (let samples = tone.nextSamples(); samples; samples = tone.nextSamples())
      yield { kind: 'sound', samples }
    return
  }
  for (const packet of digitPackets(digit, events.clockRate)) {
    yield packet ? { kind: 'event', payloadType: events.payloadType, packet } : { kind: 'pause' }
  }
}
