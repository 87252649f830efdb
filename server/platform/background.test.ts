import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { inBackground } from './background.ts'

const log = { error: vi.fn() }
const unhandled = vi.fn()

beforeEach(() => {
  log.error.mockReset()
  process.on('unhandledRejection', unhandled)
})
afterEach(() => {
  process.off('unhandledRejection', unhandled)
})

test('work in the background starts at once', () => {
  const work = vi.fn()
  inBackground(log, 'look', work)
  expect(work).toHaveBeenCalledOnce()
})

const err = new Error('no room on the disk')

test.each([
  ['a promise that rejects', () => Promise.reject(err)],
  ['a function whose promise rejects', () => () => Promise.reject(err)],
  [
    'a function that throws',
    () => () => {
      throw err
    },
  ],
])('%s is logged, and nothing is left unhandled', async (_, work) => {
  inBackground(log, 'leave the queue', work())
  await new Promise((resolve) => setImmediate(resolve))
  expect(log.error.mock.calls).toEqual([[{ err }, 'failed to leave the queue']])
  expect(unhandled).not.toHaveBeenCalled()
})
