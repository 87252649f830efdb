import { readdirSync, readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { createTestClock } from '../../../test/harness/test-clock.ts'
import { createLog } from '../../platform/log.ts'
import { type Embedder, EMBEDDING_LIMITS, EmbeddingFailed } from '../port.ts'
import { createEmbeddedEmbedder } from './embedder.ts'

const clock = createTestClock()
let embedder: Embedder
beforeAll(() => {
  embedder = createEmbeddedEmbedder({ clock, log: createLog({ level: 'silent' }) })
})
afterAll(() => embedder.close())

/** Engine processes that are our children. */
const engines = () =>
  readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => {
      try {
        const parent = Number(/^PPid:\t(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        return parent === process.pid && command.includes('embeddings/embedded/program.js')
      } catch {
        return false
      }
    })

const whyNot = (embedded: Promise<unknown>): Promise<string> =>
  embedded.then(
    () => 'embedded',
    (error: unknown) => (error instanceof EmbeddingFailed ? error.why : String(error)),
  )

const product = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0)

test('texts of similar meaning have close vectors, and vectors have length 1', async () => {
  const [asked, alike, other] = await embedder.embed([
    'Who wants a refund for damaged goods?',
    'The vase came in pieces and she would like her money back.',
    'They booked a table for eight on Friday.',
  ])
  expect(product(asked!, asked!)).toBeCloseTo(1)
  expect(product(asked!, alike!)).toBeGreaterThan(product(asked!, other!) + 0.1)
})

test('the engine runs in its own process, and frees its memory after a while without work', async () => {
  const before = performance.eventLoopUtilization()
  await embedder.embed(Array.from({ length: 16 }, () => 'A sentence of some length that takes a moment.'))
  expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5)
  expect(engines()).toHaveLength(1)
  clock.advance(EMBEDDING_LIMITS.idleMs)
  await expect.poll(engines).toEqual([])
  expect(await embedder.embed(['again'])).toHaveLength(1)
})

test('an engine that is killed fails only the current text', async () => {
  await embedder.embed(['one'])
  const [pid = 0] = engines()
  process.kill(pid, 'SIGSTOP')
  const interrupted = embedder.embed(['two'])
  const next = embedder.embed(['three'])
  process.kill(pid, 'SIGKILL')
  expect(await whyNot(interrupted)).toBe('engine')
  expect(await next).toHaveLength(1)
})

test('an engine that hangs is replaced after a timeout, and its queue is limited', async () => {
  await embedder.embed(['one'])
  const [pid = 0] = engines()
  process.kill(pid, 'SIGSTOP')
  const { waitingMax, startMsMax, perTextMsMax, waitMsMax } = EMBEDDING_LIMITS
  const hanging = whyNot(embedder.embed(['two']))
  const waiting = Array.from({ length: waitingMax }, () => whyNot(embedder.embed(['three'])))
  expect(await whyNot(embedder.embed(['one too many']))).toBe('busy')
  clock.advance(waitMsMax)
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['busy']))
  clock.advance(startMsMax + perTextMsMax - waitMsMax)
  expect(await hanging).toBe('timeout')
  expect(await embedder.embed(['four'])).toHaveLength(1)
  expect(engines()).not.toContain(pid)
})

test('blank texts, and too many or too long ones, are refused', async () => {
  for (const texts of [[''], [' \n'], ['x'.repeat(EMBEDDING_LIMITS.textCharacters + 1)], Array(17).fill('x')])
    expect(await whyNot(embedder.embed(texts))).toBe('text')
})

test('unusual texts get a vector as any other', async () => {
  for (const text of ['\u0000', '\uD800', '😀', 'x'.repeat(EMBEDDING_LIMITS.textCharacters), '<b>&amp;</b>'])
    expect(await embedder.embed([text])).toHaveLength(1)
})

test('after close the engine is gone, and pending texts have failed', async () => {
  const closing = createEmbeddedEmbedder({ clock, log: createLog({ level: 'silent' }) })
  const before = engines()
  const unfinished = [1, 2].map(() => whyNot(closing.embed(['hello'])))
  await Promise.all([closing.close(), closing.close()])
  expect(await Promise.all(unfinished)).toEqual(['engine', 'engine'])
  expect(engines()).toEqual(before)
  expect(await whyNot(closing.embed(['hello']))).toBe('engine')
})
