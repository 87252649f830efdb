import { expect, test } from 'vitest'

import type { SummaryInput, Turn } from '../summary.ts'
import { summarise } from './extractive.ts'

const talk = (...said: [speaker: string, text: string][]): Turn[] =>
  said.map(([speaker, text]) => ({ speaker, text, ours: speaker === 'Peter Holm' }))

const inbound = (turns: Turn[], language = 'en'): SummaryInput => ({
  kind: 'inbound_call',
  language,
  customer: 'Anna Jensen',
  employee: 'Peter Holm',
  turns,
})

test('a summary says who called, what about, and what was promised', () => {
  const turns = talk(
    ['Peter Holm', 'Good morning, Hansen Bikes, this is Peter speaking. How can I help you today?'],
    [
      'Anna Jensen',
      'Hello, my name is Anna. How are you? I ordered a red bicycle last week and it has not arrived.',
    ],
    ['Peter Holm', 'I am sorry to hear that. One moment, please.'],
    ['Anna Jensen', 'Yes, of course. Thank you very much for your help.'],
    ['Peter Holm', 'It was delayed by the snow. I will call you back tomorrow before noon.'],
    ['Anna Jensen', 'Wonderful. Have a nice day. Goodbye.'],
  )
  expect(summarise(inbound(turns))).toBe(
    'Anna Jensen called: “I ordered a red bicycle last week and it has not arrived.” ' +
      'Peter Holm promised: “I will call you back tomorrow before noon.”',
  )
})

test('the summary is in Danish for a number in Danish', () => {
  const turns = talk(
    ['Peter Holm', 'Goddag, Hansens Cykler, du taler med Peter. Hvad kan jeg hjælpe med?'],
    [
      'Anna Jensen',
      'Hej, det er Anna. Jeg har fået en faktura, som er forkert, og vil gerne have den ændret.',
    ],
    ['Peter Holm', 'Et øjeblik. Vi sender en ny faktura i morgen.'],
    ['Anna Jensen', 'Mange tak. Farvel.'],
  )
  expect(summarise(inbound(turns, 'da'))).toBe(
    'Anna Jensen ringede: “Jeg har fået en faktura, som er forkert, og vil gerne have den ændret.” ' +
      'Peter Holm lovede: “Vi sender en ny faktura i morgen.”',
  )
})

test('outbound calls are worded differently from inbound ones', () => {
  const turns = talk(
    [
      'Peter Holm',
      'Hello Anna, this is Peter from Hansen Bikes. Your bicycle is ready and the invoice is paid.',
    ],
    ['Anna Jensen', 'Great, I will come by on Friday afternoon.'],
  )
  expect(summarise({ ...inbound(turns), kind: 'outbound_call' })).toBe(
    'Peter Holm called Anna Jensen: “Your bicycle is ready and the invoice is paid.” ' +
      'Anna Jensen promised: “Great, I will come by on Friday afternoon.”',
  )
})

test('a voicemail is described as one', () => {
  const turns = talk([
    '+4520112233',
    'Hi, I have a question about my contract. Please call me back. Thanks, bye.',
  ])
  const voicemail: SummaryInput = {
    kind: 'voicemail',
    language: 'en',
    customer: '+4520112233',
    employee: null,
    turns,
  }
  expect(summarise(voicemail)).toBe(
    '+4520112233 left a voicemail: “Hi, I have a question about my contract.”',
  )
})

test('pleasantries alone, and silence, have no summary', () => {
  const turns = talk(
    ['Peter Holm', 'Good morning, how can I help you?'],
    ['Anna Jensen', 'Hello. Yes. Thank you very much. Goodbye.'],
  )
  expect(summarise(inbound(turns))).toBeNull()
  expect(summarise(inbound([]))).toBeNull()
})

test('in a language without cues, the longest sentence of the caller is quoted', () => {
  const turns = talk(
    ['Anna Jensen', 'Guten Tag. Ich habe letzte Woche ein rotes Fahrrad bestellt. Danke.'],
    ['Peter Holm', 'Einen Moment bitte.'],
  )
  expect(summarise(inbound(turns, 'de'))).toBe(
    'Anna Jensen: “Ich habe letzte Woche ein rotes Fahrrad bestellt.”',
  )
})

test('a very long sentence is cut between two words', () => {
  const turns = talk(['Anna Jensen', `I need ${'very '.repeat(200)}urgent help`])
  const summary = summarise(inbound(turns))!
  expect(summary.length).toBeLessThan(250)
  expect(summary).toMatch(/very …”$/)
})
