import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeEach, expect, test } from 'vitest'

import { localStorage } from '../../../providers/storage/local.ts'
import type { Storage } from '../../../providers/storage/port.ts'
import { SpeechFailed } from '../../../speech/port.ts'
import { defaultGreeting } from '../flow/default-greeting.ts'
import { storeDefaults } from './default-audio.ts'

/** Numbers its results; fails while it is `dead`. */
function countingSpeaker() {
  const asked: string[] = []
  return {
    asked,
    dead: false,
    async speak({ text, language }: { text: string; language: string }) {
      asked.push(language)
      if (this.dead) throw new SpeechFailed('engine', 'It died.')
      return Buffer.from(`${asked.length}: ${text}`)
    },
  }
}

let storage: Storage
const folders: string[] = []

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bellhop-defaults-'))
  folders.push(folder)
  storage = localStorage(folder)
})
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true })
})

const greet = (language: string) => ({ text: defaultGreeting(language), language })

test('the default greeting is synthesised once for each language, also concurrently', async () => {
  const voice = countingSpeaker()
  const speaker = storeDefaults({ speaker: voice, storage })
  const [one, other] = await Promise.all([speaker.speak(greet('da')), speaker.speak(greet('da'))])
  expect(one.toString()).toBe(`1: ${defaultGreeting('da')}`)
  expect(other).toEqual(one)
  expect((await speaker.speak(greet('sv'))).toString()).toBe(`2: ${defaultGreeting('sv')}`)
  expect(await speaker.speak(greet('da'))).toEqual(one)
  expect(voice.asked).toEqual(['da', 'sv'])
})

test('another process reads the stored greeting', async () => {
  const voice = countingSpeaker()
  const first = await storeDefaults({ speaker: voice, storage }).speak(greet('da'))
  expect(await storeDefaults({ speaker: voice, storage }).speak(greet('da'))).toEqual(first)
  expect(voice.asked).toEqual(['da'])
})

test('every other text is synthesised each time, also the greeting of another language', async () => {
  const voice = countingSpeaker()
  const speaker = storeDefaults({ speaker: voice, storage })
  for (const text of ['Hej.', defaultGreeting('sv')])
    for (const _ of [1, 2]) await speaker.speak({ text, language: 'da' })
  expect(voice.asked).toHaveLength(4)
})

test('a greeting that failed is synthesised again', async () => {
  const voice = countingSpeaker()
  const speaker = storeDefaults({ speaker: voice, storage })
  voice.dead = true
  await expect(speaker.speak(greet('da'))).rejects.toThrow('It died.')
  voice.dead = false
  expect((await speaker.speak(greet('da'))).toString()).toBe(`2: ${defaultGreeting('da')}`)
})
