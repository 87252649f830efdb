import { describe, expect, test } from 'vitest'

import { FRAME_SAMPLES, SAMPLE_RATE } from '../audio/frame.ts'
import { meanPower, powerAt } from '../audio/goertzel.ts'
import { createJitterBuffer, type JitterBuffer } from './jitter-buffer.ts'

/** Timestamps begin shortly before they wrap, so every test covers it. */
const START = 2 ** 32 - 1_000

describe('the jitter buffer', () => {
  test('returns every received sample, whatever the packet length', () => {
    for (const length of [80, 160, 240, 480, 100]) {
      const buffer = createJitterBuffer()
      const heard = play(buffer, { seconds: 2, length })
      expect(skipSilence(heard).subarray(0, 8_000)).toEqual(tone(0, 8_000))
      expect(buffer.concealedSamples).toBeLessThan(600)
    }
  })

  test('reorders packets, and drops duplicates', () => {
    const buffer = createJitterBuffer()
    const order = [0, 2, 1, 1, 4, 3, 5, 5]
    for (const i of order) buffer.push((START + i * 160) >>> 0, tone(i * 160, 160))
    const heard = pull(buffer, 10)
    expect(skipSilence(heard).subarray(0, 6 * 160)).toEqual(tone(0, 6 * 160))
  })

  test('grows when packets are late, loses none of them, and reduces the delay later', () => {
    const buffer = createJitterBuffer()
    const late = play(buffer, { seconds: 4, length: 160, lateMs: (i) => (i % 8 === 3 ? 70 : 0) })
    expect(share(late.subarray(-8_000))).toBeGreaterThan(0.999)
    const grown = buffer.concealedSamples
    play(buffer, { seconds: 20, length: 160, from: 4 * SAMPLE_RATE })
    expect(buffer.concealedSamples).toBe(grown)
    // The delay shrinks by 20 ms every few seconds, until about 60 ms are left.
    let waiting = 0
    while (meanPower(buffer.pull()) > 1e5) waiting++
    expect(waiting).toBeLessThanOrEqual(7)
  })

  test('conceals the loss of one packet in twenty', () => {
    const buffer = createJitterBuffer()
    const heard = play(buffer, { seconds: 4, length: 160, lost: (i) => i % 20 === 7 })
    const middle = heard.subarray(4_000, 28_000)
    expect(share(middle)).toBeGreaterThan(0.97)
    for (let at = 0; at + FRAME_SAMPLES <= middle.length; at += FRAME_SAMPLES) {
      expect(meanPower(middle.subarray(at, at + FRAME_SAMPLES))).toBeGreaterThan(1e6)
    }
  })

  test('becomes silent soon after the last packet, and plays later ones', () => {
    const buffer = createJitterBuffer()
    play(buffer, { seconds: 1, length: 160 })
    const after = pull(buffer, 20)
    expect(meanPower(after.subarray(-1_600))).toBe(0)
    // Like a device that stops its timestamps during silence.
    const again = play(buffer, { seconds: 1, length: 160, from: SAMPLE_RATE })
    expect(share(again.subarray(-4_000))).toBeGreaterThan(0.999)
  })

  test('restarts when the timestamps jump', () => {
    const buffer = createJitterBuffer()
    play(buffer, { seconds: 1, length: 160 })
    const heard = play(buffer, { seconds: 1, length: 160, from: 123_456_789 })
    expect(share(heard.subarray(-4_000))).toBeGreaterThan(0.999)
  })

  test('buffers at most a second of a flood, and plays what follows', () => {
    const buffer = createJitterBuffer()
    for (let i = 0; i < 50_000; i++) buffer.push((START + i * 160) >>> 0, tone(0, 160))
    let waiting = 0
    while (meanPower(buffer.pull()) > 1e5) waiting++
    expect(waiting).toBeLessThan(60)
    const heard = play(buffer, { seconds: 1, length: 160, from: 9_000_000 })
    expect(share(heard.subarray(-4_000))).toBeGreaterThan(0.999)
  })

  test('adapts to a clock that runs 0.1% faster or slower, without growing', () => {
    for (const skew of [0.999, 1.001]) {
      const buffer = createJitterBuffer()
      const heard = play(buffer, { seconds: 60, length: 160, skew })
      expect(share(heard.subarray(-SAMPLE_RATE * 4))).toBeGreaterThan(0.9)
      let waiting = 0
      while (meanPower(buffer.pull()) > 1e5) waiting++
      expect(waiting).toBeLessThan(12)
    }
  })
})

interface Sent {
  seconds: number
  length: number
  from?: number
  skew?: number
  lateMs?: (packet: number) => number
  lost?: (packet: number) => boolean
}

/** Sends a tone in packets, each on time, and pulls a frame every 20 ms. */
function play(
  buffer: JitterBuffer,
  { seconds, length, from = 0, skew = 1, lateMs = () => 0, lost = () => false }: Sent,
): Int16Array {
  const packets = Array.from({ length: Math.floor((seconds * SAMPLE_RATE) / length) }, (_, i) => ({
    atMs: ((i * length) / 8) * skew + lateMs(i),
    start: from + i * length,
    lost: lost(i),
  })).toSorted((a, b) => a.atMs - b.atMs)
  const frames: Int16Array[] = []
  for (let now = 5; now < seconds * 1_000; now += 20) {
    while (packets[0] && packets[0].atMs <= now) {
      const { start, lost } = packets.shift()!
      if (!lost) buffer.push((START + start) >>> 0, tone(start, length))
    }
    frames.push(buffer.pull())
  }
  return joined(frames)
}

function pull(buffer: JitterBuffer, frames: number): Int16Array {
  return joined(Array.from({ length: frames }, () => buffer.pull()))
}

function joined(frames: Int16Array[]): Int16Array {
  const samples = new Int16Array(frames.length * FRAME_SAMPLES)
  frames.forEach((frame, i) => samples.set(frame, i * FRAME_SAMPLES))
  return samples
}

function tone(from: number, length: number): Int16Array {
  return Int16Array.from({ length }, (_, i) =>
    Math.round(6_000 * Math.cos((2 * Math.PI * 400 * (from + i)) / SAMPLE_RATE)),
  )
}

const share = (samples: Int16Array) => powerAt(400, samples, SAMPLE_RATE) / meanPower(samples)

function skipSilence(samples: Int16Array): Int16Array {
  return samples.subarray(samples.findIndex((sample) => sample === 6_000))
}
