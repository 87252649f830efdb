import { describe, expect, test } from 'vitest'

import { SAMPLE_RATE } from './frame.ts'
import { meanPower, powerAt } from './goertzel.ts'
import { renderTone, TONES } from './tones.ts'

describe('tones', () => {
  test('ringback sounds for one second of five, at 425 Hz', () => {
    const once = renderTone(TONES.ringback)
    expect(once.length).toBe(5 * SAMPLE_RATE)
    const [on, off] = [once.subarray(0, SAMPLE_RATE), once.subarray(SAMPLE_RATE)]
    expect(powerAt(425, on, SAMPLE_RATE) / meanPower(on)).toBeGreaterThan(0.95)
    expect(meanPower(off)).toBe(0)
  })

  test('a tone of two sines has both at the same level, and does not clip', () => {
    const sound = renderTone(TONES.busyNorthAmerica).subarray(0, SAMPLE_RATE / 2)
    for (const hz of [480, 620]) {
      expect(powerAt(hz, sound, SAMPLE_RATE) / meanPower(sound)).toBeGreaterThan(0.45)
    }
    expect(Math.max(...sound.map(Math.abs))).toBeLessThan(20_000)
  })

  test('starts and ends without a click', () => {
    const beep = renderTone(TONES.beep)
    let step = 0
    for (let i = 1; i < 16; i++) step = Math.max(step, Math.abs(beep[i]! - beep[i - 1]!))
    expect(step).toBeLessThan(4_500)
    expect(Math.abs(beep.at(-1)!)).toBeLessThan(300)
  })
})

describe('goertzel', () => {
  test('returns the power of a sine, and almost none at other frequencies', () => {
    const sine = Float32Array.from({ length: 800 }, (_, i) => Math.sin((2 * Math.PI * 440 * i) / SAMPLE_RATE))
    expect(powerAt(440, sine, SAMPLE_RATE)).toBeCloseTo(0.5, 2)
    expect(powerAt(880, sine, SAMPLE_RATE)).toBeLessThan(0.001)
  })
})
