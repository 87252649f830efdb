import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

import { afterFile } from '../../../test/harness/after-file.ts'
import { newCall, newNumber } from '../../../test/harness/calls/telephony.ts'
import { type Harness, harness, type TestCompany } from '../../../test/harness/index.ts'
import { DEADLINE, messagesOf, openCable } from '../../../test/harness/peers/cable-socket.ts'
import { type OpenAiServer, sayJson, startOpenAiServer } from '../../../test/harness/peers/openai-server.ts'
import { sharedSpeaker } from '../../../test/harness/shared-speaker.ts'
import { SENTENCES, sounds } from '../../../test/harness/sound/spoken-english.ts'
import {
  arrange,
  recordingOf,
  silence,
  throughTelephone,
} from '../../../test/harness/sound/telephone-sound.ts'
import { wordErrorRate } from '../../../test/harness/sound/word-error-rate.ts'
import { lazyAsync } from '../../platform/async/lazy.ts'
import { decodeId, encodeId } from '../../platform/ids.ts'
import { recordingStored } from '../calls/index.ts'
import { storeVoicemail } from '../voicemails/index.ts'
import { readTranscriptionStatus, retryTranscripts } from './index.ts'

let bellhop: Harness
let peer: OpenAiServer
let company: TestCompany
let numberId: string

beforeAll(async () => {
  peer = await startOpenAiServer()
  afterFile(() => peer.close())
  bellhop = await harness({
    TRANSCRIPTION_ENGINE: 'openai',
    TRANSCRIPTION_URL: peer.url,
    BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1',
  })
})

beforeEach(async () => {
  peer.asked.length = 0
  peer.answer = undefined
  company = await bellhop.newCompany()
  numberId = await newNumber(company, { name: 'Sales', language: 'en' })
})

/** The test endpoint makes up the words: the recording only has to contain speech. */
const speech = sounds[3]!
const seconds = speech.length / 8_000
let serial = 0

async function store(recording: Buffer | undefined): Promise<string> {
  const key = `recordings/${company.companyId}/${serial++}.wav`
  if (!recording) return key
  const path = join(bellhop.dataDir, 'files', key)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, recording)
  return key
}

async function recordedCall(
  recording: Buffer | undefined,
  values: Parameters<typeof newCall>[1] = {},
): Promise<string> {
  const at = new Date('2026-03-02T10:00:00Z')
  const id = await newCall(company, { business_number_id: numberId, answered_at: at, ...values })
  const key = await store(recording)
  await bellhop.db.tx((tx) => recordingStored(tx, company.companyId, id, { key }))
  return id
}

async function recordedVoicemail(recording: Buffer): Promise<{ id: string; callId: string }> {
  const callId = await newCall(company, { business_number_id: numberId })
  const left = { key: await store(recording), seconds: 2 }
  const id = await bellhop.db.tx((tx) => storeVoicemail(tx, company.companyId, callId, left))
  return { callId, id: id! }
}

const readCall = async (id: string) => (await company.api.get(`/calls/${encodeId('cal', id)}`)).body
const readVoicemail = async (id: string) => (await company.api.get(`/voicemails/${encodeId('voi', id)}`)).body
const standing = () => readTranscriptionStatus(bellhop.db.sql, company.companyId)

/** Subscribes to events, and returns a function that lists those published since. */
async function follow(...events: string[]): Promise<() => Promise<string[]>> {
  const { body } = await company.api.post('/webhooks', { name: 'Sink', url: `${peer.url}/hook`, events })
  return async () => {
    const { deliveries } = (await company.api.get(`/webhooks/${body.id}/deliveries`)).body
    return deliveries.map(({ event }: { event: string }) => event)
  }
}

/** Returns these responses one after the other, whatever the request. */
function sayInTurn(...answers: { text: string; start: number }[][]): void {
  let turn = 0
  peer.answer = (_, response) => {
    const segments = answers[turn++ % answers.length]!
    sayJson(response, 200, { text: segments.map(({ text }) => text).join(' '), segments })
  }
}

async function joinCall(callId: string, name: string, joinedAt: string): Promise<string> {
  const email = `${name.toLowerCase()}-${company.companyId}@example.com`
  const { body } = await company.api.post('/employees', { name, email })
  await bellhop.db.sql`
    insert into call_employees (company_id, call_id, employee_id, joined_at)
    values (${company.companyId}, ${callId}, ${decodeId('emp', body.id)!}, ${joinedAt})`
  return body.id
}

