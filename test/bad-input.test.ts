import { connect } from 'node:net'

import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'

import type { Route } from '../server/platform/http/route.ts'
import { type Harness, harness, type TestCompany } from './harness/index.ts'
import { declaredRoutes, pathOf } from './harness/routes.ts'
import { allRows } from './harness/rows.ts'

const routes = declaredRoutes()
const routesWithBody = routes
  .filter((route) => route.body)
  .map((route) => ({ route, name: `${route.method} ${route.path}` }))

let bellhop: Harness
let company: TestCompany
let before: Awaited<ReturnType<typeof allRows>>

beforeAll(async () => {
  bellhop = await harness()
  company = await newCompany()
})

/** Texting is there only for companies that have it switched on. */
const newCompany = () => bellhop.newCompany({ messaging: true })

beforeEach(async () => {
  before = await allRows(bellhop.db.sql)
})

type Body = NonNullable<RequestInit['body']>

const JSON_TYPE = { 'content-type': 'application/json' }

const FORM_TYPES: [string, string][] = [
  ['a form', 'application/x-www-form-urlencoded'],
  ['a form in capitals', 'Application/X-WWW-Form-URLencoded; charset=UTF-8'],
]
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** A fault of a voice preview that clients know by a `code`, in place of `errors`. */
const OWN_CODES = new Set(['invalid_kind'])

/** A refusal in the shape that clients rely on, which says nothing about our insides; nothing was stored. */
async function expectRefusal(response: Response, status: number, code: string): Promise<Record<string, any>> {
  const text = await response.text()
  expect({ status: response.status, text }).toEqual({ status, text: expect.any(String) })
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  const body = JSON.parse(text) as Record<string, any>
  expect(body).toMatchObject({ error: code, message: expect.stringMatching(/^\S.*\.$/) })
  const { error: _error, message: _message, errors: _errors, ...more } = body
  expect(more).toEqual(OWN_CODES.has(code) ? { code } : {})
  expect(text).not.toMatch(/node_modules|\.ts\b|\.js\b|\bat \w+ \(|FST_|postgres|zod/i)
  expect(await allRows(bellhop.db.sql)).toEqual(before)
  return body
}

const send = (path: string, init: RequestInit = {}) =>
  fetch(`${bellhop.url}${path}`, {
    ...init,
    headers: { 'x-api-key': company.key, ...(init.headers as Record<string, string>) },
  })

interface Field {
  /** As errors name it, with an index for what is in a list: `menu_options.0.digit`. */
  path: string
  /** What a fault is called, where clients know it by a code of its own, and its status if it is not 422. */
  code?: string
  status?: number
  /** The JSON of a body in which the field is looked at. */
  bodyWith(value: string, beside?: Record<string, unknown>): string
}

const objectWith = (name: string, value: string, beside: Record<string, unknown> = {}) =>
  JSON.stringify({ ...beside, [name]: 0 }).replace(/0}$/, () => `${value}}`)

/** The kind is looked at first, and its fault has a code in place of `errors`. */
const PREVIEW_FIELDS: Field[] = [
  { path: 'kind', code: 'invalid_kind', bodyWith: (value) => objectWith('kind', value) },
  { path: 'text', bodyWith: (value) => objectWith('text', value, { kind: 'greeting' }) },
]

/** A key is looked at last, and the lack of a good one is a conflict. */
function keyField(route: Route): Field {
  return {
    path: 'idempotency_key',
    code: 'idempotency_key_required',
    status: 409,
    bodyWith: (value) => {
      const { idempotency_key: _, ...beside } = route.example as Record<string, unknown>
      return objectWith('idempotency_key', value, beside)
    },
  }
}

/** The fields of the route's body, each with what is special about it. */
function fieldsIn(route: Route): Field[] {
  if (route.path.endsWith('/voice_previews')) return PREVIEW_FIELDS
  const fields = fieldsOf(route.body!)
  return route.idempotent
    ? [...fields.filter(({ path }) => path !== 'idempotency_key'), keyField(route)]
    : fields
}

