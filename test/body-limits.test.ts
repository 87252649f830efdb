import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'

import { type Harness, harness, type TestCompany } from './harness/index.ts'
import { declaredRoutes, makeFixture } from './harness/routes/routes.ts'

const ERRORS_PER_FIELD_MAX = 20
const ANSWER_BYTES_MAX = 16_384

let bellhop: Harness
let company: TestCompany

beforeAll(async () => {
  bellhop = await harness()
  company = await bellhop.newCompany()
})

async function refusal(method: 'post' | 'put', path: string, body: unknown) {
  const answer = await company.api[method](path, body)
  expect(answer.status).toBe(422)
  expect(JSON.stringify(answer.body).length).toBeLessThan(ANSWER_BYTES_MAX)
  return answer.body as { message: string; errors: Record<string, string[]> }
}

const menuOf = (count: number, option: object) => ({
  type: 'PhoneMenuConfig',
  welcome: 'Welcome',
  menu_options: Array.from({ length: count }, (_, index) => ({ digit: String(index + 1), ...option })),
})

describe('a list that is too long is refused with that error only', () => {
  test('events of a webhook', async () => {
    const events = Array<string>(60_000).fill('no.such.event')
    const { message, errors } = await refusal('post', '/webhooks', {
      name: 'n',
      url: 'https://1.1.1.1/',
      events,
    })
    expect(errors).toEqual({ events: ['may have at most 100 entries'] })
    expect(message).toBe('events may have at most 100 entries.')
  })

  test('options of a menu: there are nine digits', async () => {
    const path = `/business_numbers/${await makeFixture(company, 'num')}/incoming_call_config`
    for (const count of [10, 10_000]) {
      const { errors } = await refusal('put', path, menuOf(count, { action_type: 'nonsense' }))
      expect(errors).toEqual({ menu_options: ['may have at most 9 entries'] })
    }
  })

  test('employees of a menu option', async () => {
    const path = `/business_numbers/${await makeFixture(company, 'num')}/incoming_call_config`
    const employee_ids = Array<string>(1_001).fill('nobody')
    const { errors } = await refusal('put', path, menuOf(2, { action_type: 'TransferConfig', employee_ids }))
    expect(errors).toEqual({
      'menu_options.0.employee_ids': ['may have at most 1000 entries'],
      'menu_options.1.employee_ids': ['may have at most 1000 entries'],
    })
  })

  test('days of the business hours', async () => {
    const path = `/business_numbers/${await makeFixture(company, 'num')}/outside_business_hours_config`
    const body = {
      type: 'RejectConfig',
      message: 'Closed',
      business_hours: Array.from({ length: 8 }, () => ({})),
    }
    const { errors } = await refusal('put', path, body)
    expect(errors).toEqual({ business_hours: ['may have at most 7 entries'] })
  })
})

test(`at most ${ERRORS_PER_FIELD_MAX} errors of one field are reported, and those of other fields are too`, async () => {
  const events = Array.from({ length: 100 }, (_, index) => `no.such.event.${index}`)
  const { errors } = await refusal('post', '/webhooks', { url: '', events })
  const ofEvents = Object.keys(errors).filter((field) => field.startsWith('events'))
  expect(ofEvents).toHaveLength(ERRORS_PER_FIELD_MAX)
  expect(errors).toMatchObject({ name: ['is required'], url: ["can't be blank"] })
})

const unknown = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`x${n}`, n]))

test('a body has at most 1,000 fields, even if unknown ones are ignored', async () => {
  const contact = { phone: '+4520112233' }
  expect((await company.api.post('/contacts', { ...contact, ...unknown(999) })).status).toBe(201)
  const { errors } = await refusal('post', '/contacts', { ...contact, ...unknown(1_000) })
  expect(errors).toEqual({ base: ['may have at most 1000 fields'] })
})

test('a body with more lists and objects than any request needs is refused as invalid JSON', async () => {
  for (const body of ['['.repeat(250_001) + ']'.repeat(250_001), `[${'{},'.repeat(250_000)}0]`]) {
    const response = await fetch(`${bellhop.url}/api/v1/contacts`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'x-api-key': company.key },
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: 'invalid_json' })
  }
})

test('a message to /mcp has at most 256 KiB', async () => {
  const response = await fetch(`${bellhop.url}/mcp`, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { more: 'x'.repeat(256 * 1024) } }),
    headers: { 'content-type': 'application/json', 'x-api-key': company.key },
  })
  expect(response.status).toBe(413)
})

/** Parameters and queries are bounded by the length of the URL. */
const bodies = declaredRoutes().flatMap(({ method, path, body }) =>
  body ? [{ name: `${method} ${path}`, schema: body }] : [],
)

test.each(bodies)('everything in the body of $name has a bound', ({ schema }) => {
  expect(unbounded(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))).toEqual([])
})

test('the check itself finds an unbounded field', () => {
  const schema = z.object({
    free: z.string(),
    bounded: z.string().max(10),
    list: z.array(z.string().max(1)),
    inside: z.array(z.object({ free: z.string() })).max(3),
    any: z.unknown(),
    map: z.record(z.string(), z.boolean()),
  })
  expect(unbounded(z.toJSONSchema(schema, { io: 'input' }))).toEqual([
    'properties.free',
    'properties.list',
    'properties.inside.items.properties.free',
    'properties.any',
    'properties.map',
  ])
})

type Json = z.core.JSONSchema.BaseSchema

/** The paths of values without a maximum length. */
function unbounded(schema: Json, path: string[] = []): string[] {
  const inside = (['properties', 'anyOf', 'oneOf', 'allOf', 'items'] as const).flatMap((key) => {
    const below = schema[key]
    if (below === undefined) return []
    if (key === 'items') return unbounded(below as Json, [...path, key])
    return Object.entries(below as Record<string, Json>).flatMap(([name, each]) =>
      unbounded(each, [...path, key, name]),
    )
  })
  return isBounded(schema) ? inside : [path.join('.'), ...inside]
}

/** A pattern of an id or a time of day: anchored at both ends, and without unbounded repetition. */
const isShort = (pattern = '') => /^\^.*\$$/.test(pattern) && !/[*+]|,\}/.test(pattern)

const COMPOUND = ['anyOf', 'oneOf', 'allOf', 'enum', 'const']

function isBounded(schema: Json): boolean {
  const types = new Set([schema.type].flat())
  if (COMPOUND.some((key) => key in schema)) return true
  if (types.has(undefined)) return false
  if (types.has('array') && schema.maxItems === undefined) return false
  if (types.has('object') && typeof schema.additionalProperties === 'object') return false
  return !types.has('string') || schema.maxLength !== undefined || isShort(schema.pattern)
}
