import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'

import { parseProviderContact } from '../server/providers/context/read-context.ts'
import { formBrowser } from './harness/browser/form-browser.ts'
import { newSignInEmployee, PASSWORD } from './harness/browser/sign-in.ts'
import { type Harness, harness, type TestCompany } from './harness/index.ts'
import { declaredRoutes } from './harness/routes/routes.ts'

/** Fields with several lines, wherever they occur; every other text that a route accepts is one line. */
const IN_LINES = new Set([
  'note',
  'text',
  'auto_reply_text',
  'welcome',
  'greeting',
  'message',
  'prompt',
  // Identifies a repeated request, and is never shown.
  'idempotency_key',
])

/** Validated where they are used, and refused or normalised. */
const READ_LATER = new Set([
  'to',
  'kind',
  'expires_at',
  'employee_id',
  'business_number_id',
  'main_number_id',
  'phone_number',
])

const NOT_ONE_LINE = [
  'a\nb',
  'a\r\nb',
  'a\tb',
  'a\u001bb',
  'a\u0085b',
  'a\u2028b',
  'a\u202eb',
  'a\u2066b',
  'a\u200fb',
]

interface Field {
  path: string
  name: string
  schema: z.core.$ZodType
}

/** Every field that some body of these routes may have, nested ones included. */
function fieldsOf(schema: z.core.$ZodType, path = ''): Field[] {
  if (schema instanceof z.ZodPipe) return fieldsOf(schema.def.in, path)
  if (schema instanceof z.ZodIntersection)
    return [schema.def.left, schema.def.right].flatMap((side) => fieldsOf(side, path))
  if (schema instanceof z.ZodUnion) return schema.def.options.flatMap((option) => fieldsOf(option, path))
  if (schema instanceof z.ZodArray) return fieldsOf(schema.def.element, path)
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return fieldsOf(schema.def.innerType, path)
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries(schema.shape as Record<string, z.core.$ZodType>).flatMap(([name, inside]) => {
    const whole: Field = { path: `${path}.${name}`, name, schema: inside }
    return [whole].concat(fieldsOf(inside, whole.path))
  })
}

const fields = declaredRoutes()
  .filter((route) => route.body)
  .flatMap((route) =>
    fieldsOf(route.body!, `${route.method} ${route.path} `).filter(({ name }) => !READ_LATER.has(name)),
  )

test('every text that a route accepts is one line, except those meant for several', () => {
  expect(fields.length).toBeGreaterThan(50)
  const taken = fields
    .filter(({ name }) => !IN_LINES.has(name))
    .filter(({ schema }) => NOT_ONE_LINE.some((text) => z.safeParse(schema, text).success))
  expect(taken.map(({ path }) => path)).toEqual([])
})

describe('a name that is not one line', () => {
  let bellhop: Harness
  let company: TestCompany
  beforeAll(async () => {
    bellhop = await harness()
    company = await bellhop.newCompany({ messaging: true })
  })

  const BODIES: [string, string, Record<string, unknown>][] = [
    ['/employees', 'name', { email: 'bo@example.com' }],
    ['/contacts', 'name', { phone: '+4520112233' }],
    ['/contacts', 'company_name', { phone: '+4520112233' }],
    ['/text_snippets', 'title', { text: 'Hello' }],
    ['/webhooks', 'name', { url: 'https://1.1.1.1/', events: ['call.ended'] }],
    ['/integrations', 'label', { provider: 'custom', url: 'https://1.1.1.1/' }],
  ]
  test.each(BODIES)('is refused by POST %s as %s', async (path, field, beside) => {
    for (const text of NOT_ONE_LINE) {
      const { status, body } = await company.api.post(path, { ...beside, [field]: text })
      expect({ status, errors: body.errors }).toEqual({
        status: 422,
        errors: {
          [field]: [
            'must be one line, without control characters or marks that change the direction of text',
          ],
        },
      })
    }
    const good = await company.api.post(path, { ...beside, [field]: ' 山田 👩‍💻 שלום\n' })
    expect({ status: good.status, text: good.body[field] }).toEqual({ status: 201, text: '山田 👩‍💻 שלום' })
    await company.api.delete(`${path}/${good.body.id}`)
  })

  test('is refused for an application that registers', async () => {
    for (const client_name of NOT_ONE_LINE) {
      const answer = await fetch(`${bellhop.url}/oauth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ client_name, redirect_uris: ['https://app.example/'] }),
      })
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ error: 'invalid_client_metadata' })
    }
  })

  test('stored before names were restricted to one line cannot reverse the text of a page', async () => {
    const { employeeId, email } = await newSignInEmployee(bellhop)
    await bellhop.db.sql`update employees set name = ${'\u202eannA \u2066'} where id = ${employeeId}`
    const browser = formBrowser(bellhop.url)
    await browser.post('/sign-in', { email, password: PASSWORD })
    const { html } = await browser.get('/account')
    expect(html).toContain('<bdi>annA </bdi>')
    expect(html).not.toMatch(/\p{Bidi_Control}/u)
  })

  test('of a caller, from another system, is corrected', () => {
    const contact = { name: 'Bo\r\n\u202eLund', company_name: 'Lund\tA/S', note: 'a\nb' }
    expect(parseProviderContact(contact)).toEqual({
      name: 'Bo Lund',
      company_name: 'Lund A/S',
      note: 'a\nb',
      email: null,
    })
  })
})
