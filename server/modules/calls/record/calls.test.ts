import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { newCall, newNumber } from '../../../../test/harness/calls/telephony.ts'
import { type Harness, harness, type TestCompany } from '../../../../test/harness/index.ts'
import { decodeId, encodeId } from '../../../platform/ids.ts'
import { indexCallContext } from '../index.ts'

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

/** Ids of the listed calls, as uuids, in the order of the response. */
async function listed(filter: Record<string, string> = {}, { api } = company): Promise<string[]> {
  const { status, body } = await api.get(`/calls?${new URLSearchParams(filter).toString()}`)
  expect(status).toBe(200)
  return (body.calls as { id: string }[]).map((call) => decodeId('cal', call.id)!)
}

const read = async (id: string) => (await company.api.get(`/calls/${encodeId('cal', id)}`)).body

async function newCalls(count: number): Promise<string[]> {
  const business_number_id = await newNumber(company)
  const ids: string[] = []
  for (let i = 0; i < count; i++) ids.push(await newCall(company, { business_number_id }))
  return ids
}

async function employ(name: string): Promise<{ id: string; uuid: string }> {
  const email = `${name.toLowerCase()}-${company.companyId}@example.com`
  const { body } = await company.api.post('/employees', { name, email })
  return { id: body.id, uuid: decodeId('emp', body.id)! }
}

describe('the list of calls', () => {
  test('is empty for a company without calls', async () => {
    const { status, body } = await company.api.get('/calls')
    expect(status).toBe(200)
    expect(body).toEqual({ calls: [] })
  })

  test('has the newest first, inbound and outbound together', async () => {
    const business_number_id = await newNumber(company)
    const ids: string[] = []
    for (const direction of ['inbound', 'outbound', 'outbound', 'inbound', 'outbound'])
      ids.push(await newCall(company, { business_number_id, direction }))
    expect(await listed()).toEqual(ids.toReversed())
  })

  test('shows a call as the single route does', async () => {
    const id = await newCall(company)
    expect((await company.api.get('/calls')).body.calls).toEqual([await read(id)])
  })

  test('has only calls of its own company', async () => {
    await newCall(await bellhop.newCompany())
    const own = await newCall(company)
    expect(await listed()).toEqual([own])
  })
})

describe('the limit of the list', () => {
  let newest: string[]

  beforeEach(async () => {
    newest = (await newCalls(52)).toReversed()
  })

  test.each([
    ['3', 3],
    ['1', 1],
    ['50', 50],
    ['7.9', 7],
    ['51', 50],
    ['1000000000000000000000', 50],
    ['0', 1],
    ['-5', 1],
    ['', 10],
    [' ', 10],
    ['many', 10],
    ['5x', 10],
    ['NaN', 10],
  ])('%j gives %i calls', async (limit, count) => {
    expect(await listed({ limit })).toEqual(newest.slice(0, count))
  })

  test('is 10 if not given', async () => {
    expect(await listed()).toEqual(newest.slice(0, 10))
  })
})

const after = (id: string) => ({ after: encodeId('cal', id) })

describe('the list after a call', () => {
  test('continues where the previous page ended, with the same filters', async () => {
    const [sales, support] = [await newNumber(company), await newNumber(company)]
    const wanted: string[] = []
    for (const direction of ['inbound', 'outbound', 'inbound', 'outbound', 'inbound']) {
      wanted.unshift(await newCall(company, { business_number_id: sales, direction }))
      await newCall(company, { business_number_id: support })
    }
    const filter = { main_number_id: encodeId('num', sales), limit: '2' }
    expect(await listed(filter)).toEqual(wanted.slice(0, 2))
    expect(await listed({ ...filter, ...after(wanted[1]!) })).toEqual(wanted.slice(2, 4))
    expect(await listed({ ...filter, ...after(wanted[3]!) })).toEqual(wanted.slice(4))
    expect(await listed({ ...filter, ...after(wanted[4]!) })).toEqual([])
  })

  test('continues in the order of relevance in a search', async () => {
    const business_number_id = await newNumber(company, { language: 'da' })
    for (const words of ['cykel', 'cykel cykel', 'cykel cykel cykel', 'lygte'])
      await newCall(company, { business_number_id, transcription: words })
    const query = { query: 'cykel' }
    const all = await listed(query)
    expect(all).toHaveLength(3)
    expect(await listed({ ...query, limit: '2' })).toEqual(all.slice(0, 2))
    expect(await listed({ ...query, ...after(all[1]!) })).toEqual(all.slice(2))
    expect(await listed({ ...query, ...after(all[2]!) })).toEqual([])
  })

  test('is empty for an id that is not a call, and shows nothing of another company', async () => {
    const own = await newCall(company)
    const foreign = await newCall(await bellhop.newCompany())
    for (const id of ['', 'cal_x', `num_${UNKNOWN}`]) expect(await listed({ after: id }), id).toEqual([])
    expect(await listed(after(foreign))).toEqual([own])
    expect(await listed({ ...after(foreign), query: 'anything' })).toEqual([])
  })
})

