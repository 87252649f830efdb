import { setImmediate } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { createTestClock } from '../../../test/harness/test-clock.ts'
import { createFairTurns } from './fair-turns.ts'
import { createPresence } from './presence.ts'

const PRESENT_MS = 1_000

const LIMITS = {
  sparedConnections: 2,
  quickAtOnce: 12,
  quickMs: 20,
  placeMs: 100,
  burstMs: 50,
  share: 0.1,
  busyAtOnce: 1,
  busyMs: 40,
  pauseMs: 10,
  waitingMax: 30,
  waitMs: 500,
}

/** A process with ten connections, of which those named by `occupied` are in use. */
function fixture() {
  const clock = createTestClock()
  const state = { occupied: 0 }
  const turns = createFairTurns({
    clock,
    presence: createPresence(PRESENT_MS),
    limits: LIMITS,
    connections: { total: 10, countIdle: () => 10 - state.occupied },
    tooMany: new Error('too many'),
  })
  const begun: string[] = []
  const running: { name: string; finish(): void }[] = []
  const ask = (name: string, count = 1) =>
    Array.from({ length: count }, () =>
      turns.run(
        name,
        () =>
          new Promise<void>((finish) => {
            begun.push(name)
            running.push({ name, finish })
          }),
      ),
    )
  const advance = async (ms: number) => {
    await setImmediate()
    clock.advance(ms)
    await setImmediate()
  }
  /** Ends the oldest that runs of the company, after it has taken so long. */
  const finish = async (name: string, ms = 0) => {
    await advance(ms)
    running
      .splice(
        running.findIndex((one) => one.name === name),
        1,
      )[0]!
      .finish()
    await setImmediate()
  }
  const count = (name: string) => running.filter((one) => one.name === name).length
  /** Has used so much of the process that it counts as busy. */
  const makeBusy = async (name: string) => {
    ask(name)
    await finish(name, 90)
  }
  return { turns, state, ask, advance, finish, count, makeBusy, begun }
}

test('a company that is alone has many running if they are quick, and none waits for a pause', async () => {
  const { ask, finish, count, makeBusy } = fixture()
  await makeBusy('one')
  ask('one', 30)
  expect(count('one')).toBe(8)
  for (let i = 0; i < 10; i++) await finish('one', 1)
  expect(count('one')).toBe(12)
})

test('where all companies are busy, none waits for another', async () => {
  const { ask, advance, count, makeBusy } = fixture()
  for (let i = 0; i < 6; i++) {
    await makeBusy('one')
    await makeBusy('other')
  }
  await advance(PRESENT_MS + 1)
  ask('one', 20)
  ask('other', 20)
  expect([count('one'), count('other')]).toEqual([8, 8])
  ask('quiet')
  ask('one')
  expect([count('quiet'), count('one')]).toEqual([1, 8])
})

test('a busy company waits for what others have running, and goes on afterwards', async () => {
  const { ask, finish, makeBusy, count } = fixture()
  await makeBusy('busy')
  ask('quiet', 2)
  ask('busy', 4)
  await finish('busy')
  expect([count('quiet'), count('busy')]).toEqual([2, 0])
  await finish('quiet', 1)
  expect(count('busy')).toBe(0)
  await finish('quiet', 1)
  expect(count('busy')).toBe(1)
  ask('quiet')
  expect(count('quiet')).toBe(1)
})

test('a busy company is not held up forever by others that always have something running', async () => {
  const { ask, advance, finish, makeBusy, count } = fixture()
  await makeBusy('busy')
  ask('quiet', 2)
  ask('busy', 4)
  await finish('busy')
  await advance(LIMITS.pauseMs)
  expect(count('busy')).toBe(1)
  await finish('busy', 1)
  expect(count('busy')).toBe(0)
  await advance(LIMITS.pauseMs)
  expect([count('quiet'), count('busy')]).toEqual([2, 1])
})

test('a slow request of a busy company does not hold up the next', async () => {
  const { ask, advance, makeBusy, count } = fixture()
  await makeBusy('busy')
  ask('quiet', 1)
  ask('busy', 4)
  await advance(LIMITS.busyMs - LIMITS.pauseMs)
  expect(count('busy')).toBe(1)
  await advance(2 * LIMITS.pauseMs)
  expect(count('busy')).toBe(2)
})

test('a turn of a busy company should be short if others are there, unless a pause follows', async () => {
  const { turns, ask, advance, finish, makeBusy } = fixture()
  const shouldBeShort = (name: string) => turns.run(name, async (turn) => turn.shouldBeShort)
  await makeBusy('busy')
  expect(await shouldBeShort('busy')).toBe(false)
  expect(await shouldBeShort('quiet')).toBe(false)
  expect(await shouldBeShort('busy')).toBe(true)
  ask('quiet')
  const afterPause = shouldBeShort('busy')
  await advance(LIMITS.pauseMs)
  expect(await afterPause).toBe(false)
  await finish('quiet')
  expect(await shouldBeShort('busy')).toBe(true)
})

test('busy companies take turns by the time that they use', async () => {
  const { ask, finish, makeBusy, begun } = fixture()
  await makeBusy('slow')
  await makeBusy('fast')
  begun.length = 0
  ask('slow', 10)
  ask('fast', 10)
  for (let i = 0; i < 9; i++) await finish(begun.at(-1)!, begun.at(-1) === 'slow' ? 15 : 5)
  expect(begun.filter((name) => name === 'fast').length).toBeGreaterThan(6)
  expect(begun.filter((name) => name === 'slow').length).toBeGreaterThan(1)
})

test('a company whose requests take long leaves connections to others', async () => {
  const { state, ask, advance, count } = fixture()
  ask('slow', 20)
  state.occupied = 8
  await advance(LIMITS.placeMs + LIMITS.pauseMs)
  expect(count('slow')).toBe(8)
  ask('quiet')
  expect(count('quiet')).toBe(1)
})

test('requests that take long without a connection leave their places to the next', async () => {
  const { ask, advance, count } = fixture()
  ask('waits for a provider', 12)
  expect(count('waits for a provider')).toBe(8)
  await advance(LIMITS.placeMs + LIMITS.pauseMs)
  expect(count('waits for a provider')).toBe(12)
})

test('what comes when very much waits is refused, and what has waited for too long', async () => {
  const { state, ask, advance, count } = fixture()
  state.occupied = 8
  const asked = ask('one', 8 + LIMITS.waitingMax)
  await expect(ask('one')[0]).rejects.toThrow('too many')
  expect(count('one')).toBe(8)
  const last = expect(asked.at(-1)).rejects.toThrow('too many')
  for (const one of asked.slice(8, -1)) one.catch(() => {})
  await advance(LIMITS.waitMs + LIMITS.pauseMs)
  await last
})

test('a company that has calmed down is served at once again', async () => {
  const { ask, advance, makeBusy, count } = fixture()
  await makeBusy('busy')
  await advance(900)
  ask('quiet')
  ask('busy', 2)
  expect(count('busy')).toBe(2)
})
