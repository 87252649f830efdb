import { access, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { newCall, newNumber, newVoicemail } from '../../../test/harness/calls/telephony.ts'
import { type Harness, harness, type TestCompany } from '../../../test/harness/index.ts'
import { encodeId } from '../../platform/ids.ts'
import { VOICEMAIL_LIMITS } from './limits.ts'

let bellhop: Harness
let company: TestCompany

beforeAll(async () => {
  bellhop = await harness()
})

beforeEach(async () => {
  company = await bellhop.newCompany()
})

const NOT_FOUND = { error: 'not_found', message: expect.any(String) }
const UNKNOWN = '01h455vb4pex5vsknk084sn02q'
const MINUTE_MS = 60_000

const pathOf = (id: string) => `/voicemails/${encodeId('voi', id)}`
const read = async (id: string) => (await company.api.get(pathOf(id))).body
const list = async ({ api } = company) => (await api.get('/voicemails')).body

describe('the list of voicemails', () => {
  test('is empty, and counts none, for a company without', async () => {
    const { status, body } = await company.api.get('/voicemails')
    expect(status).toBe(200)
    expect(body).toEqual({ unlistened_count: 0, voicemails: [] })
  })

  test('has every field of the contract, under the names of the list', async () => {
    const business_number_id = await newNumber(company, { number: '+4572000001', name: 'Sales', mute: true })
    const id = await newVoicemail(company, {
      business_number_id,
      call_id: await newCall(company, { business_number_id }),
      from_number: '+4520112233',
      transcription: 'Please call back.',
      recording_key: 'recordings/one.wav',
      listened_at: new Date('2026-03-01T10:00:00.000Z'),
    })
    await company.api.post('/contacts', { phone: '+4520112233', company_name: 'Dahl & Co' })
    expect(await list()).toEqual({
      unlistened_count: 0,
      voicemails: [
        {
          id: encodeId('voi', id),
          from: '+4520112233',
          listened_at: '2026-03-01T10:00:00.000Z',
          transcription: 'Please call back.',
          transcription_status: 'done',
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          recording_url: expect.stringContaining('/files/recordings/one.wav?'),
          contact_name: 'Dahl & Co',
          duration: null,
          main_number_id: encodeId('num', business_number_id),
          main_number_name: 'Sales',
          main_number: '+4572000001',
          main_number_formatted: '+45 72 00 00 01',
        },
      ],
    })
  })

  test('has null for fields that are not known yet', async () => {
    await newVoicemail(company)
    expect((await list()).voicemails).toEqual([
      expect.objectContaining({ listened_at: null, transcription: null, recording_url: null }),
    ])
  })

  test('has the newest first, and counts those that were not listened to', async () => {
    const business_number_id = await newNumber(company, { mute: true })
    const ids = [
      await newVoicemail(company, { business_number_id }),
      await newVoicemail(company, { business_number_id, listened_at: new Date() }),
      await newVoicemail(company, { business_number_id }),
    ]
    const { unlistened_count, voicemails } = await list()
    expect(unlistened_count).toBe(2)
    expect(voicemails.map((voicemail: { id: string }) => voicemail.id)).toEqual(
      ids.toReversed().map((id) => encodeId('voi', id)),
    )
  })

  test('neither shows nor counts those of another company', async () => {
    await newVoicemail(await bellhop.newCompany())
    expect(await list()).toEqual({ unlistened_count: 0, voicemails: [] })
  })

  test('has each once, newest first, however many there are', async () => {
    const business_number_id = await newNumber(company, { mute: true })
    // 1,000 is a multiple of the batch size, so the last batch is empty.
    for (const [more, total] of [
      [1_000, 1_000],
      [201, 1_201],
    ] as const) {
      await bellhop.db.sql`
        insert into voicemails (company_id, business_number_id, from_number)
        select ${company.companyId}, ${business_number_id}, '+4520112233' from generate_series(1, ${more})`
      const rows = await bellhop.db.sql<{ id: string }[]>`
        select id from voicemails where company_id = ${company.companyId} order by id desc`
      const { unlistened_count, voicemails } = await list()
      expect(unlistened_count).toBe(total)
      expect(voicemails).toHaveLength(total)
      expect(voicemails.map((voicemail: { id: string }) => voicemail.id)).toEqual(
        rows.map(({ id }) => encodeId('voi', id)),
      )
    }
  })
})

describe('a voicemail', () => {
  test('has every field of the contract, under the longer names', async () => {
    const business_number_id = await newNumber(company, { number: '+4572000002', name: 'Sales', mute: true })
    const id = await newVoicemail(company, { business_number_id, recording_key: 'recordings/one.wav' })
    const { status, body } = await company.api.get(pathOf(id))
    expect(status).toBe(200)
    expect(body).toEqual({
      id: encodeId('voi', id),
      from: '+4520112233',
      listened_at: null,
      transcription: null,
      transcription_status: 'no_speech',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      recording_url: expect.stringContaining('/files/recordings/one.wav?'),
      contact_name: null,
      duration: null,
      main_number_id: encodeId('num', business_number_id),
      main_number_name: 'Sales',
      main_number_number: '+4572000002',
      main_number_number_formatted: '+45 72 00 00 02',
    })
  })

  test.each(['get', 'patch', 'delete'] as const)('that does not exist, %s, is not found', async (method) => {
    const foreign = encodeId('voi', await newVoicemail(await bellhop.newCompany()))
    for (const id of [`voi_${UNKNOWN}`, foreign, `cal_${UNKNOWN}`, 'voi_x']) {
      const { status, body } = await company.api[method](
        `/voicemails/${id}`,
        method === 'patch' ? { listened: true } : undefined,
      )
      expect(status, id).toBe(404)
      expect(body).toEqual(NOT_FOUND)
    }
  })

  test('of another company is neither marked nor deleted', async () => {
    const other = await bellhop.newCompany()
    const id = await newVoicemail(other)
    await company.api.patch(pathOf(id), { listened: true })
    await company.api.delete(pathOf(id))
    expect((await other.api.get(pathOf(id))).body).toMatchObject({ listened_at: null })
  })
})

const form = (text: string, type = 'application/x-www-form-urlencoded') => ({
  method: 'PATCH',
  body: text,
  headers: { 'content-type': type },
})

describe('marking a voicemail', () => {
  test.each([true, 1])('as listened by %j sets the time and lowers the count', async (listened) => {
    const id = await newVoicemail(company)
    const { status, body } = await company.api.patch(pathOf(id), { listened })
    expect(status).toBe(200)
    expect(body.listened_at).toBe(bellhop.clock.now().toISOString())
    expect(body).toHaveProperty('main_number_number')
    expect(body).toEqual(await read(id))
    expect((await list()).unlistened_count).toBe(0)
  })

  test.each([false, 0])('as not listened by %j clears the time and raises the count', async (listened) => {
    const id = await newVoicemail(company, { listened_at: new Date() })
    const { status, body } = await company.api.patch(pathOf(id), { listened })
    expect(status).toBe(200)
    expect(body.listened_at).toBeNull()
    expect(body).toEqual(await read(id))
    expect((await list()).unlistened_count).toBe(1)
  })

  test.each(['true', '1'])('by a form with %s sets the time', async (text) => {
    const id = await newVoicemail(company)
    const { status, body } = await company.api.request(pathOf(id), form(`listened=${text}`))
    expect(status).toBe(200)
    expect(body.listened_at).toBe(bellhop.clock.now().toISOString())
    expect(body).toEqual(await read(id))
  })

  test.each(['false', '0'])('by a form with %s clears the time', async (text) => {
    const id = await newVoicemail(company, { listened_at: new Date() })
    const type = 'application/x-www-form-urlencoded; charset=UTF-8'
    const { status, body } = await company.api.request(pathOf(id), form(`listened=${text}&x=%00`, type))
    expect(status).toBe(200)
    expect(body.listened_at).toBeNull()
    expect(body).toEqual(await read(id))
  })

  test('again keeps the first time, until it is cleared', async () => {
    const id = await newVoicemail(company)
    const first = (await company.api.patch(pathOf(id), { listened: true })).body.listened_at
    bellhop.clock.advance(MINUTE_MS)
    expect((await company.api.patch(pathOf(id), { listened: true })).body.listened_at).toBe(first)
    await company.api.patch(pathOf(id), { listened: false })
    const anew = (await company.api.patch(pathOf(id), { listened: true })).body.listened_at
    expect(Date.parse(anew) - Date.parse(first)).toBe(MINUTE_MS)
  })

  test.each([{}, undefined])('with nothing to change, %j, returns the voicemail as it is', async (body) => {
    const id = await newVoicemail(company, { listened_at: new Date('2026-03-01T10:00:00.000Z') })
    const before = await read(id)
    const answer = await company.api.patch(pathOf(id), body)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual(before)
  })

  test('changes nothing else', async () => {
    const id = await newVoicemail(company, { transcription: 'Hello' })
    const before = await read(id)
    const { status, body } = await company.api.patch(pathOf(id), {
      id: `voi_${UNKNOWN}`,
      from: '+4599999999',
      listened_at: '2001-01-01T00:00:00Z',
      transcription: 'changed',
      recording_url: 'https://evil.example',
      main_number_name: 'changed',
    })
    expect(status).toBe(200)
    expect(body).toEqual(before)
  })

  test.each(['yes', 'TRUE', '', 2, -1, 0.5, null, [], {}])('by %j is refused', async (listened) => {
    const id = await newVoicemail(company)
    const { status, body } = await company.api.patch(pathOf(id), { listened })
    expect(status).toBe(422)
    expect(body).toEqual({
      error: 'validation_failed',
      message: 'listened must be true or false.',
      errors: { listened: ['must be true or false'] },
    })
    expect(await read(id)).toMatchObject({ listened_at: null })
  })

  test.each(['listened=', 'listened=on', 'listened=true&listened=maybe'])(
    'by the form %j is refused',
    async (text) => {
      const id = await newVoicemail(company)
      expect((await company.api.request(pathOf(id), form(text))).status).toBe(422)
      expect(await read(id)).toMatchObject({ listened_at: null })
    },
  )
})

/** No sequence of bytes occurs twice, so that a wrong range is noticed. */
const RECORDING = Buffer.from(Array.from({ length: 200 }, (_, i) => `${i}.`).join(''))

let recordings = 0

async function newRecording() {
  const key = `recordings/${company.companyId}/${++recordings}.wav`
  const file = join(bellhop.dataDir, 'files', key)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, RECORDING)
  return { key, file }
}

