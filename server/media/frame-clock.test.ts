import { describe, expect, test } from 'vitest'

import { createTestClock, type TestClock } from '../../test/harness/test-clock.ts'
import { createFrameClock } from './frame-clock.ts'

describe('the frame clock', () => {
  test('ticks fifty times a second for all listeners, with one timer', () => {
    const { clock, timers } = counted(createTestClock())
    const frames = createFrameClock(clock)
    const heard = [0, 0, 0]
    heard.forEach((_, i) => frames.each(() => heard[i]!++))
    clock.advance(10_000)
    expect(heard).toEqual([500, 500, 500])
    expect(timers.waiting).toBe(1)
  })

  test('catches up after late timers, so that no drift builds up', () => {
    const { clock } = counted(createTestClock(), 7)
    const start = clock.now().getTime()
    const due: number[] = []
    createFrameClock(clock).each((atMs) => due.push(atMs - start))
    clock.advance(10_000)
    expect(due.length).toBeGreaterThanOrEqual(499)
    expect(due.every((atMs, i) => atMs === (i + 1) * 20)).toBe(true)
  })

  test('continues at once when the system clock is set, forward or back', () => {
    for (const jump of [3_600_000, -3_600_000]) {
      const clock = createTestClock()
      let shift = 0
      const shifted = { ...clock, now: () => new Date(clock.now().getTime() + shift) }
      let ticks = 0
      createFrameClock(shifted).each(() => ticks++)
      clock.advance(1_000)
      shift = jump
      clock.advance(1_000)
      expect(ticks).toBeGreaterThan(97)
      expect(ticks).toBeLessThan(103)
    }
  })

  test('stops without listeners, and starts again', () => {
    const { clock, timers } = counted(createTestClock())
    const frames = createFrameClock(clock)
    let ticks = 0
    const stop = frames.each(() => ticks++)
    clock.advance(100)
    stop()
    expect(timers.waiting).toBe(0)
    clock.advance(5_000)
    frames.each(() => ticks++)
    clock.advance(100)
    expect(ticks).toBe(10)
  })
})

/** Counts the pending timers; each fires late by this much. */
function counted(clock: TestClock, lateMs = 0): { clock: TestClock; timers: { waiting: number } } {
  const timers = { waiting: 0 }
  return {
    timers,
    clock: {
      ...clock,
      after(ms, run) {
        timers.waiting++
        const cancel = clock.after(ms + lateMs, () => {
          timers.waiting--
          run()
        })
        return () => {
          timers.waiting--
          cancel()
        }
      },
    },
  }
}
