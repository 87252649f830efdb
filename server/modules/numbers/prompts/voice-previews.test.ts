import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { newNumber } from '../../../../test/harness/calls/telephony.ts'
import { type Harness, harness, type TestCompany } from '../../../../test/harness/index.ts'
import { analyseWav } from '../../../../test/harness/sound/wav-analysis.ts'
import { encodeId } from '../../../platform/ids.ts'

let bellhop: Harness
let company: TestCompany
let path: string

beforeAll(async () => {
  bellhop = await harness()
})

beforeEach(async () => {
  company = await bellhop.newCompany()
  path = await previewsOf(company)
})

const HOUR_MS = 60 * 60 * 1000

const previewsOf = async (owner: TestCompany, language = 'da') =>
  `/business_numbers/${encodeId('num', await newNumber(owner, { language, mute: true }))}/voice_previews`

const preview = (owner = company, at = path) => owner.api.post(at, { kind: 'greeting', text: 'Hej.' })

/** As if the company had just created this many. */
async function madePreviews({ companyId }: TestCompany, count: number) {
  const { db, clock } = bellhop
  await db.sql`
    insert into voice_previews (company_id, created_at)
    select ${companyId}, ${clock.now()} from generate_series(1, ${count})`
}

async function savedPreviews(): Promise<number> {
  const rows = await bellhop.db.sql`select 1 from voice_previews where company_id = ${company.companyId}`
  return rows.length
}

const storedFiles = () => readdir(join(bellhop.dataDir, 'files/previews')).catch(() => [])

describe('a voice preview', () => {
  test('of each kind is synthesised at once and plays without a credential for an hour', async () => {
    const text = 'Velkommen til Nordlys, et øjeblik.'
    const urls: string[] = []
    for (const kind of ['welcome', 'greeting', 'message', 'prompt']) {
      const { status, body } = await company.api.post(path, { kind, text })
      expect(status, kind).toBe(201)
      expect(body).toEqual({
        signed_id: expect.stringMatching(/^pre_[0-9a-z]{26}\.[\w-]{20,}$/),
        audio_url: expect.stringContaining(`${bellhop.url}/files/`),
        expires_at: new Date(bellhop.clock.now().getTime() + HOUR_MS).toISOString(),
      })
      const response = await fetch(body.audio_url)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('audio/wav')
      const { seconds, level, loudnessSpreadDb } = analyseWav(Buffer.from(await response.arrayBuffer()))
      expect(seconds / text.length).toBeGreaterThan(0.04)
      expect(seconds / text.length).toBeLessThan(0.12)
      expect(level).toBeGreaterThan(0.05)
      expect(loudnessSpreadDb).toBeGreaterThan(4)
      urls.push(body.audio_url)
    }
    // One hour for all kinds: the engine stops after minutes without work, and takes seconds to start.
    bellhop.clock.advance(HOUR_MS + 1000)
    for (const url of urls) expect((await fetch(url)).status).toBe(403)
  })

  test('of a text that callers hear already is what they hear', async () => {
    const greeting = 'Læg en besked efter tonen.'
    const incoming = { type: 'VoicemailConfig', greeting } as const
    const id = await newNumber(company, { language: 'da', incoming })
    await bellhop.drainJobs()
    const [prompt] = await bellhop.db.sql<{ audio_key: string }[]>`
      select audio_key from prompts where business_number_id = ${id} and text = ${greeting}`
    // The voice would say it in the same way again, so it is replaced.
    const heard = Buffer.from('what callers hear')
    await writeFile(join(bellhop.dataDir, 'files', prompt!.audio_key), heard)
    const { body } = await company.api.post(`/business_numbers/${encodeId('num', id)}/voice_previews`, {
      kind: 'greeting',
      text: greeting,
    })
    expect(Buffer.from(await (await fetch(body.audio_url)).arrayBuffer()).equals(heard)).toBe(true)
  })

  test('speaks the language of its number', async () => {
    const wavs = []
    for (const language of ['da', 'en', 'de']) {
      const body = { kind: 'prompt', text: 'Information 112' }
      const { body: made } = await company.api.post(await previewsOf(company, language), body)
      wavs.push(Buffer.from(await (await fetch(made.audio_url)).arrayBuffer()).toString('base64'))
    }
    expect(new Set(wavs).size).toBe(3)
  })

  test('leaves the number as it is', async () => {
    const number = path.replace('/voice_previews', '')
    const before = (await company.api.get(number)).body
    expect((await preview()).status).toBe(201)
    expect((await company.api.get(number)).body).toEqual(before)
  })

  test('can be made under the older path', async () => {
    expect((await preview(company, path.replace('business_numbers', 'main_numbers'))).status).toBe(201)
  })

  test('is deleted when it expires, and not before', async () => {
    const { body } = await preview()
    await bellhop.drainJobs()
    expect((await fetch(body.audio_url)).status).toBe(200)
    const [, id] = body.audio_url.match(/previews\/(.+)\.wav/)
    expect(await storedFiles()).toContain(`${id}.wav`)

    // The hour is over.
    const jobs = await bellhop.db.sql<{ due: Date }[]>`
      update graphile_worker._private_jobs job set run_at = now()
      from (select id, run_at from graphile_worker._private_jobs) before
      where before.id = job.id and job.payload->>'previewId' = ${id} returning before.run_at as due`
    expect(jobs.map(({ due }) => due.toISOString())).toEqual([body.expires_at])
    await bellhop.drainJobs()
    expect(await storedFiles()).not.toContain(`${id}.wav`)
    expect((await fetch(body.audio_url)).status).toBe(404)
    expect(await savedPreviews()).toBe(0)
  })
})

