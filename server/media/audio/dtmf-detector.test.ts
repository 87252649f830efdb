import { describe, expect, test } from 'vitest'

import { createDtmfDetector } from './dtmf-detector.ts'
import { DIGITS, type Digit, HIGH_HZ, LOW_HZ, renderDigit } from './dtmf.ts'
import { FRAME_SAMPLES, SAMPLE_RATE } from './frame.ts'
import { decodeG711, encodeG711 } from './g711.ts'
import { renderTone, silence, TONES } from './tones.ts'

describe('in-band DTMF', () => {
  test('every digit is detected once for each press, in A-law and mu-law', () => {
    for (const law of ['pcma', 'pcmu'] as const) {
      const presses = [...DIGITS.split(''), '1', '1', '#', '#'] as Digit[]
      const sound = join(presses.map(renderDigit))
      expect(detect(decodeG711(law, encodeG711(law, sound)))).toBe(presses.join(''))
    }
  })

  test.each([0, 40, 77, 101])('a tone of 40 ms is detected, %i samples into a block', (offset) => {
    const press = renderTone({ steps: [{ hz: [852, 1336], ms: 44 }], loops: false })
    expect(detect(join([new Int16Array(offset), press, silence(60)]))).toBe('8')
  })

  test('a digit is detected under noise', () => {
    const random = lcg(7)
    const noisy = join([silence(200), renderDigit('5'), silence(200)]).map(
      (sample) => sample + (random() - 0.5) * 3_000,
    )
    expect(detect(noisy)).toBe('5')
  })

  test('other audio has no digits: tones, half a digit, excessive twist, sweeps and voices', () => {
    const sounds = [
      ...Object.values(TONES).map((tone) => renderTone(tone)),
      ...[...LOW_HZ, ...HIGH_HZ].map((hz) => renderTone({ steps: [{ hz: [hz], ms: 500 }], loops: false })),
      sines(500, [
        [697, 9_000],
        [1209, 1_500],
      ]),
      Int16Array.from({ length: 4 * SAMPLE_RATE }, (_, i) => 9_000 * Math.sin(i * i * 1e-5)),
      ...[95, 120, 174, 210].map((pitch) => voice(pitch)),
    ]
    expect(sounds.map(detect)).toEqual(sounds.map(() => ''))
  })
})

function detect(sound: Int16Array): string {
  const detector = createDtmfDetector()
  let found = ''
  for (let at = 0; at < sound.length; at += FRAME_SAMPLES) {
    found += detector.push(sound.subarray(at, at + FRAME_SAMPLES)).join('')
  }
  return found
}

function join(parts: Int16Array[]): Int16Array {
  return Int16Array.from(parts.flatMap((part) => [...part]))
}

function sines(ms: number, parts: [hz: number, level: number][]): Int16Array {
  return Int16Array.from({ length: ms * 8 }, (_, i) =>
    parts.reduce((sum, [hz, level]) => sum + level * Math.sin((2 * Math.PI * hz * i) / SAMPLE_RATE), 0),
  )
}

/** A vowel-like sound: harmonics of a gliding pitch under two formants. */
function voice(pitch: number): Int16Array {
  let phase = 0
  return Int16Array.from({ length: 2 * SAMPLE_RATE }, (_, i) => {
    const hz = pitch * (1 + 0.2 * Math.sin(i / 3_000))
    phase += (2 * Math.PI * hz) / SAMPLE_RATE
    let sum = 0
    for (let harmonic = 1; harmonic * hz < 3_400; harmonic++) {
      const formants = [700, 1_250].map((center) => Math.exp(-(((harmonic * hz - center) / 150) ** 2)))
      sum += (0.05 + Math.max(...formants)) * Math.sin(harmonic * phase)
    }
    return 4_000 * sum
  })
}

function lcg(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}
