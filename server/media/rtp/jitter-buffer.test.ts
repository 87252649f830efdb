import { describe, expect, test } from 'vitest'

import { FRAME_SAMPLES, SAMPLE_RATE } from '../audio/frame.ts'
import { meanPower, powerAt } from '../audio/goertzel.ts'
import { createJitterBuffer, type JitterBuffer } from './jitter-buffer.ts'

/** Timestamps begin shortly before the turn of the 32 bits, so every test crosses it. */
const START = 2 ** 32 - 1_000

describe('the jitter buffer', () => {
  test('gives back what came, sample for sample, whatever the length of the packets', () => {
    for (const length of [80, 160, 240, 480, 100]) {
      const buffer = createJitterBuffer()
      const heard = play(buffer, { seconds: 2, length })
      expect(skipSilence(heard).subarray(0, 8_000)).toEqual(tone(0, 8_000))
      expect(buffer.concealedSamples).toBeLessThan(600)
    }
  })

  test('puts packets in order, and takes each once', () => {
    const buffer = createJitterBuffer()
    const order = [0, 2, 1, 1, 4, 3, 5, 5]
    for (const i of order) buffer.push((START + i * 160) >>> 0, tone(i * 160, 160))
    const heard = pull(buffer, 10)
    expect(skipSilence(heard).subarray(0, 6 * 160)).toEqual(tone(0, 6 * 160))
  })

  test('grows when packets come late, loses none of them, and takes the delay back in time', () => {
    const buffer = createJitterBuffer()
    const late = play(buffer, { seconds: 4, length: 160, lateMs: (i) => (i % 8 === 3 ? 70 : 0) })
    expect(share(late.subarray(-8_000))).toBeGreaterThan(0.999)
    const grown = buffer.concealedSamples
    play(buffer, { seconds: 20, length: 160, from: 4 * SAMPLE_RATE })
    expect(buffer.concealedSamples).toBe(grown)
    // 20 ms are taken back every few seconds, until about 60 are left.
    let waiting = 0
    while (meanPower(buffer.pull()) > 1e5) waiting++
    expect(waiting).toBeLessThanOrEqual(7)
  })

  test('hides the loss of one packet in twenty: the tone goes on', () => {
    const buffer = createJitterBuffer()
    const heard = play(buffer, { seconds: 4, length: 160, lost: (i) => i % 20 === 7 })
    const middle = heard.subarray(4_000, 28_000)
    expect(share(middle)).toBeGreaterThan(0.97)
    for (let at = 0; at + FRAME_SAMPLES <= middle.length; at += FRAME_SAMPLES) {
      expect(meanPower(middle.subarray(at, at + FRAME_SAMPLES))).toBeGreaterThan(1e6)
    }
  })

  test('falls silent soon when nothing comes any more, and hears what comes later', () => {
    const buffer = createJitterBuffer()
    play(buffer, { seconds: 1, length: 160 })
    const after = pull(buffer, 20)
    expect(meanPower(after.subarray(-1_600))).toBe(0)
    // A device that stops its timestamps while it is silent.
    const again = play(buffer, { seconds: 1, length: 160, from: SAMPLE_RATE })
    expect(share(again.subarray(-4_000))).toBeGreaterThan(0.999)
  })

  test('starts over when the timestamps jump', () => {
    const buffer = createJitterBuffer()
    play(buffer, { seconds: 1, length: 160 })
    const heard = play(buffer, { seconds: 1, length: 160, from: 123_456_789 })
    expect(share(heard.subarray(-4_000))).toBeGreaterThan(0.999)
  })

  test('keeps no more than a second of a flood, and hears what comes after it', () => {
    const buffer = createJitterBuffer()
    for (let i = 0; i < 50_000; i++) buffer.push((START + i * 160) >>> 0, tone(0, 160))
    let waiting = 0
    while (meanPower(buffer.pull()) > 1e5) waiting++
    expect(waiting).toBeLessThan(60)
    const heard = play(buffer, { seconds: 1, length: 160, from: 9_000_000 })
    expect(share(heard.subarray(-4_000))).toBeGreaterThan(0.999)
  })

  test('follows a clock that runs a thousandth faster or slower, without growing', () => {
    for (const pace of [0.999, 1.001]) {
      const buffer = createJitterBuffer()
      const heard = play(buffer, { seconds: 60, length: 160, pace })
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
  pace?: number
  lateMs?: (packet: number) => number
  lost?: (packet: number) => boolean
}

/** Sends a tone in packets, each when it is due, and pulls a frame every 20 ms. */
function play(
  buffer: JitterBuffer,
  { seconds, length, from = 0, pace = 1, lateMs = () => 0, lost = () => false }: Sent,
): Int16Array {
  const packets = Array.from({ length: Math.floor((seconds * SAMPLE_RATE) / length) }, (_, i) => ({
    atMs: ((i * length) / 8) * pace + lateMs(i),
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
