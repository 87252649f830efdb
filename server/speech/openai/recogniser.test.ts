import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

import { type OpenAiServer, sayJson, startOpenAiServer } from '../../../test/harness/peers/openai-server.ts'
import { sounds } from '../../../test/harness/sound/spoken-english.ts'
import { arrange, recordingOf } from '../../../test/harness/sound/telephone-sound.ts'
import { readWav } from '../../../test/harness/sound/wav-analysis.ts'
import { createTestClock, type TestClock } from '../../../test/harness/test-clock.ts'
import { createLog } from '../../platform/log.ts'
import { recogniserContract, recordingFolder, speechFailureOf } from '../contract.ts'
import { createVoiceActivityDetector } from '../embedded/recogniser.ts'
import type { Recogniser } from '../port.ts'
import { createOpenAiRecogniser } from './recogniser.ts'

const ANSWER_MS = 60_000
/** The test endpoint makes up the words: the recording only has to contain speech. */
const speech = sounds[3]!

let clock: TestClock
let peer: OpenAiServer
let recogniser: Recogniser
beforeAll(async () => {
  clock = createTestClock()
  const log = createLog({ level: 'silent' })
  peer = await startOpenAiServer()
  const endpoint = { url: peer.url, apiKey: 'the-key', model: 'large', answerMs: ANSWER_MS }
  recogniser = createOpenAiRecogniser({
    endpoint,
    finder: createVoiceActivityDetector({ atOnce: 1, clock, log }),
    clock,
  })
})
afterAll(async () => {
  await recogniser.close()
  await peer.close()
})
beforeEach(() => {
  peer.asked.length = 0
  peer.answer = undefined
})

const keep = recordingFolder()
const listen = async (recording = recordingOf(speech), language = 'da') =>
  recogniser.transcribe({ file: await keep(recording), language })

describe('a recogniser at an endpoint', () => {
  recogniserContract(() => ({ recogniser, speech, language: 'da' }))
})

test('the request has the language, the model and the key, and asks for segments', async () => {
  await listen()
  expect(peer.asked).toHaveLength(1)
  const [{ path, headers, fields, file }] = peer.asked as [(typeof peer.asked)[0]]
  expect(path).toBe('/v1/audio/transcriptions')
  expect(headers.authorization).toBe('Bearer the-key')
  expect(fields).toEqual({ model: 'large', language: 'da', response_format: 'verbose_json' })
  const { samples, sampleRate } = readWav(file!)
  expect(sampleRate).toBe(8_000)
  expect(samples.length).toBeGreaterThan(speech.length * 0.8)
  await listen(undefined, 'nb')
  await listen(undefined, 'cmn')
  expect(peer.asked.slice(1).map((asked) => asked.fields.language)).toEqual(['no', 'zh'])
})

test('a long pause is not sent, and phrases after it keep their times', async () => {
  const seconds = speech.length / 8_000
  peer.answer = (asked, response) => {
    const sent = readWav(asked.file!).samples.length / 8_000
    expect(sent).toBeLessThan(seconds * 2 + 3)
    const segments = [
      { start: 0.1, text: 'before' },
      // The silence at the ends of the sound is not sent.
      { start: sent - seconds + 0.5, text: ' after ' },
    ]
    sayJson(response, 200, { text: 'before after', segments })
  }
  const { channels } = await listen(recordingOf(arrange([0, speech], [100, speech])))
  expect(channels[0]!.map(({ text }) => text)).toEqual(['before', 'after'])
  expect(Math.abs(channels[0]![1]!.startMs - 100_000)).toBeLessThan(1_500)
  expect(peer.asked).toHaveLength(1)
})

test('a response without segments becomes one phrase', async () => {
  peer.answer = (_, response) => sayJson(response, 200, { text: ' All of it. ' })
  expect((await listen()).channels[0]).toMatchObject([{ text: 'All of it.' }])
})

test.each([
  ['refuses the recording', 400, 'refused'],
  ['considers it too large', 413, 'refused'],
  ['rejects the key', 401, 'engine'],
  ['is not found', 404, 'engine'],
  ['limits our requests', 429, 'engine'],
  ['is broken', 500, 'engine'],
])('an endpoint that %s (%i) is %s', async (_, status, why) => {
  peer.answer = (__, response) => sayJson(response, status, { error: { message: 'what was said' } })
  expect(await speechFailureOf(listen())).toBe(why)
})

test.each<[string, NonNullable<OpenAiServer['answer']>]>([
  ['no JSON', (_, response) => void response.end('<html>')],
  ['something else', (_, response) => sayJson(response, 200, { choices: [] })],
  [
    'invalid times',
    (_, response) => sayJson(response, 200, { text: '', segments: [{ start: -1, text: '' }] }),
  ],
  ['endlessly', (_, response) => void response.end(`{"text": "${'x'.repeat(3 * 1024 * 1024)}"}`)],
  [
    'with half a response',
    (_, response) =>
      void response.writeHead(200, { 'content-length': '99' }).write('{', () => response.destroy()),
  ],
  [
    'with a redirect',
    (_, response) => void response.writeHead(307, { location: `${peer.url}/elsewhere` }).end(),
  ],
])('an endpoint that responds %s is retried later', async (_, answer) => {
  peer.answer = answer
  expect(await speechFailureOf(listen())).toBe('engine')
  expect(peer.asked).toHaveLength(1)
})

test('an endpoint that does not respond in time is retried later', async () => {
  peer.answer = () => {}
  const why = speechFailureOf(listen())
  await vi.waitFor(() => expect(peer.asked).toHaveLength(1), { timeout: 30_000 })
  clock.advance(ANSWER_MS)
  expect(await why).toBe('timeout')
})

test('the logged reason never contains text from the endpoint, which may quote the recording', async () => {
  peer.answer = (_, response) => sayJson(response, 400, { error: { message: 'the secret that was said' } })
  const reason = await listen().catch((error: Error) => error.message)
  expect(reason).toBe('The endpoint responded with status 400.')
})