describe('filtering the list', () => {
  test('by business number', async () => {
    const [sales, support] = [await newNumber(company), await newNumber(company)]
    const wanted = await newCall(company, { business_number_id: sales })
    await newCall(company, { business_number_id: support })
    expect(await listed({ main_number_id: encodeId('num', sales) })).toEqual([wanted])
  })

  test('by a business number that is unknown, of another company, malformed or blank finds nothing', async () => {
    const foreign = await newNumber(await bellhop.newCompany())
    await newCall(company)
    for (const main_number_id of [`num_${UNKNOWN}`, encodeId('num', foreign), 'num_x', `cal_${UNKNOWN}`, ''])
      expect(await listed({ main_number_id }), main_number_id).toEqual([])
  })

  test.each(['+4520112233', '20112233', '20 11 22 33', '004520112233', ' +45 20-11-22-33 '])(
    'by the external number, written as %j',
    async (phone_number) => {
      const [inbound, outbound] = [
        await newCall(company, { remote_number: '+4520112233' }),
        await newCall(company, { remote_number: '+4520112233', direction: 'outbound' }),
      ]
      await newCall(company, { remote_number: '+4520112234' })
      expect(await listed({ phone_number })).toEqual([outbound, inbound])
    },
  )

  test('reads a national number as in the company’s country', async () => {
    company = await bellhop.newCompany({ country: 'SE' })
    const swedish = await newCall(company, { remote_number: '+46701234567' })
    await newCall(company, { remote_number: '+4570123456' })
    expect(await listed({ phone_number: '070-123 45 67' })).toEqual([swedish])
  })

  test('by a business number as if it were the external number finds nothing', async () => {
    await newCall(company, { business_number_id: await newNumber(company, { number: '+4578901234' }) })
    expect(await listed({ phone_number: '+4578901234' })).toEqual([])
  })

  test.each(['', 'anna', '12', '+', '+4520112233,+4520112234', '9'.repeat(500), '%', '\0'])(
    'by an invalid phone number, %j, finds nothing',
    async (phone_number) => {
      await newCall(company)
      expect(await listed({ phone_number })).toEqual([])
    },
  )

  test('by direction', async () => {
    const inbound = await newCall(company, { direction: 'inbound' })
    const outbound = await newCall(company, { direction: 'outbound' })
    expect(await listed({ direction: 'inbound' })).toEqual([inbound])
    expect(await listed({ direction: 'outbound' })).toEqual([outbound])
  })

  test.each(['sideways', 'INBOUND', ''])('an unknown direction, %j, is refused', async (direction) => {
    const { status, body } = await company.api.get(`/calls?direction=${encodeURIComponent(direction)}`)
    expect(status).toBe(422)
    expect(body).toEqual({
      error: 'validation_failed',
      message: 'direction must be "inbound" or "outbound".',
      errors: { direction: ['must be "inbound" or "outbound"'] },
    })
  })

  test('by each state', async () => {
    const states = 'initiated queued answered playing_audio transferring recording bridged ended'.split(' ')
    const business_number_id = await newNumber(company)
    const ids: string[] = []
    for (const state of states) ids.push(await newCall(company, { business_number_id, state }))
    for (const [i, state] of states.entries()) expect(await listed({ state }), state).toEqual([ids[i]])
  })

  test('an unknown state is ignored', async () => {
    const ids = [await newCall(company), await newCall(company, { state: 'bridged', ended_at: null })]
    for (const state of ['missed', 'ENDED', '', '\0'])
      expect(await listed({ state }), state).toEqual(ids.toReversed())
  })

  test('an unknown filter is ignored', async () => {
    const id = await newCall(company)
    expect(await listed({ employee: 'x', offset: '5' })).toEqual([id])
  })

  test('by all of them at once keeps only calls that match each, newest first', async () => {
    const [sales, support] = [await newNumber(company), await newNumber(company)]
    const match = {
      business_number_id: sales,
      remote_number: '+4520112233',
      direction: 'outbound',
      state: 'bridged',
    }
    const matching = [
      await newCall(company, match),
      await newCall(company, match),
      await newCall(company, match),
    ]
    await newCall(company, { ...match, business_number_id: support })
    await newCall(company, { ...match, remote_number: '+4520112234' })
    await newCall(company, { ...match, direction: 'inbound' })
    await newCall(company, { ...match, state: 'ended' })
    const filter = {
      main_number_id: encodeId('num', sales),
      phone_number: '20112233',
      direction: 'outbound',
      state: 'bridged',
    }
    expect(await listed(filter)).toEqual(matching.toReversed())
    expect(await listed({ ...filter, limit: '2' })).toEqual(matching.toReversed().slice(0, 2))
  })
})

