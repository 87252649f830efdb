import { setImmediate } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { createTestClock } from '../../../test/harness/test-clock.ts'
import { createAdmission } from './admission.ts'

const LIMITS = {
  utilisationMax: 0.7,
  floodShareMax: 1,
  measureMs: 100,
  overloadMs: 1_000,
  startsMs: 10_000,
  startsSpared: 5,
  floodFactor: 4,
  presentMs: 10_000,
  pauseMs: 10,
  pauseMsMax: 100,
  waitMs: 4_000,
  waitingMax: 50,
}

/** An edge that is as busy as `state.utilisation` says. */
function fixture({ utilisation = 0, live = [] as string[], limits = LIMITS } = {}) {
  const clock = createTestClock()
  const state = { utilisation, live, measured: 0 }
  const admission = createAdmission({
    clock,
    limits,
    utilisation() {
      state.measured++
      return state.utilisation
    },
    liveCompanies: () => state.live,
  })
  /** What has become of the calls that had to wait, in order. */
  const decided: string[] = []
  function call(company: string) {
    const leg = { isOver: false }
    const held = admission.enter(company, leg)
    held?.then((mayBegin) => decided.push(`${company} ${mayBegin ? 'begins' : 'is refused'}`))
    return { hangUp: () => (leg.isOver = true), isHeld: held !== undefined }
  }
  const flood = (company: string, count: number) => Array.from({ length: count }, () => call(company))
  async function advance(ms: number): Promise<void> {
    clock.advance(ms)
    await setImmediate()
  }
  return { state, call, flood, advance, decided, close: admission.close }
}

const held = (calls: { isHeld: boolean }[]) => calls.filter(({ isHeld }) => isHeld).length

/** Enough that a company floods the edge. */
const MANY = 20

/** One company has begun many calls, another has a live one, and the edge has just become too busy. */
async function overloadedFixture() {
  const parts = fixture({ live: ['quiet'] })
  parts.flood('noisy', MANY)
  parts.state.utilisation = 1
  await parts.advance(LIMITS.measureMs)
  return parts
}

test('a company that is alone begins every call at once, however busy the edge is', async () => {
  const { flood, advance } = fixture({ utilisation: 1 })
  for (let i = 0; i < 10; i++) {
    expect(held(flood('noisy', MANY))).toBe(0)
    await advance(LIMITS.measureMs)
  }
})

test('an edge that is not overloaded begins every call at once, and measures seldom', async () => {
  const { state, call, flood, advance } = fixture({ utilisation: 0.6 })
  for (let i = 0; i < 10; i++) {
    expect(held([call('quiet'), ...flood('noisy', MANY)])).toBe(0)
    await advance(LIMITS.measureMs / 2)
  }
  expect(state.measured).toBe(5)
})

test('at an overloaded edge the calls of the company with the most wait, until there is time for one after the other', async () => {
  const { state, call, flood, advance, decided } = fixture()
  call('quiet')
  flood('noisy', MANY)
  state.utilisation = 0.9
  await advance(LIMITS.measureMs)
  expect(held(flood('noisy', 3))).toBe(3)
  expect(call('quiet').isHeld).toBe(false)
  await advance(LIMITS.measureMs * 5)
  expect(decided).toEqual([])
  state.utilisation = 0.5
  await advance(LIMITS.measureMs)
  expect(decided).toEqual(['noisy begins'])
  await advance(LIMITS.pauseMsMax * 2)
  expect(decided).toHaveLength(3)
  // The next flood is noticed only when it is too late.
  expect(call('noisy').isHeld).toBe(true)
  await advance(LIMITS.overloadMs + LIMITS.measureMs)
  expect(call('noisy').isHeld).toBe(false)
})

test('a company may use only its share of an edge that is not overloaded while another is there', async () => {
  const limits = { ...LIMITS, floodShareMax: 0.35 }
  const { state, call, flood, advance, decided } = fixture({ limits, live: ['quiet'], utilisation: 0.3 })
  flood('noisy', MANY)
  await advance(LIMITS.measureMs)
  expect(call('noisy').isHeld).toBe(false)
  state.utilisation = 0.5
  await advance(LIMITS.measureMs)
  expect(call('quiet').isHeld).toBe(false)
  expect(call('noisy').isHeld).toBe(true)
  state.utilisation = 0.3
  await advance(LIMITS.measureMs)
  expect(decided).toEqual(['noisy begins'])
})

test('the calls of others count towards an overloaded edge, and not towards the share of one company', async () => {
  const limits = { ...LIMITS, floodShareMax: 0.35 }
  const { flood, advance } = fixture({ limits, utilisation: 0.6 })
  flood('noisy', MANY)
  for (const other of ['a', 'b', 'c', 'd']) flood(other, MANY / limits.floodFactor - 1)
  await advance(LIMITS.measureMs)
  expect(held(flood('noisy', 1))).toBe(0)
})

