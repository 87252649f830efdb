import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { newCall, newNumber } from '../../../../test/harness/calls/telephony.ts'
import { type Harness, harness, type TestCompany } from '../../../../test/harness/index.ts'
import { decodeId, encodeId } from '../../../platform/ids.ts'
import { packageRoot } from '../../../platform/package-root.ts'
import { indexCallContext } from '../index.ts'

interface Corpus {
  language: string
  calls: Record<string, string>
  questions: [question: string, call: string][]
}

const read = async (name: string): Promise<Corpus> =>
  JSON.parse(await readFile(join(packageRoot, 'test/search', `${name}.json`), 'utf8'))

let bellhop: Harness
beforeAll(async () => {
  bellhop = await harness()
})

async function find(
  { api }: TestCompany,
  query: string,
  filter: Record<string, string> = {},
): Promise<string[]> {
  const { status, body } = await api.get(`/calls?${new URLSearchParams({ query, ...filter }).toString()}`)
  expect(status).toBe(200)
  return (body.calls as { id: string }[]).map(({ id }) => decodeId('cal', id)!)
}

const meaningsOf = async (callId: string) =>
  (await bellhop.db.sql`select part from call_meanings where call_id = ${callId}`).length

const BROKEN = 'The parcel arrived smashed, and she wants her money back.'
const TABLE = 'They would like to book a table for eight people on Friday evening.'
/** Shares no word with the transcript. */
const REFUND = 'customer asking for a refund because goods were damaged'

/** The share of queries whose call is among the first five. */
async function recallAtFive(name: string): Promise<number> {
  const { language, calls, questions } = await read(name)
  const company = await bellhop.newCompany()
  const business_number_id = await newNumber(company, { language, mute: true })
  const ids = new Map<string, string>()
  for (const [title, transcription] of Object.entries(calls))
    ids.set(title, await newCall(company, { business_number_id, transcription }))
  await bellhop.drainJobs()
  let found = 0
  for (const [question, call] of questions)
    if ((await find(company, question, { limit: '5' })).includes(ids.get(call)!)) found++
  return found / questions.length
}

describe('questions in other words than the call', () => {
  test('find at least 17 of 20 English calls among the first five', async () => {
    expect(await recallAtFive('english')).toBeGreaterThanOrEqual(0.85)
  })

  test('find as large a share of English calls that were not used to choose thresholds', async () => {
    expect(await recallAtFive('english-held-out')).toBeGreaterThanOrEqual(0.85)
  })

  test('find at least half of the Danish calls, by keywords', async () => {
    expect(await recallAtFive('danish')).toBeGreaterThanOrEqual(0.5)
  })
})