describe('a refused voice preview', () => {
  test.each([
    [{ kind: 'song', text: 'Hej.' }, 'invalid_kind'],
    [{ kind: '', text: 'Hej.' }, 'invalid_kind'],
    [{ kind: null, text: 'Hej.' }, 'invalid_kind'],
    [{ kind: 7, text: 'Hej.' }, 'invalid_kind'],
    [{ text: 'Hej.' }, 'invalid_kind'],
    [{}, 'invalid_kind'],
    [[], 'invalid_kind'],
    ['greeting', 'invalid_kind'],
    [null, 'invalid_kind'],
    [{ kind: 'greeting' }, 'blank_text'],
    [{ kind: 'greeting', text: '' }, 'blank_text'],
    [{ kind: 'greeting', text: ' \n\t ' }, 'blank_text'],
    [{ kind: 'greeting', text: null }, 'blank_text'],
    [{ kind: 'greeting', text: '?! 👋' }, 'blank_text'],
  ])('%j is 422 with the code %s', async (body, code) => {
    const answer = await company.api.post(path, body)
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ error: code, code, message: expect.stringMatching(/\.$/) })
    expect(Object.keys(answer.body.errors)).toEqual([code === 'invalid_kind' ? 'kind' : 'text'])
    expect(await savedPreviews()).toBe(0)
  })

  test.each([['x'.repeat(4_001)], [7], [['Hej.']]])(
    'for an invalid or too long text names the text',
    async (text) => {
      const answer = await company.api.post(path, { kind: 'greeting', text })
      expect(answer.status).toBe(422)
      expect(answer.body).toMatchObject({
        error: 'validation_failed',
        code: 'validation_failed',
        errors: { text: [expect.any(String)] },
      })
      expect(await savedPreviews()).toBe(0)
    },
  )

  test('for a number of another company is 404, whatever the body', async () => {
    const other = await bellhop.newCompany()
    expect((await preview(other)).status).toBe(404)
    expect((await other.api.post(path, { kind: 'song' })).status).toBe(404)
  })

  test('in letters that the voice cannot say is 422, and names the language', async () => {
    const { status, body } = await company.api.post(path, { kind: 'greeting', text: '你好' })
    expect(status).toBe(422)
    expect(body).toMatchObject({
      error: 'validation_failed',
      code: 'validation_failed',
      errors: { text: ['cannot be spoken in Danish (da), the language of the number'] },
    })
    expect(await savedPreviews()).toBe(0)
  })

  test('that cannot be synthesised is 500, says so, and leaves no file', async () => {
    const before = await storedFiles()
    const english = await previewsOf(company, 'en')
    const { status, body } = await company.api.post(english, { kind: 'greeting', text: 'ǀǁǂǃ' })
    expect(status).toBe(500)
    expect(body).toEqual({
      error: 'speech_failed',
      message: expect.stringContaining('could not be synthesised'),
    })
    expect(await storedFiles()).toEqual(before)
    expect((await preview()).status).toBe(201)
  })
})

describe('the limit of 30 a minute', () => {
  test('applies to the company over all its numbers, and to no other company', async () => {
    await madePreviews(company, 29)
    expect((await preview()).status).toBe(201)
    for (const at of [path, await previewsOf(company)]) {
      const { status, headers, body } = await preview(company, at)
      expect(status).toBe(429)
      expect(headers.get('retry-after')).toBe('60')
      expect(body).toEqual({ error: 'rate_limited', message: expect.stringContaining('30') })
    }
    const other = await bellhop.newCompany()
    expect((await preview(other, await previewsOf(other))).status).toBe(201)
  })

  test('is over a minute later, and not sooner', async () => {
    await madePreviews(company, 30)
    bellhop.clock.advance(59_999)
    expect((await preview()).status).toBe(429)
    bellhop.clock.advance(1)
    expect((await preview()).status).toBe(201)
  })

  test('holds for concurrent requests', async () => {
    await madePreviews(company, 28)
    const answers = await Promise.all(Array.from({ length: 5 }, () => preview()))
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual([
      '201',
      '201',
      '429',
      '429',
      '429',
    ])
  })

  test('does not count refused requests', async () => {
    await madePreviews(company, 29)
    await company.api.post(path, { kind: 'song', text: 'Hej.' })
    await company.api.post(path, { kind: 'greeting', text: '' })
    expect((await preview()).status).toBe(201)
  })
})