test('a company with nothing but a live call counts as one that is there', async () => {
  const { state, call, flood, advance } = fixture({ utilisation: 1 })
  flood('noisy', MANY)
  await advance(LIMITS.measureMs)
  expect(call('noisy').isHeld).toBe(false)
  state.live = ['noisy', 'quiet']
  await advance(LIMITS.measureMs)
  expect(call('noisy').isHeld).toBe(true)
})

test('a company that was called a while ago and has no live call no longer counts', async () => {
  const { call, flood, advance } = fixture({ utilisation: 1 })
  call('quiet')
  await advance(LIMITS.presentMs - LIMITS.measureMs)
  flood('noisy', MANY)
  await advance(LIMITS.measureMs)
  expect(call('noisy').isHeld).toBe(true)
  await advance(LIMITS.measureMs)
  expect(held(flood('noisy', MANY))).toBe(0)
})

test('calls no longer wait when no other company is left', async () => {
  const { state, call, advance, decided } = await overloadedFixture()
  expect(call('noisy').isHeld).toBe(true)
  state.live = []
  await advance(LIMITS.measureMs)
  expect(decided).toEqual(['noisy begins'])
})

test('a call that has waited for too long is refused, and so is one behind too many others', async () => {
  const { call, flood, advance, decided } = await overloadedFixture()
  expect(held(flood('noisy', LIMITS.waitingMax))).toBe(LIMITS.waitingMax)
  call('noisy')
  await setImmediate()
  expect(decided).toEqual(['noisy is refused'])
  await advance(LIMITS.waitMs - LIMITS.pauseMs)
  expect(decided).toHaveLength(1)
  await advance(LIMITS.pauseMs)
  expect(decided).toHaveLength(1 + LIMITS.waitingMax)
  expect(decided).not.toContain('noisy begins')
})

test('a call that could not begin in time is refused at once', async () => {
  const { call, flood, advance, decided } = await overloadedFixture()
  // Keeps the edge measuring until it is as slow as it gets.
  const first = call('noisy')
  await advance(LIMITS.measureMs * 20)
  first.hangUp()
  await advance(LIMITS.measureMs)
  decided.length = 0
  const inTime = LIMITS.waitMs / LIMITS.pauseMsMax
  flood('noisy', inTime + 5)
  await setImmediate()
  expect(decided).toEqual(Array.from({ length: 5 }, () => 'noisy is refused'))
})

test('a caller who hangs up no longer waits', async () => {
  const { state, call, advance, decided } = await overloadedFixture()
  const [first] = [call('noisy'), call('noisy')]
  first.hangUp()
  await advance(LIMITS.pauseMs)
  expect(decided).toEqual(['noisy is refused'])
  state.utilisation = 0
  await advance(LIMITS.measureMs)
  expect(decided).toEqual(['noisy is refused', 'noisy begins'])
})

test('companies that flood an edge at the same time take turns', async () => {
  const { state, call, flood, advance, decided } = fixture()
  call('quiet')
  flood('one', MANY)
  flood('two', MANY)
  state.utilisation = 0.9
  await advance(LIMITS.measureMs)
  expect(held([...flood('one', 5), ...flood('two', 5)])).toBe(10)
  expect(call('quiet').isHeld).toBe(false)
  state.utilisation = 0.5
  await advance(LIMITS.measureMs + LIMITS.pauseMsMax * 10)
  expect(decided.slice(0, 6).toSorted()).toEqual([
    ...Array.from({ length: 3 }, () => 'one begins'),
    ...Array.from({ length: 3 }, () => 'two begins'),
  ])
})

test('the longer an edge is overloaded, the slower calls are let in, and the longer it is not, the faster', async () => {
  const { state, flood, advance, decided } = await overloadedFixture()
  flood('noisy', LIMITS.waitingMax)
  const begunIn = async (ms: number) => {
    const before = decided.length
    await advance(ms)
    return decided.length - before
  }
  await advance(LIMITS.measureMs * 10)
  state.utilisation = 0
  await advance(LIMITS.measureMs)
  const [first, second] = [await begunIn(LIMITS.measureMs * 5), await begunIn(LIMITS.measureMs * 5)]
  expect(first).toBeGreaterThan(0)
  expect(second).toBeGreaterThan(first)
})

test('companies that all have about as many calls do not wait for each other', async () => {
  const { flood, advance } = fixture({ utilisation: 1 })
  for (let i = 0; i < 10; i++) {
    expect(held([...flood('one', 10), ...flood('two', 15)])).toBe(0)
    await advance(LIMITS.measureMs)
  }
})

test('a company gets a few calls a second through an edge that stays overloaded', async () => {
  const { call, flood, advance, decided } = fixture({ utilisation: 1, live: ['quiet'] })
  flood('noisy', LIMITS.startsSpared + 1)
  for (let second = 0; second < 60; second++) {
    call('noisy')
    await advance(1_000)
  }
  expect(decided.filter((each) => each === 'noisy begins').length).toBeGreaterThan(20)
})

test('nothing waits at an edge that stops', async () => {
  const { call, decided, close } = await overloadedFixture()
  call('noisy')
  close()
  await setImmediate()
  expect(decided).toEqual(['noisy is refused'])
})
