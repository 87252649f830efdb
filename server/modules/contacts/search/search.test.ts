import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { type Harness, harness, type TestCompany } from '../../../../test/harness/index.ts'
import { CONTACT_LIMITS } from '../limits.ts'

let bellhop: Harness
let company: TestCompany

beforeAll(async () => {
  bellhop = await harness()
})

beforeEach(async () => {
  company = await bellhop.newCompany()
})

interface Page {
  items: { id: string; name: string | null; phone: string }[]
  next_cursor: string | null
  total: number | null
}

async function search(query: Record<string, string> = {}, { api } = company): Promise<Page> {
  const { status, body } = await api.get(`/contacts/search?${new URLSearchParams(query).toString()}`)
  expect([status, body]).toEqual([200, expect.objectContaining({ items: expect.any(Array) })])
  return body
}

const namesOf = ({ items }: Page) => items.map(({ name }) => name)
const found = async (q: string) => namesOf(await search({ q }))

async function add(contact: { name?: string; phone: string; email?: string; company_name?: string }) {
  const { status, body } = await company.api.post('/contacts', contact)
  expect(status).toBe(201)
  return body
}

/** More than are sorted, all with the same company. */
async function addMany(count = CONTACT_LIMITS.wordsSorted + 500) {
  await bellhop.db.sql`
    insert into contacts (company_id, phone, phone_formatted, name, company_name)
    select ${company.companyId}, '+45' || 30000000 + n, '', 'Person ' || lpad(n::text, 5, '0'), 'Crowd'
    from generate_series(1, ${count}::integer) as n`
}

/** The names on all pages; `between` runs after each. */
async function allPages(query: Record<string, string>, between?: (page: number) => Promise<unknown>) {
  const names: (string | null)[] = []
  for (let cursor: string | null = '', page = 1; cursor !== null; page++) {
    const answer: Page = await search({ ...query, ...(cursor && { cursor }) })
    names.push(...namesOf(answer))
    cursor = answer.next_cursor
    await between?.(page)
  }
  return names
}

describe('what is found', () => {
  beforeEach(async () => {
    await add({ name: 'Åse Østergaard', phone: '+4520112233', email: 'aase.o@example.com' })
    await add({ name: 'Anne-Marie O’Brien', phone: '+46701234567', company_name: 'Dahl & Søn' })
    await add({ name: 'José Holm', phone: '+442079460123', email: 'jose@holm.example' })
    await add({ phone: '+4570809010', company_name: '7-Eleven' })
  })

  test.each([
    ['åse', ['Åse Østergaard']],
    ['ASE', ['Åse Østergaard']],
    ['øster', ['Åse Østergaard']],
    ['oster', ['Åse Østergaard']],
    ['gaard', []],
    ['jose ho', ['José Holm']],
    ['ho  jo', ['José Holm']],
    ['jose zz', []],
    ['marie', ['Anne-Marie O’Brien']],
    ['anne-marie', ['Anne-Marie O’Brien']],
    ["o'brien", ['Anne-Marie O’Brien']],
    ['obrien', ['Anne-Marie O’Brien']],
    ['dahl', ['Anne-Marie O’Brien']],
    ['søn', ['Anne-Marie O’Brien']],
    ['aase.o@ex', ['Åse Østergaard']],
    ['aase.o@example.com', ['Åse Østergaard']],
    ['a', ['Anne-Marie O’Brien', 'Åse Østergaard']],
    ['20112233', ['Åse Østergaard']],
    ['+45 20 11 22 33', ['Åse Østergaard']],
    ['0045 2011', ['Åse Østergaard']],
    ['20-11', ['Åse Østergaard']],
    ['tel:+4520112233', ['Åse Østergaard']],
    ['1122', ['Åse Østergaard']],
    ['233', ['Åse Østergaard']],
    ['070-123', ['Anne-Marie O’Brien']],
    ['+46 (0)70-123 45 67', ['Anne-Marie O’Brien']],
    ['020 7946', ['José Holm']],
    ['åse 20 11 22 33', ['Åse Østergaard']],
    ['7-eleven', [null]],
    ['99999999', []],
    ['%', []],
    ['\\', []],
    ['!?', []],
  ])('%j finds %j', async (q, names) => {
    expect(await search({ q })).toMatchObject({ total: names.length, next_cursor: null })
    expect(await found(q)).toEqual(names)
  })

  test('is everybody for a blank search, sorted by name or newest first', async () => {
    expect(namesOf(await search({ q: ' ' }))).toEqual([
      null,
      'Anne-Marie O’Brien',
      'Åse Østergaard',
      'José Holm',
    ])
    const newest = await search({ sort: 'newest' })
    expect(newest.total).toBe(4)
    expect(newest.items).toEqual((await company.api.get('/contacts')).body)
  })

  test('follows changes and deletions', async () => {
    const { id } = (await search({ q: 'jose' })).items[0]!
    await company.api.patch(`/contacts/${id}`, { name: 'Bent Holm', phone: '+4599887766' })
    expect([await found('jose holm'), await found('7946'), await found('9988')]).toEqual([
      ['Bent Holm'],
      [],
      ['Bent Holm'],
    ])
    await company.api.patch(`/contacts/${id}`, { email: null })
    expect(await found('jose')).toEqual([])
    await company.api.delete(`/contacts/${id}`)
    expect([await found('bent'), (await search()).total]).toEqual([[], 3])
    const left = await bellhop.db.sql`
      select word from contact_words
      where company_id = ${company.companyId} and contact_id not in (select id from contacts)`
    expect(left).toEqual([])
  })

  test('is not what another company has', async () => {
    const other = await bellhop.newCompany()
    expect(await search({}, other)).toEqual({ items: [], next_cursor: null, total: 0 })
    for (const q of ['åse', '2011', 'a']) expect((await search({ q }, other)).total).toBe(0)
  })
})