describe('a semantic search', () => {
  let company: TestCompany
  let english: string
  let broken: string
  let table: string
  beforeAll(async () => {
    company = await bellhop.newCompany()
    english = await newNumber(company, { language: 'en', mute: true })
    broken = await newCall(company, { business_number_id: english, transcription: BROKEN })
    table = await newCall(company, {
      business_number_id: english,
      transcription: TABLE,
      direction: 'outbound',
      remote_number: '+4520112299',
    })
    await bellhop.drainJobs()
  })

  test('finds calls that say the same in other words, and none about something else', async () => {
    expect(await find(company, REFUND)).toEqual([broken])
    expect((await find(company, 'reservation at a restaurant'))[0]).toBe(table)
    expect(await find(company, 'the speed of light in glass')).toEqual([])
  })

  test('ranks a call with the word itself above one with a similar meaning', async () => {
    const both = await bellhop.newCompany()
    const business_number_id = await newNumber(both, { language: 'en', mute: true })
    const say = (transcription: string) => newCall(both, { business_number_id, transcription })
    const means = await say('She wants her money back for the broken vase.')
    const says = await say('The refund was paid out on Monday.')
    await bellhop.drainJobs()
    expect((await find(both, 'refund'))[0]).toBe(says)
    expect(await find(both, 'when do customers get their money back, was there a refund?')).toEqual(
      expect.arrayContaining([means, says]),
    )
  })

  test.each([
    ['direction', 'inbound', 'outbound'],
    ['phone_number', '+4520112233', '+4520112299'],
    ['state', 'ended', 'bridged'],
  ])('is combined with the filter %s', async (name, matching, other) => {
    expect(await find(company, REFUND, { [name]: matching })).toEqual([broken])
    expect(await find(company, REFUND, { [name]: other })).toEqual([])
  })

  test('is combined with the number', async () => {
    const elsewhere = await newNumber(company, { language: 'en', mute: true })
    expect(await find(company, REFUND, { main_number_id: encodeId('num', english) })).toEqual([broken])
    expect(await find(company, REFUND, { main_number_id: encodeId('num', elsewhere) })).toEqual([])
  })

  test('is combined with a filter that many calls match', async () => {
    const many = await bellhop.newCompany()
    const [busy, quiet] = [
      await newNumber(many, { language: 'en', mute: true }),
      await newNumber(many, { language: 'en', mute: true }),
    ]
    await bellhop.db.sql`
      insert into calls (company_id, business_number_id, direction, remote_number, state)
      select ${many.companyId}, ${busy}, 'inbound', 'anonymous', 'ended' from generate_series(1, 2001)`
    const wanted = await newCall(many, { business_number_id: busy, transcription: BROKEN })
    await newCall(many, { business_number_id: quiet, transcription: BROKEN })
    await bellhop.drainJobs()
    expect(await find(many, REFUND, { main_number_id: encodeId('num', busy) })).toEqual([wanted])
  })

  test('stays within the company', async () => {
    const other = await bellhop.newCompany()
    const own = await newCall(other, {
      business_number_id: await newNumber(other, { language: 'en', mute: true }),
      transcription: TABLE,
    })
    await bellhop.drainJobs()
    expect(await find(other, REFUND)).toEqual([])
    expect(await find(other, 'reservation at a restaurant')).toEqual([own])
  })

  test('is not made for punctuation and single letters', async () => {
    for (const query of ['!?', '😀', 'q', '42']) expect(await find(company, query), query).toEqual([])
  })
})