/** Every field that some body of the route may have. */
function fieldsOf(schema: z.core.$ZodType): Field[] {
  if (schema instanceof z.ZodPipe) return fieldsOf(schema.def.in)
  if (schema instanceof z.ZodIntersection) return [schema.def.left, schema.def.right].flatMap(fieldsOf)
  if (schema instanceof z.ZodDiscriminatedUnion) return fieldsOfUnion(schema)
  if (!(schema instanceof z.ZodObject)) throw new Error('it is not known what fields this body has')
  return Object.entries(schema.shape).flatMap(([name, kind]) => {
    const whole: Field = { path: name, bodyWith: (value, beside) => objectWith(name, value, beside) }
    const inside = fieldsOfItems(kind).map(({ path, bodyWith }): Field => ({
      path: `${name}.0.${path}`,
      bodyWith: (value, beside) => objectWith(name, `[${bodyWith(value)}]`, beside),
    }))
    return [whole].concat(inside)
  })
}

/** Each field beside the kind of body that has it. */
function fieldsOfUnion(union: z.ZodDiscriminatedUnion): Field[] {
  const { discriminator, options } = union.def
  const variants = options.flatMap((option) => {
    const kind = (option as z.ZodObject).shape[discriminator]
    const beside = { [discriminator]: kind instanceof z.ZodLiteral ? kind.value : null }
    return fieldsOf(option).map((field): Field => ({
      path: field.path,
      bodyWith: (value) => field.bodyWith(value, beside),
    }))
  })
  return [
    { path: discriminator, bodyWith: (value) => objectWith(discriminator, value) },
    ...variants.filter(({ path }) => path !== discriminator),
  ]
}

/** The fields of what a list holds, if that has any. */
function fieldsOfItems(schema: z.core.$ZodType): Field[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return fieldsOfItems(schema.def.innerType)
  }
  if (!(schema instanceof z.ZodArray)) return []
  const { element } = schema.def
  return element instanceof z.ZodObject || element instanceof z.ZodDiscriminatedUnion ? fieldsOf(element) : []
}

/** Deeper than any recursive reader bears. */
const nested = (open: string, close: string) => open.repeat(100_000) + close.repeat(100_000)

/** Creates a contact with a body that must be understood, and takes it away again. */
const create = async (body: Body, headers: Record<string, string> = JSON_TYPE) => {
  const contact = await send('/api/v1/contacts', { method: 'POST', body, headers })
  expect(contact.status).toBe(201)
  const read = (await contact.json()) as { id: string; phone: string; name: string | null }
  await company.api.delete(`/contacts/${read.id}`)
  return read
}

/** Where a route would match, the credential is asked for first. */
const expectedWithoutKey = (path: string): [number, string] =>
  /^\/api\/v1\/contacts\/(\.\.%2f.*)?$/.test(path) ? [401, 'unauthorized'] : [404, 'not_found']

/** Sends bytes as they are and reads until the server closes. */
function converse(text: string): Promise<Response> {
  const { hostname, port } = new URL(bellhop.url)
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(Number(port), hostname)
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => (answer += chunk))
    socket.on('error', reject)
    socket.on('close', () => {
      const [head = '', body] = answer.split('\r\n\r\n')
      const [, status, ...headers] = head.split(/HTTP\/1\.1 (\d+)[^\r]*\r\n/)
      const pairs = headers[0]?.split('\r\n').map((line) => line.split(': ') as [string, string])
      resolve(new Response(body, { status: Number(status), headers: pairs }))
    })
    socket.end(text)
  })
}

