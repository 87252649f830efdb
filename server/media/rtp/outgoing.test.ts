import { describe, expect, test } from 'vitest'

import { createOutgoingStream } from './outgoing.ts'

const START = { ssrc: 1, sequence: 100, timestamp: 5_000 }

describe('the stream that a leg sends', () => {
  test('continues without gaps or duplicates when its source changes', () => {
    const stream = createOutgoingStream(START)
    const [prompt, caller] = [{}, {}]
    const placed = [
      stream.place(prompt, { sequence: 0, timestamp: 0 }, 0),
      stream.place(prompt, { sequence: 1, timestamp: 160 }, 20),
      stream.place(caller, { sequence: 65_535, timestamp: 4_294_967_200 }, 40),
      stream.place(caller, { sequence: 0, timestamp: 64 }, 60),
      // Half a second of silence in between.
      stream.place(prompt, { sequence: 0, timestamp: 0 }, 580),
    ]
    expect(placed).toEqual([
      { index: 100, sequence: 100, timestamp: 5_000, first: true },
      { index: 101, sequence: 101, timestamp: 5_160, first: false },
      { index: 102, sequence: 102, timestamp: 5_320, first: true },
      { index: 103, sequence: 103, timestamp: 5_480, first: false },
      { index: 104, sequence: 104, timestamp: 5_640 + 500 * 8, first: true },
    ])
  })

  test('keeps the gaps and the order of a source, for the receiver to conceal', () => {
    const stream = createOutgoingStream(START)
    const caller = {}
    const order = [10, 13, 11, 14].map(
      (sequence) => stream.place(caller, { sequence, timestamp: sequence * 160 }, 0)?.sequence,
    )
    expect(order).toEqual([100, 103, 101, 104])
  })

  test('never repeats a sequence number: drops duplicates, and packets from before a source began', () => {
    const stream = createOutgoingStream(START)
    const [first, second] = [{}, {}]
    stream.place(first, { sequence: 1, timestamp: 0 }, 0)
    stream.place(second, { sequence: 50, timestamp: 0 }, 20)
    expect(stream.place(second, { sequence: 50, timestamp: 0 }, 20)).toBeUndefined()
    expect(stream.place(second, { sequence: 49, timestamp: 0 }, 20)).toBeUndefined()
    expect(stream.place(second, { sequence: 51, timestamp: 160 }, 40)?.index).toBe(102)
  })

  test('counts every rollover of the sequence number, which SRTP depends on', () => {
    const stream = createOutgoingStream({ ...START, sequence: 65_534 })
    const source = {}
    const indexes = Array.from({ length: 4 }, (_, i) =>
      stream.place(source, { sequence: i, timestamp: i * 160 }, 0),
    )
    expect(indexes.map((place) => [place!.index, place!.sequence])).toEqual([
      [65_534, 65_534],
      [65_535, 65_535],
      [65_536, 0],
      [65_537, 1],
    ])
  })

  test('restarts when the numbers of a source jump', () => {
    const stream = createOutgoingStream(START)
    const caller = {}
    stream.place(caller, { sequence: 10, timestamp: 1_600 }, 0)
    expect(stream.place(caller, { sequence: 30_000, timestamp: 999_999 }, 20)).toEqual({
      index: 101,
      sequence: 101,
      timestamp: 5_160,
      first: true,
    })
  })
})
