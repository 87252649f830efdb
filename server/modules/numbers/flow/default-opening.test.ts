import { expect, test } from 'vitest'

import { LANGUAGE_ALIASES, SPEECH_LANGUAGES } from '../../../speech/languages.ts'
import { canSay } from '../../../speech/port.ts'
import { defaultGreeting, defaultOpening } from './default-greeting.ts'

const LANGUAGES = [...SPEECH_LANGUAGES, ...Object.keys(LANGUAGE_ALIASES)]

test('every voice can say its default greeting', () => {
  expect(LANGUAGES.filter((language) => !canSay(language, defaultGreeting(language)))).toEqual([])
})

test('the opening of a default greeting is its beginning, and does not say that the company is closed', () => {
  expect(defaultOpening('en')).toBe('Thank you for calling.')
  expect(defaultOpening('da')).toBe('Tak fordi du ringer.')
  expect(defaultOpening('cmn')).toBe('感谢您的来电。')
  for (const language of LANGUAGES) {
    const [greeting, opening] = [defaultGreeting(language), defaultOpening(language)]
    expect(greeting.startsWith(opening), language).toBe(true)
    expect(opening.length, language).toBeLessThan(greeting.length * 0.6)
  }
})