describe('the recording of a call', () => {
  test('becomes segments in order of time with speakers, a text and a summary', async () => {
    await company.api.post('/contacts', { phone: '+4520112233', name: 'Anna Jensen' })
    const left = arrange([0, speech], [seconds * 2 + 4, speech])
    const right = arrange([seconds + 2, speech], [seconds * 3 + 6, speech])
    const id = await recordedCall(recordingOf(left, right))
    const peterId = await joinCall(id, 'Peter', '2026-03-02T10:00:00Z')
    // Answered by Peter, who then transfers to Maria.
    const mariaId = await joinCall(
      id,
      'Maria',
      new Date(Date.parse('2026-03-02T10:00:00Z') + (seconds * 3 + 3) * 1000).toISOString(),
    )
    sayInTurn(
      [
        { text: 'Hello. My order has not arrived and I need it.', start: 0 },
        { text: 'Thanks.', start: seconds + 1 },
      ],
      [
        { text: 'Let me find Maria.', start: 0 },
        { text: 'I will send a new one tomorrow.', start: seconds + 1 },
      ],
    )
    expect(await readCall(id)).toMatchObject({
      transcription: null,
      transcription_segments: null,
      transcription_status: 'pending',
      summary: null,
    })
    await bellhop.transcribe()
    expect(await readCall(id)).toMatchObject({
      transcription_status: 'done',
      transcription_segments: [
        { speaker: 'Anna Jensen', text: 'Hello. My order has not arrived and I need it.' },
        { speaker: 'Peter', text: 'Let me find Maria.', employee_id: peterId },
        { speaker: 'Anna Jensen', text: 'Thanks.' },
        { speaker: 'Maria', text: 'I will send a new one tomorrow.', employee_id: mariaId },
      ],
      transcription: [
        'Anna Jensen: Hello. My order has not arrived and I need it.',
        'Peter: Let me find Maria.',
        'Anna Jensen: Thanks.',
        'Maria: I will send a new one tomorrow.',
      ].join('\n'),
      summary:
        'Anna Jensen called: “My order has not arrived and I need it.” ' +
        'Maria promised: “I will send a new one tomorrow.”',
    })
    const { transcription_segments } = await readCall(id)
    const starts = transcription_segments.map(({ start_ms }: { start_ms: number }) => start_ms / 1000)
    for (const [at, due] of [0, seconds + 2, seconds * 2 + 4, seconds * 3 + 6].entries())
      expect(Math.abs(starts[at] - due)).toBeLessThan(1.5)
    expect(await standing()).toEqual({ waiting: 0, failures: [] })
    expect((await company.api.get('/calls?query=arrived')).body.calls).toHaveLength(1)
    // No local copy is left.
    expect(await readdir(join(bellhop.dataDir, 'transcribing'))).toEqual([])
  })

  test('has the number of an unknown caller, and the team if no employee is known', async () => {
    const id = await recordedCall(recordingOf(speech, arrange([seconds + 2, speech])))
    sayInTurn([{ text: 'One.', start: 0 }], [{ text: 'Two.', start: 0 }])
    await bellhop.transcribe()
    expect((await readCall(id)).transcription_segments).toEqual([
      { speaker: '+4520112233', text: 'One.', start_ms: expect.any(Number) },
      { speaker: 'Sales', text: 'Two.', start_ms: expect.any(Number) },
    ])
  })

  test('in which nobody speaks has no transcript, and nothing is published or sent to the endpoint', async () => {
    const published = await follow('call.transcription_done')
    const id = await recordedCall(recordingOf(silence(5), silence(5)))
    await bellhop.transcribe()
    expect(await readCall(id)).toMatchObject({
      transcription: null,
      transcription_segments: null,
      transcription_status: 'no_speech',
      summary: null,
    })
    expect(peer.asked).toEqual([])
    expect(await published()).toEqual([])
  })

  test('is published once it has a transcript: to webhooks with it, and on the live channel', async () => {
    const webhook = { name: 'Sink', url: `${peer.url}/hook`, events: ['call.transcription_done'] }
    await company.api.post('/webhooks', webhook)
    const cable = await openCable(bellhop.url, company)
    const id = await recordedCall(recordingOf(speech))
    await bellhop.transcribe()
    await vi.waitFor(
      () => expect(messagesOf(cable)).toEqual([{ type: 'call_update', id: encodeId('cal', id) }]),
      DEADLINE,
    )
    const events = await bellhop.db.sql<{ data: any }[]>`
      select data from events where company_id = ${company.companyId}`
    expect(events.map(({ data }) => data)).toMatchObject([
      {
        id: encodeId('cal', id),
        transcription: '+4520112233: Thank you for watching.',
        transcription_segments: [{ speaker: '+4520112233', text: 'Thank you for watching.' }],
      },
    ])
  })
})

