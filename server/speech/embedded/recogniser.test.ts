import { readdirSync, readFileSync } from 'node:fs'

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

import { sharedSpeaker } from '../../../test/harness/shared-speaker.ts'
import { sounds, SENTENCES } from '../../../test/harness/sound/spoken-english.ts'
import {
  arrange,
  noise,
  recordingOf,
  silence,
  throughTelephone,
} from '../../../test/harness/sound/telephone-sound.ts'
import { wordErrorRate } from '../../../test/harness/sound/word-error-rate.ts'
import { createTestClock, type TestClock } from '../../../test/harness/test-clock.ts'
import { createLog } from '../../platform/log.ts'
import { recogniserContract, recordingFolder, speechFailureOf } from '../contract.ts'
import { type Recogniser, SPEECH_LIMITS } from '../port.ts'
import { createEmbeddedRecogniser } from './recogniser.ts'

vi.setConfig({ testTimeout: 600_000 })

let clock: TestClock
let recogniser: Recogniser
beforeAll(() => {
  clock = createTestClock()
  const log = createLog({ level: 'silent' })
  recogniser = createEmbeddedRecogniser({ atOnce: 1, clock, log })
})
afterAll(() => recogniser.close())

const keep = recordingFolder()
const listen = async (recording: Buffer, language = 'en') =>
  recogniser.transcribe({ file: await keep(recording), language })

/** Running engine processes, as the operating system lists them. */
const engines = () =>
  readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => {
      try {
        const isOurs = readFileSync(`/proc/${pid}/status`, 'utf8').includes(`\nPPid:\t${process.pid}\n`)
        return isOurs && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('moonshine/program.js')
      } catch {
        return false
      }
    })
    .map(Number)

test('the word error rate for English over a telephone line is at most 4 %, with noise 6.5 %', async () => {
  // Measured for human speech through 8 kHz A-law: 2 to 4 %, and 6.5 % in noise.
  let at = 0
  const talk = arrange(
    ...sounds.map((sound): [number, Int16Array] => {
      const start = at
      at += sound.length / 8_000 + 0.7
      return [start, sound]
    }),
  )
  const { channels } = await listen(recordingOf(talk))
  const heard = channels[0]!.map(({ text }) => text).join(' ')
  expect(wordErrorRate(SENTENCES.join(' '), heard)).toBeLessThanOrEqual(0.04)

  // Speech is at -19 dB, so this is some 15 dB below it.
  const hiss = noise(talk.length / 8_000, 0.035)
  const noisy = talk.map((sample, i) => Math.max(-32_768, Math.min(32_767, sample + hiss[i]!)))
  const [less] = (await listen(recordingOf(noisy))).channels
  expect(wordErrorRate(SENTENCES.join(' '), less!.map(({ text }) => text).join(' '))).toBeLessThanOrEqual(
    0.065,
  )
})

test('speakers who take turns are not mixed up, and the turns stay in order', async () => {
  const seconds = sounds.map((sound) => sound.length / 8_000)
  const left = arrange([0.5, sounds[0]!], [0.5 + seconds[0]! + seconds[1]! + 1, sounds[3]!])
  const right = arrange([1 + seconds[0]!, sounds[1]!])
  const { channels } = await listen(recordingOf(left, right))
  expect(channels.map((phrases) => phrases.length)).toEqual([2, 1])
  expect(channels[1]![0]!.text).toMatch(/invoice/i)
  expect(channels[0]![0]!.text).toMatch(/bicycle/i)
  expect(channels[0]![1]!.text).toMatch(/appointment/i)
  expect(channels[0]![1]!.startMs).toBeGreaterThan(channels[1]![0]!.startMs)
})

test('other languages are neither transcribed as false English nor taken for silence', async () => {
  const danish = 'Hej, jeg ringer om min bestilling, som ikke er kommet endnu.'
  const german = 'Guten Tag, ich möchte gerne wissen, wann meine Bestellung kommt.'
  for (const [text, language] of [
    [danish, 'da'],
    [german, 'de'],
  ] as const) {
    const foreign = throughTelephone(await sharedSpeaker().speak({ text, language }))
    expect(await speechFailureOf(listen(recordingOf(foreign)))).toBe('not_understood')
    // An English speaker on the other channel is still transcribed.
    const { channels } = await listen(recordingOf(foreign, sounds[1]!))
    expect(channels[0]).toEqual([])
    expect(channels[1]!.map(({ text: heard }) => heard).join(' ')).toMatch(/invoice/i)
  }
})

test('a language that the engine does not support does not start it', async () => {
  expect(recogniser.knows('en')).toBe(true)
  expect(recogniser.knows('da')).toBe(false)
  const file = await keep(recordingOf(sounds[0]!))
  expect(await speechFailureOf(recogniser.transcribe({ file, language: 'da' }))).toBe('language')
})

describe('the embedded recogniser', () => {
  recogniserContract(() => ({ recogniser, speech: sounds[3]!, language: 'en' }))
})

test('the engine starts with the first recording and frees its memory when idle', async () => {
  await listen(recordingOf(silence(1)))
  expect(engines()).toHaveLength(1)
  clock.advance(SPEECH_LIMITS.idleMs)
  await expect.poll(engines, { timeout: 30_000 }).toEqual([])
  await listen(recordingOf(silence(1)))
  expect(engines()).toHaveLength(1)
})

/** Resolves when an engine gets a recording, which starts its timeout. */
function engineIsAsked(): Promise<void> {
  const { after } = clock
  return new Promise((resolve) => {
    clock.after = (ms, run) => {
      clock.after = after
      resolve()
      return after(ms, run)
    }
  })
}

test('an engine that is killed or hangs fails only the current recording', async () => {
  await listen(recordingOf(silence(1)))
  const [first = 0] = engines()
  process.kill(first, 'SIGSTOP')
  const asked = engineIsAsked()
  const interrupted = speechFailureOf(listen(recordingOf(sounds[0]!)))
  await asked
  const next = listen(recordingOf(silence(1)))
  process.kill(first, 'SIGKILL')
  expect(await interrupted).toBe('engine')
  expect(await next).toEqual({ channels: [[]] })

  const [second = 0] = engines()
  process.kill(second, 'SIGSTOP')
  const file = await keep(recordingOf(silence(1)))
  const hanging = speechFailureOf(recogniser.transcribe({ file, language: 'en' }))
  await vi.waitFor(async () => {
    clock.advance(60_000)
    expect(await Promise.race([hanging, Promise.resolve('hangs')])).toBe('timeout')
  }, 30_000)
  expect(engines()).not.toContain(second)
})