describe('the embedding of a call', () => {
  let company: TestCompany
  let english: string
  const say = (transcription?: string) =>
    newCall(company, { business_number_id: english, ...(transcription && { transcription }) })
  beforeEach(async () => {
    company = await bellhop.newCompany()
    english = await newNumber(company, { language: 'en', mute: true })
  })

  test('follows its transcript, and is deleted with it', async () => {
    const call = await say()
    const transcribe = async (text: string | null) => {
      await bellhop.db.sql`update calls set transcription = ${text} where id = ${call}`
      await bellhop.drainJobs()
    }
    await transcribe(BROKEN)
    expect(await find(company, REFUND)).toEqual([call])
    await transcribe(TABLE)
    expect(await find(company, REFUND)).toEqual([])
    expect(await find(company, 'reservation at a restaurant')).toEqual([call])
    await transcribe(null)
    expect(await find(company, 'reservation at a restaurant')).toEqual([])
    expect(await meaningsOf(call)).toBe(0)
  })

  test('is that of the words, whoever spoke them', async () => {
    const { sql } = bellhop.db
    const [plain, named] = [await say(`${BROKEN}\n${TABLE}`), await say()]
    const segments = [BROKEN, TABLE].map((text) => ({ speaker: 'Mikkel Dahl', text }))
    const transcription = segments.map(({ speaker, text }) => `${speaker}: ${text}`).join('\n')
    await sql`
      update calls set transcription = ${transcription}, transcription_segments = ${sql.json(segments)}
      where id = ${named}`
    await bellhop.drainJobs()
    const meant = (id: string) =>
      sql`select part, vector from call_meanings where call_id = ${id} order by part`
    expect(await meant(plain)).toHaveLength(1)
    expect([...(await meant(named))]).toEqual([...(await meant(plain))])
  })

  test('includes the caller context that was saved with it', async () => {
    const call = await say('Hello, it is me again.')
    const silent = await say()
    const { companyId, db } = company
    for (const id of [call, silent])
      await db.tx((tx) => indexCallContext(tx, companyId, id, 'Subscription: overdue. Unpaid invoices: 3'))
    await bellhop.drainJobs()
    expect(await find(company, 'customer who owes us money')).toEqual([call])
  })

  test('is deleted with the call', async () => {
    const call = await say(BROKEN)
    await bellhop.drainJobs()
    expect(await meaningsOf(call)).toBe(1)
    await bellhop.db.sql`delete from inbox_items where id = ${call}`
    await bellhop.db.sql`delete from calls where id = ${call}`
    expect(await find(company, REFUND)).toEqual([])
    expect(await meaningsOf(call)).toBe(0)
  })

  test('finds a long call by something that was said once in its middle', async () => {
    const chatter = 'We talked about the weather, the garden and the neighbours for a while. '
    const call = await say(chatter.repeat(30) + BROKEN + ' ' + chatter.repeat(30))
    await bellhop.drainJobs()
    expect(await meaningsOf(call)).toBeGreaterThan(10)
    expect((await find(company, REFUND))[0]).toBe(call)
  })

  test('is not made in a language that the engine does not support: keywords find the call', async () => {
    const danish = await newNumber(company, { language: 'da', mute: true })
    const call = await newCall(company, {
      business_number_id: danish,
      transcription: 'Pakken var gået i stykker, og hun vil have pengene tilbage.',
    })
    await bellhop.drainJobs()
    expect(await meaningsOf(call)).toBe(0)
    expect(await find(company, 'pakker gået i stykker')).toEqual([call])
    await company.api.patch(`/business_numbers/${encodeId('num', danish)}`, { language: 'en' })
    await bellhop.drainJobs()
    expect(await meaningsOf(call)).toBeGreaterThan(0)
  })

  test('is stored in cells that split when they are full, and is still found', async () => {
    const crowded = await bellhop.newCompany()
    const { companyId } = crowded
    const business_number_id = await newNumber(crowded, { language: 'en', mute: true })
    const wanted = await newCall(crowded, { business_number_id, transcription: BROKEN })
    await bellhop.drainJobs()
    const { sql } = bellhop.db
    // As many other calls as fit in a cell, each with a different vector.
    await sql`alter table calls disable trigger new_call_text`
    const others = await sql<{ id: string }[]>`
      insert into calls (company_id, business_number_id, direction, remote_number, state, transcription)
      select ${companyId}, ${business_number_id}, 'inbound', '+4520112233', 'ended', 'Something else.'
      from generate_series(1, 1024) returning id`
    await sql`alter table calls enable trigger new_call_text`
    const vectors = others.map(() =>
      Buffer.from(Array.from({ length: 32 }, () => randomUUID().replaceAll('-', '')).join(''), 'hex'),
    )
    const signs = vectors.map((vector) =>
      Array.from(new Int8Array(vector), (value) => (value > 0 ? '1' : '0')).join(''),
    )
    await sql`
      insert into call_meanings (company_id, call_id, part, cell, signs, vector)
      select ${companyId}, other.id, 0, cells.id, other.signs::varbit, decode(other.vector, 'hex')
      from unnest(
        ${others.map(({ id }) => id)}::uuid[], ${signs}::text[], ${vectors.map((vector) => vector.toString('hex'))}::text[]
      ) as other (id, signs, vector), meaning_cells cells where cells.company_id = ${companyId}`
    const last = await newCall(crowded, { business_number_id, transcription: TABLE })
    await bellhop.drainJobs()
    const cells = await sql<{ size: number }[]>`
      select count(*)::integer as size from call_meanings where company_id = ${companyId} group by cell`
    expect(cells).toHaveLength(2)
    expect(cells.reduce((sum, { size }) => sum + size, 0)).toBe(1_026)
    expect(await find(crowded, REFUND)).toEqual([wanted])
    expect((await find(crowded, 'reservation at a restaurant'))[0]).toBe(last)
  })
})
