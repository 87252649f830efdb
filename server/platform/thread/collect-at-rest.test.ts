import { once } from 'node:events'

import { expect, onTestFinished, test } from 'vitest'

import { collectAtRest } from './collect-at-rest.ts'

test('a thread with nothing to do gives its garbage back', async () => {
  onTestFinished(collectAtRest({ restMs: 100, restShare: 0.9 }))
  const collected = new EventTarget()
  const registry = new FinalizationRegistry(() => collected.dispatchEvent(new Event('collected')))
  const seen = once(collected, 'collected')
  registry.register({}, undefined)
  await expect(seen).resolves.toHaveLength(1)
})