const at = (time: string | null) => (time === null ? null : new Date(`2026-03-01T${time}.000Z`))

describe('a call', () => {
  test('inbound has every field of the contract, and no initiator', async () => {
    const business_number_id = await newNumber(company, { number: '+4571000001', name: 'Sales' })
    const [anna, bo] = [await employ('Anna'), await employ('Bo')]
    const id = await newCall(company, {
      business_number_id,
      remote_number: '+4520112233',
      started_at: new Date('2026-03-01T10:00:00.000Z'),
      answered_at: new Date('2026-03-01T10:00:12.000Z'),
      ended_at: new Date('2026-03-01T10:02:17.000Z'),
      summary: 'A bike was ordered.',
      transcription: 'Hello, I want a bike.',
      recording_key: 'recordings/one.wav',
    })
    const segments = [
      { speaker: 'Caller', text: 'Hello, I want a bike.' },
      { speaker: 'Anna', text: 'Which one?', employee_id: anna.uuid },
    ]
    const { sql } = bellhop.db
    await sql`update calls set transcription_segments = ${sql.json(segments)} where id = ${id}`
    for (const [i, { uuid }] of [bo, anna].entries())
      await sql`
        insert into call_employees (company_id, call_id, employee_id, joined_at)
        values (${company.companyId}, ${id}, ${uuid}, ${new Date(i * 1000)})`
    await company.api.post('/contacts', { phone: '+4520112233', name: 'Mikkel Dahl' })
    const { status, body } = await company.api.get(`/calls/${encodeId('cal', id)}`)
    expect(status).toBe(200)
    expect(body).toEqual({
      id: encodeId('cal', id),
      from: '+4520112233',
      to: '+4571000001',
      direction: 'inbound',
      state: 'ended',
      started_at: '2026-03-01T10:00:00.000Z',
      answered_at: '2026-03-01T10:00:12.000Z',
      duration: 125,
      summary: 'A bike was ordered.',
      transcription: 'Hello, I want a bike.',
      transcription_segments: [
        { speaker: 'Caller', text: 'Hello, I want a bike.' },
        { speaker: 'Anna', text: 'Which one?', employee_id: anna.id },
      ],
      transcription_status: 'done',
      contact_name: 'Mikkel Dahl',
      wrap_up: null,
      main_number_id: encodeId('num', business_number_id),
      main_number_name: 'Sales',
      main_number: '+4571000001',
      main_number_formatted: '+45 71 00 00 01',
      recording_url: expect.stringContaining('/files/recordings/one.wav?'),
      employees: [
        { id: bo.id, name: 'Bo' },
        { id: anna.id, name: 'Anna' },
      ],
    })
  })

  test('with little information has null for the rest', async () => {
    const id = await newCall(company, { state: 'initiated', started_at: null, ended_at: null })
    expect(await read(id)).toMatchObject({
      state: 'initiated',
      started_at: null,
      answered_at: null,
      duration: null,
      summary: null,
      transcription: null,
      transcription_segments: null,
      transcription_status: null,
      contact_name: null,
      recording_url: null,
      employees: [],
    })
  })

  test('has no transcript if an earlier version stored an empty one, because nobody spoke', async () => {
    const id = await newCall(company, { transcription: '', recording_key: 'recordings/one.wav' })
    await bellhop.db.sql`update calls set transcription_segments = '[]' where id = ${id}`
    expect(await read(id)).toMatchObject({
      transcription: null,
      transcription_segments: null,
      transcription_status: 'no_speech',
    })
  })

  test('outbound comes from the business number and names the employee who dialled', async () => {
    const anna = await employ('Anna')
    const business_number_id = await newNumber(company, { number: '+4571000002' })
    const call = { business_number_id, direction: 'outbound', initiated_by: anna.uuid }
    const body = await read(await newCall(company, call))
    expect(body).toMatchObject({
      from: '+4571000002',
      to: '+4520112233',
      initiated_by: { id: anna.id, name: 'Anna' },
    })
  })

  test('survives the deletion of the employee who dialled and took part', async () => {
    // A new number rings every employee, and an employee whom a number rings cannot be deleted.
    const business_number_id = await newNumber(company)
    const anna = await employ('Anna')
    const id = await newCall(company, {
      business_number_id,
      direction: 'outbound',
      initiated_by: anna.uuid,
    })
    await bellhop.db.sql`
      insert into call_employees (company_id, call_id, employee_id)
      values (${company.companyId}, ${id}, ${anna.uuid})`
    expect((await company.api.delete(`/employees/${anna.id}`)).status).toBe(204)
    const person = { id: anna.id, name: 'Anna' }
    expect(await read(id)).toMatchObject({ initiated_by: person, employees: [person] })
  })

  test.each([
    ['in progress and answered', '10:00:05', null, null],
    ['that nobody has answered yet', null, null, null],
    ['that ended unanswered', null, '10:01:00', 0],
    ['that ended as it was answered', '10:01:00', '10:01:00', 0],
    ['that was answered and ended', '10:00:05', '10:01:15', 70],
  ])('%s has a duration from its answer to its end, in seconds', async (_, answered, ended, duration) => {
    const id = await newCall(company, {
      state: ended ? 'ended' : 'bridged',
      started_at: at('10:00:00'),
      answered_at: at(answered),
      ended_at: at(ended),
    })
    expect((await read(id)).duration).toBe(duration)
  })

  test('has a recording only once it has ended, and if there is one', async () => {
    const running = { state: 'bridged', ended_at: null }
    const recorded = { recording_key: 'recordings/x.wav' }
    expect((await read(await newCall(company, { ...running, ...recorded }))).recording_url).toBeNull()
    expect((await read(await newCall(company))).recording_url).toBeNull()
    const url: string = (await read(await newCall(company, recorded))).recording_url
    expect(url.startsWith(`${bellhop.url}/files/recordings/x.wav?`)).toBe(true)
  })

  test.each([`cal_${UNKNOWN}`, `voi_${UNKNOWN}`, 'cal_x', 'nothing', '%00'])(
    'is not found by %s',
    async (id) => {
      const { status, body } = await company.api.get(`/calls/${id}`)
      expect(status).toBe(404)
      expect(body).toEqual(NOT_FOUND)
    },
  )

  test('of another company is not found', async () => {
    const foreign = await newCall(await bellhop.newCompany())
    const { status, body } = await company.api.get(`/calls/${encodeId('cal', foreign)}`)
    expect(status).toBe(404)
    expect(body).toEqual(NOT_FOUND)
  })
})

