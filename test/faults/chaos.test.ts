import { expect, test, vi } from 'vitest'

import { runCampaign } from '../chaos/campaign.ts'

vi.setConfig({ testTimeout: 600_000 })

/** `npm run chaos` chooses from all faults, and runs longer. */
const SHORT = {
  minutes: 0.7,
  seed: 7,
  faults: ['process-killed', 'postgres-restarted', 'read-only', 'connections-cut', 'listeners-cut'],
}

test('a short campaign of faults under load breaks no invariant', async ({ signal }) => {
  const told: string[] = []
  const { findings, drawn, world } = await runCampaign({ ...SHORT, signal, tell: (line) => told.push(line) })
  const broken = findings.flatMap(({ name, broken }) => broken.map((sentence) => `${name}: ${sentence}`))
  expect(broken, told.join('\n')).toEqual([])
  expect([...drawn.counts.keys()].toSorted()).toEqual(SHORT.faults.toSorted())
  const { contacts, texts, calls } = world.books
  expect([contacts.acknowledged, texts.asked, calls.talked].every((count) => count > 0)).toBe(true)
})
