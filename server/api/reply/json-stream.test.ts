import { text } from 'node:stream/consumers'

import { expect, test } from 'vitest'
import { z } from 'zod'

import { inBatches } from '../../platform/async/batches.ts'
import { API_LIMITS } from '../limits.ts'
import { streamerOf } from './json-stream.ts'

const BATCH_SIZE = 100
const stream = streamerOf(z.array(z.object({ id: z.string(), note: z.string() })))

/** Reads a list of items with such notes in turns that should be short or not; says how many items each query asked for. */
async function readList({ count, note, isShort }: { count: number; note: string; isShort: boolean[] }) {
  const items = Array.from({ length: count }, (_, i) => ({ id: String(count - i).padStart(4, '0'), note }))
  const limits: number[] = []
  const batches = inBatches(BATCH_SIZE, async (beforeId, limit) => {
    limits.push(limit)
    return items.filter(({ id }) => beforeId === undefined || id < beforeId).slice(0, limit)
  })
  const turns = isShort.map((shouldBeShort) => ({ shouldBeShort }))
  const nextTurn = () => turns.shift() ?? { shouldBeShort: false }
  const sent = await text((await stream(batches, nextTurn(), (work) => work(nextTurn())))!)
  return { items, limits, sent: JSON.parse(sent) as unknown }
}

const short = (turns: number) => Array.from({ length: turns }, () => true)

test.each([10, 100, 1_000])(
  'in turns that should be short, the batches of a list are, with notes of %i characters',
  async (length) => {
    const { items, limits, sent } = await readList({
      count: 300,
      note: 'x'.repeat(length),
      isShort: short(400),
    })
    expect(sent).toEqual(items)
    const itemCharacters = JSON.stringify(items[0]).length
    // Only after the first batch is it known how long an item is.
    for (const limit of limits.slice(1)) {
      expect((limit - 1) * itemCharacters).toBeLessThanOrEqual(API_LIMITS.busyBatchCharacters)
      expect(limit).toBeGreaterThan(0)
    }
    expect(limits[0]).toBeLessThan(BATCH_SIZE)
  },
)

test('the batches of a list are long again in other turns, and each item is sent once', async () => {
  const { items, limits, sent } = await readList({
    count: 300,
    note: 'x'.repeat(200),
    isShort: [false, ...short(3)],
  })
  expect(sent).toEqual(items)
  expect(limits).toHaveLength(6)
  for (const limit of limits.slice(1, 4)) expect(limit).toBeLessThan(30)
  expect([limits[0], ...limits.slice(4)]).toEqual([BATCH_SIZE, BATCH_SIZE, BATCH_SIZE])
})
