import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

import { expect, onTestFinished, test } from 'vitest'

import { createTestClock } from '../../../test/harness/test-clock.ts'
import { createLog } from '../log.ts'
import { waitedForCoreMs } from './core-wait.ts'
import { createEngine } from './engine.ts'

const START_MS_MAX = 1_000

/** An engine that has begun with a text, and how long it has waited for a core since. */
function begin() {
  const clock = createTestClock()
  const waited = { ms: 0 }
  const engine = createEngine<{ text: string; voice: string }, Uint8Array, never>({
    name: 'espeak',
    program: 'speech/embedded/espeak',
    limits: { waitingMax: 0, waitMsMax: 60_000, startMsMax: START_MS_MAX, idleMs: 60_000 },
    answerMsMax: () => 0,
    failure: (why) => new Error(why),
    clock,
    log: createLog({ level: 'silent' }),
    waitedMs: () => waited.ms,
  })
  onTestFinished(() => engine.close())
  const answer = engine.ask({ text: 'hej', voice: 'da' })
  const ended = { early: false }
  answer.catch(() => (ended.early = true))
  return { clock, waited, answer, ended }
}

test('an engine that takes longer than it may is stopped, even if it had to wait for a core at times', async () => {
  const { clock, waited, answer } = begin()
  waited.ms = 200
  clock.advance(START_MS_MAX)
  await expect(answer).rejects.toThrow('timeout')
})

test('the time in which an engine waits for a core does not count', async () => {
  const { clock, waited, answer } = begin()
  waited.ms = 600
  clock.advance(START_MS_MAX)
  waited.ms = 1_200
  clock.advance(600)
  expect(await answer).toBeInstanceOf(Uint8Array)
})

test('an engine that never gets a core is stopped in the end', async () => {
  const { clock, waited, answer, ended } = begin()
  waited.ms = 1_000_000
  clock.advance(5 * START_MS_MAX - 1)
  await Promise.resolve()
  expect(ended.early).toBe(false)
  clock.advance(1)
  await expect(answer).rejects.toThrow('timeout')
})

test('of two processes that share a core, each waits for it', async () => {
  const [core] = /^Cpus_allowed_list:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))!.slice(1)
  const both = [1, 2].map(() => spawn('taskset', ['-c', core!, 'sh', '-c', 'while :; do :; done']))
  onTestFinished(() => both.forEach((each) => each.kill('SIGKILL')))
  for (const { pid } of both) await expect.poll(() => waitedForCoreMs(pid)).toBeGreaterThan(20)
  expect(waitedForCoreMs(undefined)).toBe(0)
})
