import { describe, expect, test } from 'vitest'

import { decodeG711, encodeG711, LAWS, SILENT_CODE, transcodeG711 } from './g711.ts'

const ALL_CODES = Uint8Array.from({ length: 256 }, (_, code) => code)

describe('G.711', () => {
  // The ends of the segments as in ITU-T G.711 tables 1a to 2b, in 16 bits.
  test.each([
    ['pcma', 0xd5, 8],
    ['pcma', 0x55, -8],
    ['pcma', 0xaa, 32_256],
    ['pcma', 0x2a, -32_256],
    ['pcma', 0x80, 5_504],
    ['pcmu', 0xff, 0],
    ['pcmu', 0x80, 32_124],
    ['pcmu', 0x00, -32_124],
    ['pcmu', 0xf0, 120],
    ['pcmu', 0x70, -120],
  ] as const)('%s decodes %i to %i', (law, code, sample) => {
    expect(decodeG711(law, Uint8Array.of(code))).toEqual(Int16Array.of(sample))
  })

  test.each(LAWS)('%s encodes a decoded sample to the same code', (law) => {
    // Mu-law has a second zero, which is encoded as the first.
    const same = ALL_CODES.map((code) => (law === 'pcmu' && code === 0x7f ? 0xff : code))
    expect(encodeG711(law, decodeG711(law, ALL_CODES))).toEqual(same)
  })

  test.each(LAWS)('%s keeps every sample within a twentieth of its size', (law) => {
    const samples = Int16Array.from({ length: 65_536 }, (_, i) => i - 32_768)
    const heard = decodeG711(law, encodeG711(law, samples))
    let worst = 0
    samples.forEach((sample, i) => {
      worst = Math.max(worst, Math.abs(heard[i]! - sample) / Math.max(320, Math.abs(sample)))
    })
    expect(worst).toBeLessThan(0.05)
  })

  test('conversion between the laws keeps the level, and silence stays silent', () => {
    for (const [from, to] of [
      ['pcma', 'pcmu'],
      ['pcmu', 'pcma'],
    ] as const) {
      const codes = ALL_CODES.slice()
      transcodeG711(from, codes)
      const before = decodeG711(from, ALL_CODES)
      decodeG711(to, codes).forEach((sample, i) => {
        expect(Math.abs(sample - before[i]!)).toBeLessThanOrEqual(Math.max(16, Math.abs(before[i]!) * 0.04))
      })
      const silent = Uint8Array.of(SILENT_CODE[from])
      transcodeG711(from, silent)
      expect(Math.abs(decodeG711(to, silent)[0]!)).toBeLessThanOrEqual(8)
    }
  })
})
