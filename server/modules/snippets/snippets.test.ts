import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { type Harness, harness, type TestCompany } from '../../../test/harness/index.ts'
import { decodeId } from '../../platform/ids.ts'

let bellhop: Harness
let company: TestCompany

beforeAll(async () => {
  bellhop = await harness()
})

beforeEach(async () => {
  company = await bellhop.newCompany({ messaging: true })
})

const NOT_FOUND = { error: 'not_found', message: expect.any(String) }
const UNKNOWN = 'sni_01h455vb4pex5vsknk084sn02q'

async function create(input: object = {}) {
  const { status, body } = await company.api.post('/text_snippets', { title: 'Hi', text: 'Hello.', ...input })
  expect(status).toBe(201)
  return body
}

const titles = async ({ api } = company) =>
  ((await api.get('/text_snippets')).body as { title: string }[]).map(({ title }) => title)

describe('creating a text snippet', () => {
  test('returns 201 with every field', async () => {
    const { status, body } = await company.api.post('/text_snippets', {
      title: ' Opening hours ',
      text: ' We are open\nfrom 8 to 16. ',
      position: 3,
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^sni_[0-9a-z]{26}$/),
      title: 'Opening hours',
      text: ' We are open\nfrom 8 to 16. ',
      position: 3,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: body.created_at,
    })
    expect((await company.api.get(`/text_snippets/${body.id}`)).body).toEqual(body)
  })

  test('puts it at position 0 if none is given, and ignores unknown fields', async () => {
    const body = await create({ id: UNKNOWN, created_at: '2001-01-01T00:00:00Z', colour: 'red' })
    expect(body).toMatchObject({ position: 0 })
    expect(body.id).not.toBe(UNKNOWN)
    expect(body.created_at).not.toMatch(/^2001/)
    expect(body).not.toHaveProperty('colour')
  })

  test('accepts the longest title and text, counted in code points', async () => {
    const input = { title: '☎'.repeat(127) + '😀', text: '😀'.repeat(10_000), position: 2_147_483_647 }
    expect(await create(input)).toMatchObject(input)
  })

  test.each([
    [{ title: undefined }, 'title', 'is required'],
    [{ title: '' }, 'title', "can't be blank"],
    [{ title: ' \n\t ' }, 'title', "can't be blank"],
    [{ title: null }, 'title', 'must be a string'],
    [{ title: 7 }, 'title', 'must be a string'],
    [{ title: 'x'.repeat(129) }, 'title', 'is too long (at most 128 characters)'],
    [{ title: 'a\0b' }, 'title', 'contains characters that cannot be stored'],
    [{ text: undefined }, 'text', 'is required'],
    [{ text: '   ' }, 'text', "can't be blank"],
    [{ text: 'x'.repeat(10_001) }, 'text', 'is too long (at most 10000 characters)'],
    [{ position: -1 }, 'position', 'must be at least 0'],
    [{ position: 1.5 }, 'position', 'must be an integer'],
    [{ position: '1' }, 'position', 'must be a number'],
    [{ position: 2_147_483_648 }, 'position', 'must be at most 2147483647'],
  ])('with %o is refused and creates nothing', async (input, field, message) => {
    const { status, body } = await company.api.post('/text_snippets', {
      title: 'Hi',
      text: 'Hello.',
      ...input,
    })
    expect(status).toBe(422)
    expect(body).toEqual({
      error: 'validation_failed',
      message: `${field} ${message}.`,
      errors: { [field]: [message] },
    })
    expect(await titles()).toEqual([])
  })
})

