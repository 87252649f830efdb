import { expect, test } from 'vitest'

import { lazy, lazyAsync } from './lazy.ts'

test('a failure is retried by the next call, and a result is kept', async () => {
  let attempts = 0
  const get = lazyAsync(async () => {
    attempts++
    if (attempts === 1) throw new Error('no memory just now')
    return attempts
  })
  await Promise.all([expect(get()).rejects.toThrow('no memory'), expect(get()).rejects.toThrow('no memory')])
  expect(await Promise.all([get(), get()])).toEqual([2, 2])
  expect(attempts).toBe(2)
})

test('a lazy value is created once, on first use', () => {
  let made = 0
  const get = lazy(() => ({ number: ++made }))
  expect(made).toBe(0)
  expect(get()).toBe(get())
  expect(made).toBe(1)
})
