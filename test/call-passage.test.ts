import { describe, expect, test } from 'vitest'

import type { Call } from '../web/api/calls.ts'
import { excerptOf, patternOf } from '../web/pages/calls/excerpt.ts'

const marked = (text: string, query: string) => text.match(patternOf(query) ?? /$^/) ?? []

const segments = (...texts: string[]) =>
  ({
    transcription: texts.join('\n'),
    transcription_segments: texts.map((text, index) => ({ speaker: index % 2 ? 'Anna' : 'Mikkel', text })),
  }) as Call

describe('the marked words', () => {
  test.each([
    ['The brakes squeal, and one brake is braking late.', 'brakes', ['brakes', 'brake', 'braking']],
    ['It was repaired; the repair took long.', 'repairing', ['repaired', 'repair']],
    ['Two deliveries, and a delivery.', 'delivery', ['deliveries', 'delivery']],
    ['Jeg kommer efter pakkerne, altså pakken.', 'pakker', ['pakkerne', 'pakken']],
    ['My car carries cargo.', 'car', ['car']],
    ['Invoice 42 of 420.', '42', ['42']],
    ['Café ÅBENT', 'café åbent', ['Café', 'ÅBENT']],
  ])('in %j for %j', (text, query, words) => {
    expect(marked(text, query)).toEqual(words)
  })

  test('do not include the stop words of a question, unless it has no others', () => {
    expect(marked('What about the brakes of my bike?', 'what about the brakes of my bike')).toEqual([
      'brakes',
      'bike',
    ])
    expect(marked('To be or not', 'to be')).toEqual(['To', 'be'])
  })

  test('are none for an empty query, and characters of patterns are taken literally', () => {
    expect(patternOf(' .* ?')).toBeUndefined()
    expect(marked('a (b) c', '(b)')).toEqual(['b'])
  })
})

describe('the passage of a call', () => {
  test('is the turn with the most of the words, and its speaker', () => {
    const call = segments('My bike, my bike, my bike.', 'The brakes of the bike squeal.', 'Brakes?')
    expect(excerptOf(call, 'bike brakes')).toEqual({
      segment: { speaker: 'Anna', text: 'The brakes of the bike squeal.' },
      text: 'The brakes of the bike squeal.',
    })
  })

  test('is cut between words around the first match', () => {
    const before = 'We talked about the weather and the garden and the neighbours for quite a while. '
    const { text } = excerptOf(
      segments(before + 'Then a unicycle fell over. ' + before.repeat(3)),
      'unicycle',
    )!
    expect(text).toMatch(/^…\w.*Then a unicycle fell over\. .*\w…$/)
    expect(text.length).toBeLessThan(185)
  })

  test('is a sentence if the speakers are unknown', () => {
    const call = {
      transcription: 'Good morning. Is the unicycle ready? Yes.',
      transcription_segments: null,
    } as Call
    expect(excerptOf(call, 'unicycles')).toEqual({ segment: undefined, text: 'Is the unicycle ready?' })
  })

  test('is absent if none of the words was said', () => {
    expect(excerptOf(segments('She wants her money back.'), 'refund')).toBeUndefined()
  })
})
