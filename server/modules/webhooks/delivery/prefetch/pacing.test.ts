import { expect, test } from 'vitest'

import { createTestClock } from '../../../../../test/harness/test-clock.ts'
import { createPresence } from '../../../../platform/async/presence.ts'
import { WEBHOOK_LIMITS } from '../../limits.ts'
import { createPacing } from './pacing.ts'

const { pacedPerSecond, pacedBurst, pacedAtOnce } = WEBHOOK_LIMITS
const PRESENT_MS = 2_000
const MANY = 10 * pacedBurst

function fixture() {
  const clock = createTestClock()
  const pacing = createPacing(clock, createPresence(PRESENT_MS))
  /** What a company with enough to deliver reads in this time, every 10 ms. */
  const readFor = (companyId: string, ms: number, others: () => void = () => {}) => {
    let read = 0
    for (let passed = 0; passed < ms; passed += 10) {
      others()
      const room = Math.min(MANY, pacing.room(companyId))
      if (room > 0) pacing.use(companyId, room)
      read += room
      clock.advance(10)
    }
    return read
  }
  return { clock, pacing, readFor }
}

test('a company that is alone is not paced, however much it delivers', () => {
  const { readFor } = fixture()
  expect(readFor('noisy', 1_000)).toBe(100 * MANY)
})

test('while another company has deliveries, a busy one gets so many a second, a few at a time', () => {
  const { pacing, readFor } = fixture()
  readFor('noisy', 100)
  const others = () => pacing.use('neighbour', 1)
  others()
  expect(pacing.room('noisy')).toBe(0)
  const read = readFor('noisy', 10_000, others)
  expect(read).toBeGreaterThan(10 * pacedPerSecond - pacedAtOnce)
  expect(read).toBeLessThanOrEqual(10 * pacedPerSecond)
})

test('the other company is not paced, and has a burst', () => {
  const { pacing, readFor } = fixture()
  readFor('noisy', 100)
  for (let i = 0; i < pacedBurst - pacedAtOnce; i++) {
    expect(pacing.room('neighbour')).toBeGreaterThan(0)
    pacing.use('neighbour', 1)
  }
})

test('two that both deliver much do not pace each other', () => {
  const { pacing, readFor } = fixture()
  const both = () => pacing.use('also noisy', MANY)
  readFor('noisy', PRESENT_MS + 10, both)
  const read = readFor('noisy', 1_000, both)
  expect(read).toBeGreaterThan(90 * MANY)
})

test('it is no longer paced once the others have gone', () => {
  const { clock, pacing, readFor } = fixture()
  readFor('noisy', 100)
  pacing.use('neighbour', 1)
  expect(pacing.room('noisy')).toBe(0)
  clock.advance(PRESENT_MS + 1)
  expect(pacing.room('noisy')).toBe(Infinity)
})
