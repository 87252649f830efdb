import { constants, type NodeGCPerformanceDetail, PerformanceObserver } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'

import { expect, onTestFinished, test } from 'vitest'

import { collectAtRest } from './collect-at-rest.ts'

const REST = { restMs: 100, restShare: 0.9 }

const usedBytes = () => getHeapStatistics().used_heap_size

/** Counts collections that V8 did not begin by itself. */
function countCollections(): () => number {
  let count = 0
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { flags } = (entry as unknown as { detail: NodeGCPerformanceDetail }).detail
      if (flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) count++
    }
  })
  observer.observe({ entryTypes: ['gc'] })
  onTestFinished(() => observer.disconnect())
  return () => count
}

test('a thread with nothing to do collects its garbage, and again after work that has filled its heap', async () => {
  const growthBytes = Math.round(usedBytes() / 2)
  const collections = countCollections()
  onTestFinished(collectAtRest({ ...REST, growthBytes }))
  await expect.poll(collections).toBe(1)

  // Kept, so that V8 does not collect it by itself.
  const kept: number[][] = []
  for (const fullBytes = usedBytes() + 2 * growthBytes; usedBytes() < fullBytes;)
    kept.push(Array<number>(10_000).fill(0.5))
  for (const end = performance.now() + 2 * REST.restMs; performance.now() < end;);
  await expect.poll(collections).toBe(2)
  expect(kept.length).toBeGreaterThan(0)
})