describe('a voicemail', () => {
  test('gets a plain text, and its call a summary; both are published', async () => {
    peer.words = 'I have a question about my invoice.'
    const webhook = {
      name: 'Sink',
      url: `${peer.url}/hook`,
      events: ['voicemail.new', 'voicemail.transcription_done'],
    }
    await company.api.post('/webhooks', webhook)
    const { id, callId } = await recordedVoicemail(recordingOf(speech))
    await bellhop.transcribe()
    expect((await readVoicemail(id)).transcription).toBe('I have a question about my invoice.')
    expect(await readCall(callId)).toMatchObject({
      transcription: null,
      summary: '+4520112233 left a voicemail: “I have a question about my invoice.”',
    })
    const events = await bellhop.db.sql<{ data: any }[]>`
      select data from events where company_id = ${company.companyId} order by id`
    expect(events.map(({ data }) => data.voicemail)).toMatchObject([
      { id: encodeId('voi', id), transcription: null },
      { id: encodeId('voi', id), transcription: 'I have a question about my invoice.' },
    ])
  })

  test('in which nobody speaks has no transcript, and only its arrival is published', async () => {
    const published = await follow('voicemail.new', 'voicemail.transcription_done')
    const { id } = await recordedVoicemail(recordingOf(silence(3)))
    expect(await readVoicemail(id)).toMatchObject({ transcription: null, transcription_status: 'pending' })
    await bellhop.transcribe()
    expect(await readVoicemail(id)).toMatchObject({ transcription: null, transcription_status: 'no_speech' })
    expect(await published()).toEqual(['voicemail.new'])
  })

  test('that was deleted meanwhile is not transcribed, and leaves nothing behind', async () => {
    const { id } = await recordedVoicemail(recordingOf(speech))
    expect((await company.api.delete(`/voicemails/${encodeId('voi', id)}`)).status).toBe(204)
    await bellhop.transcribe()
    expect(peer.asked).toEqual([])
    expect(await standing()).toEqual({ waiting: 0, failures: [] })
  })
})

describe('a failure', () => {
  test('that is transient is retried later, and then the transcript is stored once', async () => {
    peer.answer = (_, response) => sayJson(response, 503, {})
    const id = await recordedCall(recordingOf(speech))
    await bellhop.transcribe()
    expect((await readCall(id)).transcription).toBeNull()
    await bellhop.transcribe()
    expect(peer.asked).toHaveLength(1)
    peer.answer = undefined
    bellhop.clock.advance(60_000)
    await bellhop.transcribe()
    await bellhop.transcribe()
    expect((await readCall(id)).transcription).not.toBeNull()
    expect(peer.asked).toHaveLength(2)
  })

  test('is final after a day of retries, until the operator retries', async () => {
    peer.answer = (_, response) => sayJson(response, 503, {})
    const id = await recordedCall(recordingOf(speech))
    for (let tries = 0; tries < 8; tries++) {
      await bellhop.transcribe()
      bellhop.clock.advance(12 * 60 * 60_000)
    }
    expect(peer.asked).toHaveLength(6)
    const reason = 'The endpoint responded with status 503.'
    expect(await standing()).toEqual({ waiting: 0, failures: [{ failure: 'unavailable', reason, count: 1 }] })
    peer.answer = undefined
    expect(await bellhop.db.tx((tx) => retryTranscripts(tx, company.companyId))).toBe(1)
    await bellhop.transcribe()
    expect((await readCall(id)).transcription).not.toBeNull()
    expect(await standing()).toEqual({ waiting: 0, failures: [] })
  })

  test.each<[string, () => Promise<string>, string]>([
    ['that is gone', () => recordedCall(undefined), 'recording'],
    ['that is not audio', () => recordedCall(Buffer.from('RIFF')), 'recording'],
    ['that the endpoint refuses', () => recordedCall(recordingOf(speech)), 'refused'],
  ])('a recording %s is not retried', async (_, record, failure) => {
    peer.answer = (__, response) => sayJson(response, 400, {})
    const id = await record()
    await bellhop.transcribe()
    bellhop.clock.advance(24 * 60 * 60_000)
    await bellhop.transcribe()
    expect(await readCall(id)).toMatchObject({ transcription: null, transcription_status: 'failed' })
    expect((await standing()).failures).toMatchObject([{ failure, count: 1 }])
    expect(peer.asked.length).toBeLessThan(2)
  })
})

