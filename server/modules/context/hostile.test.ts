import * as fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'

import { type Harness, harness, type TestCompany } from '../../../test/harness/index.ts'
import { type ContextServer, contextServer } from '../../../test/harness/peers/context-server.ts'
import { CONTEXT_LIMITS, VALUE_FORMATS } from '../../providers/context/port.ts'
import { CallerContext } from './schemas.ts'

let bellhop: Harness
let company: TestCompany
let crm: ContextServer

beforeAll(async () => {
  bellhop = await harness({ BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' })
  company = await bellhop.newCompany()
  crm = await contextServer()
  await company.api.post('/integrations', { provider: 'custom', url: crm.url })
})

let serial = 20_000_000

/** A new number each time, so that the endpoint is queried. */
async function answerTo(json: unknown) {
  crm.answer = (_, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(json))
  const { status, body } = await company.api.get(`/caller_context?phone=${serial++}`)
  expect(status).toBe(200)
  expect(CallerContext.safeParse(body)).toMatchObject({ success: true })
  return body
}

const good = {
  url: 'https://crm.example/1',
  contact: { name: 'Mikkel', email: 'mikkel@example.com', company_name: 'Dahl', note: 'Red bike' },
  sections: [
    {
      type: 'fields',
      label: 'Subscription',
      fields: [
        { label: 'Plan', value: 'Gold', format: 'badge', url: 'https://crm.example/plan', bold: true },
      ],
    },
    {
      type: 'table',
      label: 'Orders',
      columns: [{ key: 'total', label: 'Total', format: 'money' }],
      rows: [{ url: 'https://crm.example/2', values: { total: { amount: '1.00', currency: 'DKK' } } }],
    },
  ],
}

/** Every position in the response, by the keys that lead there. */
function placesIn(value: unknown, way: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [way]
  const below = Object.entries(value).flatMap(([key, inner]) =>
    placesIn(inner, [...way, Array.isArray(value) ? Number(key) : key]),
  )
  return way.length > 0 ? [way, ...below] : below
}

function replaced(way: (string | number)[], wrong: unknown): Record<string, any> {
  const copy = structuredClone(good) as Record<string, any>
  const parent = way.slice(0, -1).reduce<any>((inner, key) => inner[key], copy)
  parent[way.at(-1)!] = wrong
  return copy
}

const many = <T>(item: (i: number) => T) => Array.from({ length: 100 }, (_, i) => item(i))

const WRONG = [null, true, 0, -1.5, '', ' ', '\0', '\ud800', [], [[]], {}, { a: 1 }, 'javascript:alert(1)']

describe('an endpoint that responds with', () => {
  test('any JSON gives a valid result', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ depthSize: 'medium' }), async (json) => void (await answerTo(json))),
      { numRuns: 60 },
    )
  })

  test('the right names and arbitrary values gives a valid result', async () => {
    const any = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.string(),
      fc.constantFrom(...VALUE_FORMATS, '__proto__'),
    )
    const some = (shape: Record<string, fc.Arbitrary<unknown>>) =>
      fc.oneof(
        { weight: 6, arbitrary: fc.record(shape, { requiredKeys: [] }) },
        { weight: 1, arbitrary: any },
      )
    const list = (item: fc.Arbitrary<unknown>) =>
      fc.oneof({ weight: 6, arbitrary: fc.array(item, { maxLength: 4 }) }, { weight: 1, arbitrary: any })
    const field = some({ label: any, value: any, format: any, url: any, bold: any })
    const column = some({
      key: fc.oneof(fc.constantFrom('a', '__proto__', 'constructor'), any),
      label: any,
      format: any,
    })
    const row = some({ url: any, values: some({ a: any, __proto__: any, constructor: any }) })
    const section = some({
      type: fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom('fields', 'table') },
        { weight: 1, arbitrary: any },
      ),
      label: any,
      fields: list(field),
      columns: list(column),
      rows: list(row),
    })
    const contact = some({ name: any, email: any, company_name: any, note: any })
    const context = some({
      provider: any,
      label: any,
      source: any,
      url: any,
      contact,
      sections: list(section),
    })
    await fc.assert(
      fc.asyncProperty(context, async (json) => void (await answerTo(json))),
      { numRuns: 100 },
    )
  })

  test('one invalid value loses that value, and nothing else', async () => {
    const whole = (await answerTo(good)).contexts[0]
    expect(whole).toMatchObject(good)
    for (const way of placesIn(good)) {
      for (const wrong of WRONG) {
        const { contexts } = await answerTo(replaced(way, wrong))
        const [context] = contexts
        if (way[0] !== 'url') expect(context.url).toBe(good.url)
        if (way[0] !== 'contact') expect(context.contact).toEqual(good.contact)
        if (way[0] !== 'sections') expect(context.sections).toEqual(good.sections)
        if (way[0] === 'sections' && way.length > 1)
          expect(context.sections).toContainEqual(good.sections[1 - Number(way[1])])
        expect(JSON.stringify(context)).not.toContain('"url":"javascript:')
      }
    }
  })

  test.each([
    [
      'money',
      [{ amount: '1.00', currency: 'DKK' }],
      [
        '1.00',
        1,
        { amount: 1, currency: 'DKK' },
        { amount: '1,00', currency: 'DKK' },
        { amount: '1', currency: 'kroner' },
        { amount: '1' },
      ],
    ],
    [
      'date',
      ['2026-11-15', '2026-11-15T08:00:00Z', '2026-11-15T08:00:00'],
      ['15/11/2026', 'today', 1794720000, '2026-02-30'],
    ],
    [
      'email',
      ['mikkel@example.com', 'kontakt@blåbjerg.example'],
      ['mikkel', 'a@b', 'mailto:mikkel@example.com', 1],
    ],
    ['phone', ['+4520112233'], ['20112233', '+45 20 11 22 33', 'tel:+4520112233', '+0123', 4520112233]],
    ['badge', ['Gold'], [true, ['Gold'], { amount: '1.00', currency: 'DKK' }]],
    ['text', ['Gold'], [true, 2 ** 53, ['Gold'], { amount: '1.00', currency: 'DKK' }]],
  ] as [string, unknown[], unknown[]][])(
    'a value that is not a %s is dropped, and a valid one stays',
    async (format, right, wrong) => {
      const fields = [...right, ...wrong].map((value, i) => ({ label: `Field ${i}`, value, format }))
      const columns = fields.map(({ label }, i) => ({ key: `key${i}`, label, format }))
      const values = Object.fromEntries(fields.map(({ value }, i) => [`key${i}`, value]))
      const { contexts } = await answerTo({
        sections: [
          { type: 'fields', fields },
          { type: 'table', label: 'All', columns, rows: [{ values }] },
        ],
      })
      const [{ sections }] = contexts
      expect(sections[0].fields.map(({ value }: { value: unknown }) => value)).toEqual(right)
      expect(Object.values(sections[1].rows[0].values)).toEqual(right)
      expect(sections[1].columns).toHaveLength(columns.length)
    },
  )

  test.each([undefined, 'text', 'badge'])('a number with the format %s is shown as text', async (format) => {
    const fields = [4711, 12.5, -3, 0].map((value) => ({ label: 'Order', value, format }))
    const { contexts } = await answerTo({
      sections: [
        { type: 'fields', fields },
        {
          type: 'table',
          label: 'All',
          columns: [{ key: 'a', label: 'A', format }],
          rows: [{ values: { a: 7 } }],
        },
      ],
    })
    const [{ sections }] = contexts
    expect(sections[0].fields.map(({ value }: { value: unknown }) => value)).toEqual([
      '4711',
      '12.5',
      '-3',
      '0',
    ])
    expect(sections[1].rows).toEqual([{ values: { a: '7' } }])
  })

  test('an unknown format leaves the value as text', async () => {
    const fields = [{ label: 'Link', value: 'Gold', format: 'link' }]
    const { contexts } = await answerTo({ sections: [{ type: 'fields', fields }] })
    expect(contexts[0].sections[0].fields).toEqual([{ label: 'Link', value: 'Gold' }])
  })

  test('too much is cut: sections, fields, columns, rows and texts', async () => {
    const columns = many((i) => ({ key: `k${i}`, label: 'x'.repeat(300) }))
    const rows = many(() => ({ values: { k0: 'a' } }))
    const fields = many(() => ({ label: 'Plan', value: '👍'.repeat(10) }))
    const { contexts } = await answerTo({
      label: 'x'.repeat(1_000),
      source: 'y'.repeat(1_000),
      sections: [
        { type: 'table', label: 'Table', columns, rows },
        { type: 'fields', fields: [{ label: 'Long', value: '👍'.repeat(2_001) }, ...fields] },
        ...many(() => ({ type: 'fields', fields: [{ label: 'a', value: 'b' }] })),
      ],
    })
    const [{ label, source, sections }] = contexts
    expect([label.length, source.length]).toEqual([128, 255])
    expect(sections).toHaveLength(CONTEXT_LIMITS.sections)
    expect(sections[0].columns).toHaveLength(CONTEXT_LIMITS.columnsPerTable)
    expect(sections[0].columns[0].label).toHaveLength(128)
    expect(sections[0].rows).toHaveLength(CONTEXT_LIMITS.rowsPerTable)
    expect(sections[1].fields).toHaveLength(CONTEXT_LIMITS.fieldsPerSection)
    expect(sections[1].fields[0].value).toBe('👍'.repeat(2_000))
  })

  test('a redirect to this machine is not followed', async () => {
    const inside = await contextServer(() => good)
    crm.answer = (_, response) => void response.writeHead(307, { location: inside.url }).end()
    const { body } = await company.api.get(`/caller_context?phone=${serial++}`)
    expect(body).toEqual({ contexts: [], enriched_at: expect.any(String), contact: null })
    expect(inside.asked).toEqual([])
    expect((await company.api.get('/integrations')).body[0].last_error).toMatchObject({
      reason: 'refused',
      status_code: 307,
    })
  })
})