async function newRecordedVoicemail() {
  const { key, file } = await newRecording()
  const id = await newVoicemail(company, { recording_key: key })
  const url: string = (await read(id)).recording_url
  return { id, file, url }
}

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  )

describe('deleting a voicemail', () => {
  test('removes it from the list and the count, and then its recording', async () => {
    const { id, file, url } = await newRecordedVoicemail()
    const kept = await newRecordedVoicemail()
    const { status, body } = await company.api.delete(pathOf(id))
    expect(status).toBe(204)
    expect(body).toBeUndefined()
    expect((await company.api.get(pathOf(id))).status).toBe(404)
    expect(await list()).toMatchObject({
      unlistened_count: 1,
      voicemails: [{ id: encodeId('voi', kept.id) }],
    })
    await bellhop.drainJobs()
    expect(await exists(file)).toBe(false)
    expect((await fetch(url)).status).toBe(404)
    expect(await exists(kept.file)).toBe(true)
    expect((await company.api.delete(pathOf(id))).status).toBe(404)
  })

  test('works without a recording, and if the file is already gone', async () => {
    const bare = await newVoicemail(company)
    const lost = await newVoicemail(company, { recording_key: 'recordings/lost.wav' })
    for (const id of [bare, lost]) expect((await company.api.delete(pathOf(id))).status).toBe(204)
    await bellhop.drainJobs()
    const left = await bellhop.db
      .sql`select * from graphile_worker.jobs where task_identifier = 'files.remove'`
    expect(left).toEqual([])
  })

  test('keeps the call that it was left in', async () => {
    const call_id = await newCall(company)
    const id = await newVoicemail(company, { call_id })
    expect((await company.api.delete(pathOf(id))).status).toBe(204)
    expect((await company.api.get(`/calls/${encodeId('cal', call_id)}`)).status).toBe(200)
  })

  test.each([
    ['is deleted', {}, null],
    ['stays if the call has a transcript of its own', { transcription: 'Hi.' }, 'Wants a bell.'],
  ])('leaves nothing of its content: the summary of its call %s', async (_, words, summary) => {
    const call_id = await newCall(company, { summary: 'Wants a bell.', ...words })
    await company.api.delete(pathOf(await newVoicemail(company, { call_id, transcription: 'A bell.' })))
    expect((await company.api.get(`/calls/${encodeId('cal', call_id)}`)).body.summary).toBe(summary)
  })
})

