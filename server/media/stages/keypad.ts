import { type Digit, renderDigit } from '../audio/dtmf.ts'
import { newRun, type Run } from '../rtp/run.ts'
import { type EventPacket, pressDigit } from '../rtp/telephone-event.ts'
import type { AudioSession } from '../sdp/negotiate.ts'
import { createPlayer, encodedSound } from './player.ts'

/** Sends DTMF digits in order: as telephone events if the other side supports them, else as tones. */
export interface Keypad {
  add(digits: Digit[]): void
  readonly busy: boolean
  /** The next 20 ms, and their run; undefined when no digit is left. */
  next(send: AudioSession['send']): { stroke: Stroke; run: Run } | undefined
}

export type Stroke =
  | { kind: 'event'; payloadType: number; packet: EventPacket }
  | { kind: 'sound'; codes: Uint8Array }
  | { kind: 'pause' }

const WAITING_MAX = 64

export function createKeypad(): Keypad {
  let waiting: Digit[] = []
  let press: { strokes: Iterator<Stroke, void>; run: Run } | undefined
  return {
    get busy() {
      return press !== undefined
    },
    add(digits) {
      waiting = [...waiting, ...digits].slice(0, WAITING_MAX)
    },
    next(send) {
      for (;;) {
        const step = press?.strokes.next()
        if (press && step && !step.done) return { stroke: step.value, run: press.run }
        const digit = waiting.shift()
        press = digit === undefined ? undefined : { strokes: strokesOf(digit, send), run: newRun() }
        if (!press) return undefined
      }
    },
  }
}

function* strokesOf(digit: Digit, { law, events }: AudioSession['send']): Generator<Stroke, void> {
  if (events === undefined) {
    const tone = createPlayer(encodedSound(renderDigit(digit)), false)
    for (let codes = tone.next(law); codes; codes = tone.next(law)) yield { kind: 'sound', codes }
    return
  }
  for (const packet of pressDigit(digit)) {
    yield packet ? { kind: 'event', payloadType: events, packet } : { kind: 'pause' }
  }
}