/** An installation without an endpoint, for several tests: its engine takes seconds of CPU time to start. */
const withoutEndpoint = lazyAsync(() => harness())

/** A recorded call of another installation; returns its path. */
async function recordAt(
  { db, dataDir }: Harness,
  owner: TestCompany,
  { language, recording }: { language: string; recording: Buffer },
): Promise<string> {
  const business_number_id = await newNumber(owner, { language })
  const id = await newCall(owner, { business_number_id, answered_at: new Date() })
  const key = `recordings/${id}.wav`
  const file = join(dataDir, 'files', key)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, recording)
  await db.tx((tx) => recordingStored(tx, owner.companyId, id, { key }))
  return `/calls/${encodeId('cal', id)}`
}

test.each([
  ['da', 'unsupported_language', 'language'],
  ['en', 'not_understood', 'not_understood'],
])('without an endpoint, Danish on a number in the language %s is %s', async (language, status, failure) => {
  const text = 'Hej, jeg ringer om min bestilling, som ikke er kommet endnu.'
  const danish = throughTelephone(await sharedSpeaker().speak({ text, language: 'da' }))
  const plain = await withoutEndpoint()
  const owner = await plain.newCompany()
  const path = await recordAt(plain, owner, { language, recording: recordingOf(danish) })
  await plain.transcribe()
  const { body } = await owner.api.get(path)
  expect(body).toMatchObject({ transcription: null, transcription_status: status })
  const { failures } = await readTranscriptionStatus(plain.db.sql, owner.companyId)
  expect(failures).toMatchObject([{ failure, count: 1 }])
})

test('companies take turns, however much one of them has waiting', async () => {
  const many = company
  const served: string[] = []
  const recording = recordingOf(speech)
  const ids = new Map<string, string>()
  for (let i = 0; i < 5; i++) ids.set(await recordedCall(recording), 'many')
  company = await bellhop.newCompany()
  numberId = await newNumber(company, { language: 'en' })
  for (let i = 0; i < 2; i++) ids.set(await recordedCall(recording), 'few')
  peer.answer = async (_, response) => {
    const done = await bellhop.db.sql<{ id: string }[]>`select id from calls where transcription is not null`
    served.push([...ids].find(([id]) => done.some((row) => row.id === id) && ids.delete(id))?.[1] ?? '')
    sayJson(response, 200, { text: 'Yes.' })
  }
  await bellhop.transcribe()
  // As seen at the next request: the previous one is done.
  expect(served.slice(1, 5).toSorted()).toEqual(['few', 'few', 'many', 'many'])
  expect(served.slice(5)).toEqual(['many', 'many'])
  expect((await readTranscriptionStatus(bellhop.db.sql, many.companyId)).waiting).toBe(0)
})

test('without any setting, a call in English is transcribed on this machine, by speaker', async () => {
  const plain = await withoutEndpoint()
  const owner = await plain.newCompany()
  const [question, answer] = [sounds[0]!, sounds[5]!]
  const recording = recordingOf(question, arrange([question.length / 8_000 + 1, answer]))
  const path = await recordAt(plain, owner, { language: 'en', recording })
  await plain.transcribe()
  const { transcription_segments: segments, summary } = (await owner.api.get(path)).body
  expect(segments).toHaveLength(2)
  expect(wordErrorRate(SENTENCES[0]!, segments[0].text)).toBeLessThan(0.15)
  expect(wordErrorRate(SENTENCES[5]!, segments[1].text)).toBeLessThan(0.15)
  expect(summary).toMatch(/^\+4520112233 called: “.*bicycle.*” Fixture promised: “I will call you back .*”$/)
})
