import { expect, test } from 'vitest'

import { inTurn } from './in-turn.ts'

test('what has the same key runs in order, also after a failure, and nothing else waits for it', async () => {
  const run = inTurn()
  const log: string[] = []
  let fail!: (err: Error) => void
  const failing = run('a', () => new Promise((_, reject) => (fail = reject)))
  const second = run('a', async () => log.push('a2'))
  const third = run('a', async () => log.push('a3'))
  await run('b', async () => log.push('b'))
  expect(log).toEqual(['b'])
  fail(new Error('failed'))
  await expect(failing).rejects.toThrow('failed')
  await Promise.all([second, third])
  expect(log).toEqual(['b', 'a2', 'a3'])
})