test('people without a name or company come last, by number', async () => {
  for (const phone of ['+4520000002', '+4520000001']) await add({ phone })
  await add({ name: '山田太郎', phone: '+4520000003' })
  await add({ name: 'Zoe', phone: '+4520000004' })
  const { items } = await search()
  expect(items.map(({ phone }) => phone.at(-1))).toEqual(['4', '3', '1', '2'])
})

describe('paging', () => {
  test.each([
    ['all by name', {}],
    ['newest first', { sort: 'newest' }],
    ['few that are found', { q: 'person' }],
    ['few with two words', { q: 'crowd person 0' }],
  ])('%s gives each contact once, whoever comes and goes between pages', async (_, query) => {
    await addMany(25)
    const gone: string[] = []
    const names = await allPages({ ...query, limit: '4' }, async (page) => {
      await add({ name: `Person 0000${page}b`, phone: `+4540${100_000 + page}`, company_name: 'Crowd' })
      const { items } = await search({ q: '00020' })
      if (page === 1) gone.push(items[0]!.name!)
      if (page === 1) await company.api.delete(`/contacts/${items[0]!.id}`)
    })
    expect(gone).toEqual(['Person 00020'])
    expect(new Set(names).size).toBe(names.length)
    const stayed = Array.from({ length: 25 }, (_, n) => `Person ${String(n + 1).padStart(5, '0')}`)
    const expected = stayed.filter((name) => !gone.includes(name))
    const kept = names.filter((name) => expected.includes(name!))
    expect('sort' in query ? kept.toReversed() : kept).toEqual(expected)
  })

  test.each(['name', 'newest'])('by %s goes on among more matches than are counted', async (sort) => {
    await addMany()
    const first = await search({ q: 'crowd', sort, limit: '3' })
    const second = await search({ q: 'crowd', sort, limit: '3', cursor: first.next_cursor! })
    expect([first.total, second.total]).toEqual([null, null])
    const all = await search({ sort, limit: '6' })
    expect([...first.items, ...second.items]).toEqual(all.items)
    expect(all.total).toBeNull()
    await add({ name: 'Giraffe', phone: '+4520112233', company_name: 'Crowd' })
    expect(await search({ q: 'crowd gir', sort })).toMatchObject({ items: [{ name: 'Giraffe' }], total: 1 })
    expect((await search({ q: '4530', sort, limit: '1' })).items).toEqual([all.items[0]])
  })
})

describe('a wrong request is refused with 422', () => {
  test.each([
    ['q', `q=${'x'.repeat(129)}`],
    ['q', 'q=a%00b'],
    ['q', 'q=a&q=b'],
    ['sort', 'sort=phone'],
    ['sort', 'sort='],
    ['limit', 'limit=0'],
    ['limit', 'limit=101'],
    ['limit', 'limit=1.5'],
    ['limit', 'limit=many'],
    ['cursor', 'cursor='],
    ['cursor', 'cursor=nonsense'],
    ['cursor', `cursor=${'x'.repeat(1_001)}`],
  ])('%s in ?%s', async (field, query) => {
    const { status, body } = await company.api.get(`/contacts/search?${query}`)
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
  })

  test('a cursor of another search, order or company', async () => {
    await addMany(5)
    const { next_cursor: cursor } = await search({ q: 'person', limit: '2' })
    const other = await bellhop.newCompany()
    for (const [{ api }, query] of [
      [company, { q: 'crowd' }],
      [company, { q: 'person', sort: 'newest' }],
      [company, {}],
      [other, { q: 'person' }],
    ] as const) {
      const path = `/contacts/search?${new URLSearchParams({ ...query, cursor: cursor! }).toString()}`
      expect((await api.get(path)).status).toBe(422)
    }
  })
})