describe.each(routesWithBody)('$name', ({ route }) => {
  let path: string

  beforeAll(async () => {
    company = await newCompany()
    path = `/api/v1${await pathOf(route, company)}`
  })

  const sendBody = (body: Body, headers: Record<string, string> = JSON_TYPE) =>
    send(path, { method: route.method, body, headers })

  test.each([
    ['cut off', '{"name":"x"'],
    ['no JSON', 'name=x'],
    ['a trailing comma', '{"name":"x",}'],
    ['single quotes', "{'name':'x'}"],
    ['two values', '{} {}'],
    ['NaN', '{"name":NaN}'],
    ['a raw line break in a string', '{"name":"a\nb"}'],
    ['a bad escape', '{"name":"\\x41"}'],
    ['only spaces', '   '],
    ['a key __proto__', '{"__proto__":{"admin":true}}'],
    ['a key __proto__ in escapes', '{"\\u005f_proto__":{"admin":true}}'],
    ['a key __proto__ below another', '{"name":{"__proto__":1}}'],
    ['a constructor with a prototype', '{"constructor":{"prototype":{"admin":true}}}'],
    ['unclosed brackets', '['.repeat(100_000)],
  ])('is 400 invalid_json for %s', async (_, body) => {
    await expectRefusal(await sendBody(body), 400, 'invalid_json')
  })

  test.each([
    ['a stray byte', [0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]],
    ['a cut-off character', [0x22, 0xc3, 0x22]],
    ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
    ['half a surrogate pair', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
  ])('is 400 invalid_json for what is not UTF-8: %s', async (_, bytes) => {
    const { message } = await expectRefusal(await sendBody(new Uint8Array(bytes)), 400, 'invalid_json')
    expect(message).toBe('The body is not valid UTF-8.')
  })

  test.each(['null', '[]', '[{}]', '"text"', '0', '1e999', 'true', 'false', nested('[', ']')])(
    'is 422 for a body that is no object: %.20s',
    async (body) => {
      const { errors } = await expectRefusal(await sendBody(body), 422, 'validation_failed')
      expect(errors).toEqual({ base: ['must be an object'] })
    },
  )

  test('is refused for every wrong kind of value in every field, and names the field', async () => {
    const fields = fieldsIn(route)
    expect(fields.length).toBeGreaterThan(0)
    const wrong = [
      '{}',
      '["x"]',
      '12.5',
      '1e400',
      '"a\\u0000b"',
      '"a\\ud800b"',
      JSON.stringify('x'.repeat(10_001)),
      nested('[', ']'),
      nested('{"a":', '}').replace('}', '1}'),
    ]
    for (const { path: field, code, status = 422, bodyWith } of fields) {
      for (const value of wrong) {
        const body = bodyWith(value)
        const refusal = await expectRefusal(await sendBody(body), status, code ?? 'validation_failed')
        const faults = code ? { [field]: [refusal.message] } : (refusal.errors as Record<string, string[]>)
        // Of a list of texts, what is wrong may be one of them: `events.0`.
        const named = Object.keys(faults).filter((path) => path === field || path === `${field}.0`)
        expect(named, body.slice(0, 100)).not.toEqual([])
        for (const message of Object.values(faults).flat()) expect(message).not.toMatch(/invalid input/i)
        if (code) expect(refusal.message).toMatch(new RegExp(`^${field} `))
      }
    }
  })

  test.each<[string, string]>([
    ['text', 'text/plain'],
    ...(route.acceptsForm ? [] : FORM_TYPES),
    ['a multipart form', 'multipart/form-data; boundary=x'],
    ['XML', 'application/xml'],
    ['another kind of JSON', 'application/merge-patch+json'],
    ['no type at all', ''],
    ['nonsense', ';;;'],
  ])('is 415 for %s', async (_, type) => {
    const bytes = new TextEncoder().encode(JSON.stringify(route.example))
    const headers: Record<string, string> = type ? { 'content-type': type } : {}
    await expectRefusal(await sendBody(bytes, headers), 415, 'unsupported_media_type')
  })

  test('is 413 for a body over 1 MiB, announced or not', async () => {
    for (const size of [1024 * 1024 + 1, 10_000_000]) {
      const body = JSON.stringify({ ...(route.example as object), ignored: 'x'.repeat(size) })
      await expectRefusal(await sendBody(body), 413, 'body_too_large')
      const stream = new Blob([body]).stream()
      const chunked = { method: route.method, body: stream, headers: JSON_TYPE, duplex: 'half' as const }
      await expectRefusal(await send(path, chunked), 413, 'body_too_large')
    }
  })
})

describe.each(routesWithBody.filter(({ route }) => route.acceptsForm))('$name as a form', ({ route }) => {
  let path: string

  beforeAll(async () => {
    company = await newCompany()
    path = `/api/v1${await pathOf(route, company)}`
  })

  test.each(FORM_TYPES)('is 422 for a wrong value in %s, and names the field', async (_, type) => {
    for (const { path: field } of fieldsOf(route.body!)) {
      for (const value of ['', 'perhaps', '12.5', 'a%00b', '%ff', '%']) {
        const sent = { method: route.method, body: `${field}=${value}`, headers: { 'content-type': type } }
        const { errors } = await expectRefusal(await send(path, sent), 422, 'validation_failed')
        expect(Object.keys(errors)).toEqual([field])
      }
    }
  })

  const sendForm = (body: string) => send(path, { method: route.method, body, headers: FORM })

  test('is 413 for a form over 16 KiB, and 400 for one of more than 50 fields', async () => {
    await expectRefusal(await sendForm(`ignored=${'x'.repeat(16 * 1024)}`), 413, 'body_too_large')
    await expectRefusal(await sendForm('ignored=x&'.repeat(50)), 400, 'invalid_request')
  })
})

test('a form type on a request without a body is no fault', async () => {
  expect((await send('/api/v1/company', { headers: FORM })).status).toBe(200)
})

describe('JSON that is unusual but right', () => {
  test('is read: the last of two equal keys counts', async () => {
    const { phone } = await create('{"phone":"+4520112233","phone":"+4520112244"}')
    expect(phone).toBe('+4520112244')
  })

  test('is read: a byte order mark, spaces and a charset', async () => {
    const { phone } = await create('\ufeff \n{"phone":"+4520112233"}\n ', {
      'content-type': 'Application/JSON; charset=UTF-8',
    })
    expect(phone).toBe('+4520112233')
  })

  test('is read: keys that objects have anyhow, and deep values that nobody asked for', async () => {
    const { phone } = await create(
      `{"phone":"+4520112233","constructor":1,"toString":2,"hasOwnProperty":null,"deep":${nested('[', ']')}}`,
    )
    expect(phone).toBe('+4520112233')
    expect(({} as { admin?: unknown }).admin).toBeUndefined()
  })

  test('is read: a body of just under 1 MiB', async () => {
    const { phone } = await create(JSON.stringify({ phone: '+4520112233', ignored: 'x'.repeat(1_000_000) }))
    expect(phone).toBe('+4520112233')
  })

  test('is read: escapes of both halves of a surrogate pair', async () => {
    const { name } = await create('{"phone":"+4520112233","name":"\\ud83d\\udc4d"}')
    expect(name).toBe('👍')
  })
})

describe('a path that is not there', () => {
  test.each([
    '/api',
    '/api/',
    '/api/v1',
    '/api/v1/',
    '/api/v2/contacts',
    '/api/v1/nothing',
    '/api/v1/Contacts',
    '/api/v1/contacts/',
    '/api/v1//contacts',
    '/api/v1/contacts/con_01h455vb4pex5vsknk084sn02q/',
    '/api/v1/contacts/con_01h455vb4pex5vsknk084sn02q/nothing',
    '/api/v1/contacts/..%2f..%2fetc%2fpasswd',
    '/api/v1/contacts%00',
    '/api/v1/constructor',
    '/api/v1/__proto__',
    '/api/v1/%F0%9F%A6%84',
    `/api/v1/${'x'.repeat(8_000)}`,
    '/nothing',
    '/.env',
    '/index.html',
  ])('is 404 not_found: %.60s', async (path) => {
    await expectRefusal(await send(path), 404, 'not_found')
    await expectRefusal(await fetch(`${bellhop.url}${path}`), ...expectedWithoutKey(path))
  })

  test.each([
    ['PUT', '/api/v1/contacts'],
    ['PATCH', '/api/v1/contacts'],
    ['DELETE', '/api/v1/contacts'],
    ['DELETE', '/api/v1/company'],
    ['POST', '/api/v1/company'],
    ['POST', '/api/v1/contacts/con_01h455vb4pex5vsknk084sn02q'],
    ['OPTIONS', '/api/v1/contacts'],
    ['PROPFIND', '/api/v1/contacts'],
    ['POST', '/healthz'],
  ])('is 404 not_found for a method it does not have: %s %s', async (method, path) => {
    await expectRefusal(await send(path, { method }), 404, 'not_found')
  })

  test.each(['QUERY', 'SEARCH', 'REPORT', 'LINK'])(
    'is no fault of ours for the method %s',
    async (method) => {
      const response = await send('/api/v1/contacts', { method })
      expect(response.status).toBeGreaterThanOrEqual(400)
      await expectRefusal(
        response,
        response.status,
        response.status === 404 ? 'not_found' : 'invalid_request',
      )
      expect(response.status).toBeLessThan(500)
    },
  )

  test.each(['/api/v1/contacts/%', '/api/v1/contacts/%zz', '/api/v1/%c3%28', '/api/v1/contacts/%ff'])(
    'is 400 invalid_url for a malformed escape: %s',
    async (path) => {
      await expectRefusal(await send(path), 400, 'invalid_url')
    },
  )
})

describe('HEAD', () => {
  test.each(['/api/v1/contacts', '/api/v1/company'])(
    'answers %s as GET does, without a body',
    async (path) => {
      const [get, head] = [await send(path), await send(path, { method: 'HEAD' })]
      expect(head.status).toBe(200)
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
      expect(await head.text()).toBe('')
      expect((await fetch(`${bellhop.url}${path}`, { method: 'HEAD' })).status).toBe(401)
    },
  )
})

describe('what is hardly HTTP', () => {
  test.each([
    ['nonsense', 'HELLO\r\n\r\n'],
    ['an unknown method', 'BREW /api/v1/contacts HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a header without a name', 'GET /api/v1/contacts HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n'],
    [
      'two lengths that disagree',
      'POST /api/v1/contacts HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
    ],
    [
      'a length and chunks',
      'POST /api/v1/contacts HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a raw byte in the path', 'GET /api/v1/contacts/\u00ff HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('is 400 invalid_request: %s', async (_, text) => {
    await expectRefusal(await converse(text), 400, 'invalid_request')
  })

  test('is 431 for headers or a path of more than 16 KiB', async () => {
    await expectRefusal(
      await send('/api/v1/contacts', { headers: { x: 'x'.repeat(17_000) } }),
      431,
      'headers_too_large',
    )
    await expectRefusal(await send(`/api/v1/contacts/${'x'.repeat(17_000)}`), 431, 'headers_too_large')
    await expectRefusal(await send(`/api/v1/contacts?phone=${'1'.repeat(17_000)}`), 431, 'headers_too_large')
  })

  test('stores nothing of a body that breaks off, and goes on serving', async () => {
    const logged = bellhop.logged.length
    const body = '{"phone":"+4520112233"}'
    const { hostname, port } = new URL(bellhop.url)
    await new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          `POST /api/v1/contacts HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${company.key}\r\n` +
            `Content-Type: application/json\r\nContent-Length: ${body.length + 1}\r\n\r\n${body}`,
          () => socket.destroy(),
        )
      })
      socket.on('error', reject)
      socket.on('close', () => resolve())
    })
    await expect.poll(() => bellhop.logged.slice(logged).join('\n')).toContain('"method":"POST"')
    expect(bellhop.logged.slice(logged).map((line) => JSON.parse(line))).toMatchObject([
      { level: 'info', method: 'POST', status: null, aborted: true },
    ])
    expect((await company.api.get('/company')).status).toBe(200)
    expect(await allRows(bellhop.db.sql)).toEqual(before)
  })
})

test('none of this was an error of the server', () => {
  const errors = bellhop.logged.filter((line) => (JSON.parse(line) as { level: string }).level === 'error')
  expect(errors).toEqual([])
})