const spoken = (business_number_id: string, transcription: string, more: object = {}) =>
  newCall(company, { business_number_id, transcription, ...more })

describe('searching transcriptions', () => {
  let danish: string
  let english: string

  beforeEach(async () => {
    danish = await newNumber(company, { language: 'da' })
    english = await newNumber(company, { language: 'en' })
  })

  test('finds other forms of a word in the language of the number', async () => {
    const bikes = await spoken(english, 'I ordered two bicycles and they were delivered yesterday.')
    const cykler = await spoken(danish, 'Jeg har bestilt cyklerne, men de er ikke kommet.')
    await spoken(english, 'Is the shop open on Sunday?')
    for (const query of ['bicycle', 'Bicycles', 'delivering', 'ordering bicycles'])
      expect(await listed({ query }), query).toEqual([bikes])
    for (const query of ['cykler', 'CYKLERNE', 'bestilte', 'cykler bestilte'])
      expect(await listed({ query }), query).toEqual([cykler])
  })

  test('finds names and words of another language as they were spoken', async () => {
    const id = await spoken(danish, 'Det er Mikkel Sørensen, jeg ringer om jeres meetings i København.')
    for (const query of ['sørensen', 'meetings', 'københavn', 'Mikkel'])
      expect(await listed({ query }), query).toEqual([id])
  })

  test('requires every word, in any order', async () => {
    const both = await spoken(english, 'The red bicycle has a flat tyre.')
    await spoken(english, 'The red car has a flat tyre.')
    await spoken(english, 'My bicycle is blue.')
    expect(await listed({ query: 'bicycle red' })).toEqual([both])
  })

  test('accepts some of the words if no call has all, and ranks the rarest words first', async () => {
    const seldom = await spoken(english, 'The bicycle is ready.')
    const often = [
      await spoken(english, 'A red car.'),
      await spoken(english, 'A red bus.'),
      await spoken(english, 'A red door.'),
    ]
    const two = await spoken(english, 'A red tandem.')
    await spoken(english, 'A blue car.')
    expect(await listed({ query: 'where is the red bicycle, the tandem?' })).toEqual([
      two,
      seldom,
      ...often.toReversed(),
    ])
    expect(await listed({ query: 'who are they and where?' })).toEqual([])
  })

  test('finds compounds that begin with a word, if no call has the word itself', async () => {
    const shop = await spoken(danish, 'Er det cykelværkstedet på torvet?')
    expect(await listed({ query: 'cykel' })).toEqual([shop])
    const word = await spoken(danish, 'Min cykel er væk.')
    expect(await listed({ query: 'cykel' })).toEqual([word])
  })

  test('has the most relevant first, and the newest among equals', async () => {
    const often = await spoken(english, 'Invoice, invoice, invoice: the invoice is wrong.')
    const once = await spoken(english, 'The invoice is wrong.')
    const again = await spoken(english, 'The invoice is wrong.')
    expect(await listed({ query: 'invoice' })).toEqual([often, again, once])
    expect(await listed({ query: 'invoice', limit: '1' })).toEqual([often])
  })

  test('ranks adjacent words above words far apart', async () => {
    const near = await spoken(english, 'A broken window needs repair.')
    const apart = await spoken(english, `Broken is ${'something else '.repeat(40)} and then a window.`)
    expect(await listed({ query: 'broken window' })).toEqual([near, apart])
  })

  test('leaves out calls without a transcription', async () => {
    await newCall(company, { business_number_id: english, summary: 'The caller wants a bicycle.' })
    expect(await listed({ query: 'bicycle' })).toEqual([])
  })

  test('finds a call once it is transcribed, by its current transcript', async () => {
    const id = await newCall(company, { business_number_id: english })
    const transcribe = (text: string) =>
      bellhop.db.sql`update calls set transcription = ${text} where id = ${id}`
    await transcribe('About a bicycle.')
    expect(await listed({ query: 'bicycles' })).toEqual([id])
    await transcribe('About a car.')
    expect(await listed({ query: 'bicycles' })).toEqual([])
    expect(await listed({ query: 'cars' })).toEqual([id])
  })

  test('finds a transcribed call by the caller context that was saved with it', async () => {
    const { companyId, db } = company
    const save = (id: string, text: string | null) => db.tx((tx) => indexCallContext(tx, companyId, id, text))
    const id = await spoken(english, 'Where is my order?')
    const silent = await newCall(company, { business_number_id: english })
    for (const call of [id, silent]) await save(call, 'Orders: two bicycles, shipped')
    expect(await listed({ query: 'bicycle order' })).toEqual([id])
    await db.sql`update calls set transcription = 'Hello?' where id = ${silent}`
    expect(await listed({ query: 'bicycle' })).toEqual([silent, id])
    await save(silent, null)
    expect(await listed({ query: 'bicycle' })).toEqual([id])
  })

  test('searches every slice of the calls of the company', async () => {
    /** A slice starts at an id with this ending. */
    const beginning = (nth: number) => `0${nth}a1ddb6-8201-7010-9cb6-${company.companyId.slice(24, 33)}000`
    const wanted = [await spoken(english, 'About a bicycle.')]
    for (const nth of [5, 6, 7])
      wanted.unshift(await spoken(english, 'About a bicycle.', { id: beginning(nth) }))
    const slices = await bellhop.db.sql`select 1 from call_slices where company_id = ${company.companyId}`
    expect(slices).toHaveLength(4)
    expect(await listed({ query: 'bicycle' })).toEqual(wanted)
    expect(await listed({ query: 'car' })).toEqual([])
  })

  test('ranks the newest, if more calls contain the words than are ranked', async () => {
    const { companyId } = company
    await spoken(english, 'Bicycle, bicycle, bicycle.')
    await bellhop.db.sql`
      insert into calls (company_id, business_number_id, direction, remote_number, state, transcription)
      select ${companyId}, ${english}, 'inbound', '+4520112233', 'ended', 'A bicycle.' from generate_series(1, 500)`
    const best = await spoken(english, 'Bicycle, bicycle, bicycle.')
    const found = await listed({ query: 'bicycle', limit: '50' })
    expect(found).toHaveLength(50)
    expect(found[0]).toBe(best)
    const again = await bellhop.db
      .sql`select id from calls where id = any(${found}) and transcription like 'B%'`
    expect(again).toHaveLength(1)
  })

  test('is combined with every filter', async () => {
    const match = { direction: 'outbound', remote_number: '+4520112233', state: 'ended' }
    const wanted = await spoken(english, 'bicycle', match)
    await spoken(danish, 'bicycle', match)
    await spoken(english, 'car', match)
    await spoken(english, 'bicycle', { ...match, direction: 'inbound' })
    await spoken(english, 'bicycle', { ...match, remote_number: '+4520112234' })
    await spoken(english, 'bicycle', { ...match, state: 'bridged' })
    const filter = { main_number_id: encodeId('num', english), phone_number: '20112233', ...match }
    expect(await listed({ query: 'bicycles', ...filter })).toEqual([wanted])
    expect(await listed({ query: 'bicycles', main_number_id: `num_${UNKNOWN}` })).toEqual([])
  })

  test('stays within the company', async () => {
    const other = await bellhop.newCompany()
    await newCall(other, { transcription: 'A secret bicycle.' })
    expect(await listed({ query: 'bicycle' })).toEqual([])
  })

  test('by stop words alone finds the calls that contain them', async () => {
    const id = await spoken(english, 'To be or not to be.')
    await spoken(english, 'Bicycle!')
    expect(await listed({ query: 'to be' })).toEqual([id])
    expect(await listed({ query: 'they' })).toEqual([])
  })

  test('ignores stop words beside another word', async () => {
    const id = await spoken(english, 'Bicycle broken.')
    expect(await listed({ query: 'the bicycle is broken' })).toEqual([id])
  })

  test.each([
    '!!!',
    '-',
    "'",
    '\\',
    '&',
    '|',
    ':*',
    '()',
    '%',
    '"',
    '<->',
    '☎️',
    "'); drop table calls; --",
    '\u{10ffff}',
  ])('by %j returns an empty list', async (query) => {
    await spoken(english, 'A bicycle.')
    expect(await listed({ query })).toEqual([])
  })

  test.each([
    "bicycle's",
    'bicycle & | ! ( ) : * < >',
    '"red bicycle',
    'bicycle!!!',
    '(bicycle)',
    'red - bicycle',
    'red -bicycle',
    '--bicycle',
  ])('finds the word among the punctuation in %j', async (query) => {
    const id = await spoken(english, 'The red bicycle.')
    await spoken(english, 'The red car.')
    expect(await listed({ query })).toEqual([id])
  })

  test('finds a hyphenated compound', async () => {
    const id = await spoken(english, 'Send me an e-mail.')
    expect(await listed({ query: 'e-mail' })).toEqual([id])
  })

  test.each(['', '   '])('ignores a blank query, %j', async (query) => {
    const [silent, said] = [await newCall(company), await spoken(english, 'A bicycle.')]
    expect(await listed({ query })).toEqual([said, silent])
  })

  test.each(['\0', 'bicycle\0'])(
    'refuses a query with characters that no text can contain, %j',
    async (query) => {
      const { status, body } = await company.api.get(`/calls?query=${encodeURIComponent(query)}`)
      expect(status).toBe(422)
      expect(body.errors).toEqual({ query: ['contains characters that cannot be stored'] })
    },
  )

  test('refuses a query that is too long, and says so', async () => {
    expect(await listed({ query: 'bicycle '.repeat(125) })).toEqual([])
    const { status, body } = await company.api.get(`/calls?query=${'x'.repeat(1_001)}`)
    expect(status).toBe(422)
    expect(body.errors).toEqual({ query: ['is too long (at most 1000 characters)'] })
  })
})