describe('the list of text snippets', () => {
  test('is a bare array, empty at first', async () => {
    const { status, body } = await company.api.get('/text_snippets')
    expect(status).toBe(200)
    expect(body).toEqual([])
  })

  test('is sorted by position, then by creation', async () => {
    for (const [title, position] of [
      ['e', 10],
      ['b', 1],
      ['a', 0],
      ['c', 1],
      ['d', 2],
    ])
      await create({ title, position })
    expect(await titles()).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  test('shows a snippet as the single route does, to everybody in the company and nobody else', async () => {
    const snippet = await create()
    const { body: bo } = await company.api.post('/employees', {
      name: 'Bo',
      email: `bo-${company.companyId}@example.com`,
    })
    const coworker = await bellhop.keyFor(decodeId('emp', bo.id)!)
    expect((await company.api.get('/text_snippets')).body).toEqual([snippet])
    expect((await coworker.api.get('/text_snippets')).body).toEqual([snippet])
    expect(await titles(await bellhop.newCompany({ messaging: true }))).toEqual([])
  })
})

describe('changing a text snippet', () => {
  test.each([
    { title: 'Bye' },
    { text: 'See you.' },
    { position: 9 },
    { title: 'a', text: 'b', position: 0 },
  ])('sets %o and keeps the rest', async (change) => {
    const before = await create({ position: 4 })
    const { status, body } = await company.api.patch(`/text_snippets/${before.id}`, change)
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, ...change, updated_at: body.updated_at })
    expect(Date.parse(body.updated_at)).toBeGreaterThanOrEqual(Date.parse(before.updated_at))
    expect((await company.api.get(`/text_snippets/${before.id}`)).body).toEqual(body)
  })

  test('a position of null is the default one, in a new snippet too', async () => {
    const { id, position } = await create({ position: null })
    expect(position).toBe(0)
    await company.api.patch(`/text_snippets/${id}`, { position: 7 })
    const { status, body } = await company.api.patch(`/text_snippets/${id}`, { position: null })
    expect([status, body.position]).toEqual([200, 0])
  })

  test('ignores other fields, and without fields changes nothing', async () => {
    const before = await create()
    for (const change of [{}, { id: UNKNOWN, created_at: '2001-01-01T00:00:00Z', colour: 'red' }]) {
      const { status, body } = await company.api.patch(`/text_snippets/${before.id}`, change)
      expect(status).toBe(200)
      expect(body).toEqual(before)
    }
  })

  test.each([
    { title: ' ' },
    { title: null },
    { text: '' },
    { text: 'x'.repeat(10_001) },
    { position: -1 },
    { title: 'fine', position: 'first' },
  ])('to %o is refused and changes nothing', async (change) => {
    const before = await create()
    expect((await company.api.patch(`/text_snippets/${before.id}`, change)).status).toBe(422)
    expect((await company.api.get(`/text_snippets/${before.id}`)).body).toEqual(before)
  })
})

test('a deleted text snippet is gone', async () => {
  const [kept, gone] = [await create({ title: 'kept' }), await create({ title: 'gone' })]
  const { status, body } = await company.api.delete(`/text_snippets/${gone.id}`)
  expect(status).toBe(204)
  expect(body).toBeUndefined()
  expect((await company.api.get('/text_snippets')).body).toEqual([kept])
  expect((await company.api.delete(`/text_snippets/${gone.id}`)).status).toBe(404)
})

describe.each(['get', 'patch', 'delete'] as const)('%s', (method) => {
  test('a text snippet that is unknown, malformed or of another company is not found', async () => {
    const other = await bellhop.newCompany({ messaging: true })
    const { body: foreign } = await other.api.post('/text_snippets', { title: 'theirs', text: 'x' })
    for (const id of [UNKNOWN, foreign.id, 'sni_x', UNKNOWN.replace('sni', 'con')]) {
      const { status, body } = await company.api[method](
        `/text_snippets/${id}`,
        method === 'patch' ? { title: 'mine' } : undefined,
      )
      expect(status, id).toBe(404)
      expect(body).toEqual(NOT_FOUND)
    }
    expect(await titles(other)).toEqual(['theirs'])
  })
})

test('every route is 404 while texting is off, and works again when it is on', async () => {
  const { id, ...snippet } = await create()
  const { sql } = bellhop.db
  await sql`update companies set messaging_enabled = false where id = ${company.companyId}`
  const path = `/text_snippets/${id}`
  for (const { status, body } of [
    await company.api.get('/text_snippets'),
    await company.api.post('/text_snippets', { title: 'a', text: 'b' }),
    await company.api.get(path),
    await company.api.patch(path, { title: 'changed' }),
    await company.api.delete(path),
  ]) {
    expect(status).toBe(404)
    expect(body).toEqual(NOT_FOUND)
  }
  await sql`update companies set messaging_enabled = true where id = ${company.companyId}`
  expect((await company.api.get('/text_snippets')).body).toEqual([{ id, ...snippet }])
})
