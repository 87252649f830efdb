import { expect, test } from 'vitest'

import { SpeechFailed } from '../../../speech/port.ts'
import { defaultGreeting } from '../flow/default-greeting.ts'
import { cacheGreetings } from './greeting-cache.ts'

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

const greet = (language: string) => ({ text: defaultGreeting(language), language })

test('the default greeting is synthesised once for each language, also concurrently', async () => {
  const voice = countingSpeaker()
  const speaker = cacheGreetings(voice)
  const [one, other] = await Promise.all([speaker.speak(greet('da')), speaker.speak(greet('da'))])
  expect(one.toString()).toBe(`1: ${defaultGreeting('da')}`)
  expect(other).toEqual(one)
  expect((await speaker.speak(greet('sv'))).toString()).toBe(`2: ${defaultGreeting('sv')}`)
  expect(await speaker.speak(greet('da'))).toEqual(one)
  expect(voice.asked).toEqual(['da', 'sv'])
})

test('every other text is synthesised each time, also the greeting of another language', async () => {
  const voice = countingSpeaker()
  const speaker = cacheGreetings(voice)
  for (const text of ['Hej.', defaultGreeting('sv')])
    for (const _ of [1, 2]) await speaker.speak({ text, language: 'da' })
  expect(voice.asked).toHaveLength(4)
})

test('a greeting that failed is synthesised again', async () => {
  const voice = countingSpeaker()
  const speaker = cacheGreetings(voice)
  voice.dead = true
  await expect(speaker.speak(greet('da'))).rejects.toThrow('It died.')
  voice.dead = false
  expect((await speaker.speak(greet('da'))).toString()).toBe(`2: ${defaultGreeting('da')}`)
})

test('the eight most recently used languages are cached', async () => {
  const voice = countingSpeaker()
  const speaker = cacheGreetings(voice)
  const eight = ['da', 'sv', 'nb', 'fi', 'is', 'de', 'nl', 'fr']
  for (const language of [...eight, 'da', 'es']) await speaker.speak(greet(language))
  expect(voice.asked).toEqual([...eight, 'es'])
  for (const language of ['da', 'nb', 'sv']) await speaker.speak(greet(language))
  expect(voice.asked).toEqual([...eight, 'es', 'sv'])
})