async function fetchBytes(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers })
  return {
    status: response.status,
    headers: response.headers,
    text: Buffer.from(await response.arrayBuffer()).toString('latin1'),
  }
}

describe('the recording', () => {
  const whole = RECORDING.toString('latin1')
  const size = RECORDING.length

  test('is served completely to anybody who has the URL, without a credential', async () => {
    const { url } = await newRecordedVoicemail()
    const { status, headers, text } = await fetchBytes(url)
    expect(status).toBe(200)
    expect(text).toBe(whole)
    expect(headers.get('content-type')).toBe('audio/wav')
    expect(headers.get('content-length')).toBe(String(size))
    expect(headers.get('accept-ranges')).toBe('bytes')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('has its size in the response to HEAD', async () => {
    const { url } = await newRecordedVoicemail()
    const response = await fetch(url, { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-length')).toBe(String(size))
  })

  test.each([
    ['bytes=0-9', 0, 9],
    ['bytes=100-199', 100, 199],
    ['bytes=600-', 600, size - 1],
    ['bytes=-50', size - 50, size - 1],
    ['bytes=600-99999', 600, size - 1],
  ])('is served in part for the range %s', async (range, start, end) => {
    const { url } = await newRecordedVoicemail()
    const { status, headers, text } = await fetchBytes(url, { range })
    expect(status).toBe(206)
    expect(headers.get('content-range')).toBe(`bytes ${start}-${end}/${size}`)
    expect(headers.get('content-length')).toBe(String(end - start + 1))
    expect(text).toBe(whole.slice(start, end + 1))
  })

  test.each([`bytes=${size}-`, 'bytes=99999-', 'bytes=-0'])('has no range %s', async (range) => {
    const { url } = await newRecordedVoicemail()
    const { status, headers, text } = await fetchBytes(url, { range })
    expect(status).toBe(416)
    expect(headers.get('content-range')).toBe(`bytes */${size}`)
    expect(text).toBe('')
  })

  test.each(['bytes=0-1,5-6', 'bytes=9-5', 'lines=0-1', 'nonsense'])(
    'is served completely for the range %s',
    async (range) => {
      const { url } = await newRecordedVoicemail()
      const { status, headers, text } = await fetchBytes(url, { range })
      expect(status).toBe(200)
      expect(headers.get('content-range')).toBeNull()
      expect(text).toBe(whole)
    },
  )

  const REFUSED = { error: 'link_expired', message: expect.any(String) }

  test('is not served after an hour; by then there is a new URL', async () => {
    const { id, url } = await newRecordedVoicemail()
    bellhop.clock.advance(59 * MINUTE_MS)
    expect((await fetchBytes(url)).status).toBe(200)
    bellhop.clock.advance(2 * MINUTE_MS)
    const { status, text } = await fetchBytes(url)
    expect(status).toBe(403)
    expect(JSON.parse(text)).toEqual(REFUSED)
    expect((await fetchBytes((await read(id)).recording_url)).status).toBe(200)
  })

  test('is not served if the URL was changed', async () => {
    const { url } = await newRecordedVoicemail()
    const other = await newRecordedVoicemail()
    const change = (edit: (url: URL) => void) => {
      const changed = new URL(url)
      edit(changed)
      return changed.href
    }
    const signature = new URL(url).searchParams.get('signature')!
    const changed = {
      'another signature': change(({ searchParams }) =>
        searchParams.set('signature', (signature[0] === 'A' ? 'B' : 'A') + signature.slice(1)),
      ),
      'a shorter signature': change(({ searchParams }) =>
        searchParams.set('signature', signature.slice(0, 20)),
      ),
      'an empty signature': change(({ searchParams }) => searchParams.set('signature', '')),
      'no signature': change(({ searchParams }) => searchParams.delete('signature')),
      'two signatures': change(({ searchParams }) => searchParams.append('signature', signature)),
      'a later end': change(({ searchParams }) => searchParams.set('expires', '99999999999')),
      'no end': change(({ searchParams }) => searchParams.delete('expires')),
      'another file': change((link) => {
        link.pathname = new URL(other.url).pathname
      }),
      'a way out': url.replace('/recordings/', '/..%2f..%2frecordings/'),
      'no query': url.split('?')[0]!,
    }
    for (const [what, address] of Object.entries(changed)) {
      const { status, text } = await fetchBytes(address, { 'x-api-key': company.key })
      expect(status, what).toBe(403)
      expect(JSON.parse(text), what).toEqual(REFUSED)
    }
  })

  test('whose file is missing is not found', async () => {
    const id = await newVoicemail(company, { recording_key: 'recordings/lost.wav' })
    const { status, text } = await fetchBytes((await read(id)).recording_url)
    expect(status).toBe(404)
    expect(JSON.parse(text)).toEqual(NOT_FOUND)
  })

  test('of a call is served in the same way', async () => {
    const { key } = await newRecording()
    const call = await newCall(company, { recording_key: key })
    const { body } = await company.api.get(`/calls/${encodeId('cal', call)}`)
    expect((await fetchBytes(body.recording_url)).text).toBe(whole)
  })
})

describe('with a configured base URL', () => {
  let elsewhere: Harness

  beforeAll(async () => {
    elsewhere = await harness({ BELLHOP_BASE_URL: 'https://phone.example.com/' })
  })

  test('links to recordings start with it', async () => {
    const other = await elsewhere.newCompany()
    const id = await newVoicemail(other, { recording_key: 'recordings/one.wav' })
    const { recording_url } = (await other.api.get(pathOf(id))).body
    expect(recording_url).toMatch(/^https:\/\/phone\.example\.com\/files\/recordings\/one\.wav\?/)
  })
})

const search = async (query: string) => {
  const { body } = await company.api.get(`/voicemails/search?query=${encodeURIComponent(query)}`)
  return (body.voicemails as { transcription: string }[]).map(({ transcription }) => transcription)
}

describe('searching voicemails', () => {
  test('reads no more than the newest few thousand', async () => {
    const { searchedNewest } = VOICEMAIL_LIMITS
    const business_number_id = await newNumber(company)
    await newVoicemail(company, { business_number_id, transcription: 'The first walrus.' })
    await newVoicemail(company, { business_number_id, transcription: 'The second walrus.' })
    await bellhop.db.tx(async (tx) => {
      // Without triggers, which would put each of them into the inbox.
      await tx`set local session_replication_role = replica`
      await tx`
        insert into voicemails (company_id, business_number_id, from_number, transcription)
        select ${company.companyId}, ${business_number_id}, '+4520112233', 'Nothing.'
        from generate_series(2, ${searchedNewest})`
    })
    expect(await search('walrus')).toEqual(['The second walrus.'])
  })

  test('finds all the words in what was said, or in the name or number of the caller, newest first', async () => {
    const [chain, wheel] = ['The chain of my bike jumps.', 'Is the wheel of my bike ready? It is Søren.']
    await newVoicemail(company, { transcription: chain, from_number: '+4520304050' })
    await newVoicemail(company, { transcription: wheel, from_number: '+4520304051' })
    await newVoicemail(await bellhop.newCompany(), { transcription: chain })
    await company.api.post('/contacts', { phone: '+4520304050', name: 'Åse Møller' })
    expect(await search('bike')).toEqual([wheel, chain])
    expect(await search('BIKE chain')).toEqual([chain])
    expect(await search('ase bike')).toEqual([chain])
    expect(await search('soren')).toEqual([wheel])
    expect(await search('20 30 40 51')).toEqual([wheel])
    expect(await search('bike saddle')).toEqual([])
    expect(await search('%')).toEqual([])
  })

  test('without words has the newest ones, as many as are asked for', async () => {
    for (const transcription of ['One.', 'Two.', 'Three.']) await newVoicemail(company, { transcription })
    expect(await search(' ')).toEqual(['Three.', 'Two.', 'One.'])
    expect((await company.api.get('/voicemails/search?limit=1')).body.voicemails).toMatchObject([
      { transcription: 'Three.' },
    ])
  })
})
