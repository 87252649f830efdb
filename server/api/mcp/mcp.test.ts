import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'

import { newCall, newNumber } from '../../../test/harness/calls/telephony.ts'
import { type Harness, harness, type TestCompany } from '../../../test/harness/index.ts'
import { oauthApplication, PATIENTLY } from '../../../test/harness/peers/oauth.ts'
import { declaredRoutes, pathOf, requestOf } from '../../../test/harness/routes/routes.ts'
import { encodeId } from '../../platform/ids.ts'

let bellhop: Harness
let company: TestCompany
let app: ReturnType<typeof oauthApplication>

beforeAll(async () => {
  bellhop = await harness()
  company = await bellhop.newCompany({ messaging: true })
  app = oauthApplication(bellhop)
})

/** The official client, which validates every result with the tool's schema. */
async function withClient<T>(
  run: (client: Client) => Promise<T>,
  headers: Record<string, string> = { 'x-api-key': company.key },
  options?: ClientOptions,
): Promise<T> {
  const client = new Client({ name: 'test', version: '1.0.0' }, options)
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${bellhop.url}/mcp`), { requestInit: { headers } }),
  )
  try {
    return await run(client)
  } finally {
    await client.close()
  }
}

/** Has listed the tools, to validate results; there is no session, so each call has its own credential. */
let caller: Client
let credential: Record<string, string> = {}
beforeAll(async () => {
  caller = new Client({ name: 'test', version: '1.0.0' })
  const fetchWithCredential: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers)
    for (const [name, value] of Object.entries(credential)) headers.set(name, value)
    return fetch(input, { ...init, headers })
  }
  credential = { 'x-api-key': company.key }
  await caller.connect(
    new StreamableHTTPClientTransport(new URL(`${bellhop.url}/mcp`), { fetch: fetchWithCredential }),
  )
  await caller.listTools()
})
afterAll(() => caller.close())

async function call(
  name: string,
  input: Record<string, unknown> = {},
  headers: Record<string, string> = { 'x-api-key': company.key },
) {
  credential = headers
  return caller.callTool({ name, arguments: input })
}

const textOf = (result: Awaited<ReturnType<typeof call>>) =>
  result.content.map((part) => (part.type === 'text' ? part.text : '')).join('')

const routes = declaredRoutes()
const current = routes.filter(({ deprecated }) => !deprecated)

describe('the list of tools', () => {
  test('has one for every route of the API, and none for deprecated names', async () => {
    const { tools } = await withClient((client) => client.listTools())
    expect(tools.map(({ name }) => name).toSorted()).toEqual(current.map(({ name }) => name).toSorted())
    expect(routes.length).toBeGreaterThan(current.length)
  })

  test('annotates each with its effect', async () => {
    const { tools } = await withClient((client) => client.listTools())
    const hints = new Map(tools.map(({ name, annotations }) => [name, annotations]))
    const changes = { readOnlyHint: false, destructiveHint: true, idempotentHint: true }
    expect(hints.get('list_contacts')).toMatchObject({ readOnlyHint: true, destructiveHint: false })
    expect(hints.get('get_call')).toMatchObject({ readOnlyHint: true, destructiveHint: false })
    expect(hints.get('create_contact')).toMatchObject({ readOnlyHint: false, destructiveHint: false })
    expect(hints.get('update_contact')).toMatchObject(changes)
    expect(hints.get('set_do_not_disturb')).toMatchObject(changes)
    expect(hints.get('delete_contact')).toMatchObject(changes)
    const adds = { readOnlyHint: false, destructiveHint: false, idempotentHint: true }
    expect(hints.get('get_caller_context')).toMatchObject(adds)
    for (const { method, name, mayAdd = false } of current) {
      const readOnly = method === 'GET' && !mayAdd
      expect({ name, readOnly: hints.get(name)?.readOnlyHint }).toEqual({ name, readOnly })
      if (method === 'DELETE') expect(hints.get(name)).toMatchObject(changes)
    }
  })

  test('has the schemas of the routes', async () => {
    const { tools } = await withClient((client) => client.listTools())
    for (const route of current) {
      const { inputSchema, outputSchema } = tools.find(({ name }) => name === route.name)!
      const parts = [route.params, route.query, route.body].filter((part) => part instanceof z.ZodObject)
      const schemas = parts.map((part) => z.toJSONSchema(part, { io: 'input' }))
      const nested = route.body && !(route.body instanceof z.ZodObject) ? ['body'] : []
      const required = [...schemas.flatMap((schema) => schema.required ?? []), ...nested]
      expect({ name: route.name, required: (inputSchema.required ?? []).toSorted() }).toEqual({
        name: route.name,
        required: required.toSorted(),
      })
      for (const schema of schemas)
        expect(Object.keys(inputSchema.properties!)).toEqual(
          expect.arrayContaining(Object.keys(schema.properties!)),
        )
      // Some programs refuse a tool whose arguments have alternatives at the top level.
      for (const form of ['anyOf', 'oneOf', 'allOf']) expect(inputSchema).not.toHaveProperty(form)
      expect(outputSchema === undefined).toBe(route.reply === null)
    }
  })
})

/** Routes that need a live call or a business number refuse in the same way. */
const REFUSED = new Map([
  ['start_transfer', 'not_found'],
  ['complete_transfer', 'transfer_not_open'],
  ['simulate_call', 'no_business_number'],
  ['simulate_text', 'no_business_number'],
])

describe('a call', () => {
  test.each(current.map((route) => ({ name: route.name, route })))(
    'of $name does what the route does',
    async ({ name, route }) => {
      const own = await bellhop.newCompany({ messaging: true })
      const path = await pathOf(route, own)
      const names = [...route.path.matchAll(/:(\w+)/g)].map(([, parameter]) => parameter!)
      const values = route.path
        .split('/')
        .flatMap((part, i) => (part.startsWith(':') ? [decodeURIComponent(path.split('/')[i]!)] : []))
      const ids = Object.fromEntries(names.map((parameter, i) => [parameter, values[i]!]))
      const body = route.body && (JSON.parse(requestOf(route).body as string) as Record<string, unknown>)
      const query = Object.fromEntries(new URLSearchParams(path.split('?')[1]))
      const input = { ...ids, ...query, ...(route.body instanceof z.ZodObject ? body : body && { body }) }
      const result = await call(name, input, { 'x-api-key': own.key })
      const refusal = REFUSED.get(name)
      if (refusal) {
        expect(result.isError).toBe(true)
        return expect(textOf(result)).toContain(refusal)
      }
      expect({ name, isError: result.isError ?? false, text: textOf(result) }).toEqual({
        name,
        isError: false,
        text: expect.any(String),
      })
      if (!route.reply) return expect(textOf(result)).toBe('Done.')
      const answer = result.structuredContent as Record<string, unknown>
      const isWhole = route.reply instanceof z.ZodObject && !route.mayBeEmpty
      const declared = route.mayBeEmpty ? route.reply.nullable() : route.reply
      expect(declared.safeParse(isWhole ? answer : answer['result'])).toMatchObject({ success: true })
      expect(JSON.parse(textOf(result))).toEqual(answer)
    },
  )

  test('works on contacts: create, find by phone, change, delete', async () => {
    const created = await call('create_contact', { phone: '+4520112233', name: 'Mikkel' })
    const { id } = created.structuredContent as { id: string }
    expect((await company.api.get(`/contacts/${id}`)).body).toEqual(created.structuredContent)
    expect((await call('list_contacts', { phone: '20 11 22 33' })).structuredContent).toEqual({
      result: [created.structuredContent],
    })
    await call('update_contact', { id, note: 'Rides a cargo bike.' })
    expect((await company.api.get(`/contacts/${id}`)).body.note).toBe('Rides a cargo bike.')
    expect(textOf(await call('delete_contact', { id }))).toBe('Done.')
    expect((await company.api.get(`/contacts/${id}`)).status).toBe(404)
  })

  test('works on calls and numbers', async () => {
    const number = encodeId('num', await newNumber(company))
    const callId = encodeId('cal', await newCall(company))
    const numbers = (await call('list_business_numbers')).structuredContent as {
      main_numbers: { id: string }[]
    }
    expect(numbers.main_numbers.map(({ id }) => id)).toContain(number)
    const listed = (await call('list_calls', { limit: 50 })).structuredContent
    expect(JSON.stringify(listed)).toContain(callId)
    expect((await call('get_call', { id: callId })).structuredContent).toMatchObject({ id: callId })
    const body = { type: 'TransferConfig', employee_ids: [encodeId('emp', company.employeeId)] }
    const changed = await call('set_business_number_incoming_call_config', { id: number, body })
    expect(changed.structuredContent).toMatchObject({ id: number, incoming_call_config: body })
  })

  test.each<[string, Record<string, unknown>, string, string, RequestInit]>([
    ['create_contact', {}, 'POST', '/contacts', { body: '{}' }],
    ['create_contact', { phone: 'no' }, 'POST', '/contacts', { body: '{"phone":"no"}' }],
    ['create_contact', { phone: 7 }, 'POST', '/contacts', { body: '{"phone":7}' }],
    ['list_calls', { direction: 'sideways' }, 'GET', '/calls?direction=sideways', {}],
    [
      'get_contact',
      { id: 'con_01h455vb4pex5vsknk084sn02q' },
      'GET',
      '/contacts/con_01h455vb4pex5vsknk084sn02q',
      {},
    ],
    ['get_contact', {}, 'GET', '/contacts/none', {}],
  ])('of %s with %j is refused with the error of the API', async (name, input, method, path, init) => {
    const headers = { 'content-type': 'application/json' }
    const refused = await company.api.request(path, { method, ...init, ...(init.body && { headers }) })
    expect(refused.status).toBeGreaterThanOrEqual(400)
    const result = await call(name, input)
    expect(result.isError).toBe(true)
    expect(JSON.parse(textOf(result))).toEqual(refused.body)
  })

  test('does not reach data of another company', async () => {
    const { body } = await (await bellhop.newCompany()).api.post('/contacts', { phone: '+4520445566' })
    const result = await call('delete_contact', { id: body.id })
    expect(result.isError).toBe(true)
    expect(JSON.parse(textOf(result))).toMatchObject({ error: 'not_found' })
  })

  test.each([
    '..',
    '.',
    '../employees',
    '%2e%2e',
    'x/../y',
    '',
    null,
    7,
    {},
    ['con_1'],
    '?phone=1',
    'x'.repeat(5_000),
  ])('with the id %j leads to no other route', async (id) => {
    const logged = bellhop.logged.length
    const result = await call('get_business_number_texting_settings', { id })
    expect(result.isError).toBe(true)
    expect(JSON.parse(textOf(result))).toMatchObject({ error: 'not_found' })
    const asked = bellhop.logged.slice(logged).filter((line) => line.includes('/api/v1'))
    expect(asked).toHaveLength(1)
    expect(JSON.parse(asked[0]!).route).toBe('/api/v1/business_numbers/:id/texting_settings')
  })

  test('of an unknown tool is a protocol error', async () => {
    await withClient(async (client) => {
      await expect(client.callTool({ name: 'drop_tables', arguments: {} })).rejects.toMatchObject({
        code: -32602,
      })
    })
  })

  test('with a result that is too long asks for a narrower one', async () => {
    const own = await bellhop.newCompany()
    await bellhop.db.sql`
      insert into contacts (company_id, phone, phone_formatted, note)
      select ${own.companyId}, '+4521' || lpad(i::text, 6, '0'), '', repeat('x', 10000) from generate_series(1, 120) i`
    const result = await call('list_contacts', {}, { 'x-api-key': own.key })
    expect(result.isError).toBe(true)
    expect(JSON.parse(textOf(result))).toMatchObject({ error: 'result_too_large' })
    const one = await call('list_contacts', { phone: '+4521000007' }, { 'x-api-key': own.key })
    expect((one.structuredContent as { result: unknown[] }).result).toHaveLength(1)
  })
})

describe('every revision of the protocol in use', () => {
  test('the current one, by discovery', async () => {
    const options: ClientOptions = { versionNegotiation: { mode: { pin: '2026-07-28' } } }
    await withClient(
      async (client) => {
        expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28')
        expect(client.getServerVersion()).toMatchObject({ name: 'bellhop' })
        expect((await client.listTools()).tools.length).toBe(current.length)
        const result = await client.callTool({ name: 'get_company', arguments: {} })
        expect(result.structuredContent).toMatchObject({ id: encodeId('com', company.companyId) })
      },
      undefined,
      options,
    )
  })

  test.each(['2025-11-25', '2025-06-18'])('%s, by its handshake', async (revision) => {
    await withClient(
      async (client) => {
        expect(client.getNegotiatedProtocolVersion()).toBe(revision)
        expect((await client.listTools()).tools.length).toBe(current.length)
        const result = await client.callTool({ name: 'get_company', arguments: {} })
        expect(result.structuredContent).toMatchObject({ id: encodeId('com', company.companyId) })
      },
      undefined,
      { supportedProtocolVersions: [revision] },
    )
  })
})

const send = (init: RequestInit) => fetch(`${bellhop.url}/mcp`, init)
const list = (headers: Record<string, string>): RequestInit => ({
  method: 'POST',
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  headers: {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-06-18',
    ...headers,
  },
})
const key = () => ({ 'x-api-key': company.key })

describe('access', () => {
  test.each<[string, Record<string, string>, string]>([
    ['no credential', {}, 'unauthorized'],
    ['a wrong token', { authorization: 'Bearer wrong' }, 'invalid_token'],
    ['a wrong key', { 'x-api-key': 'wrong' }, 'Invalid API key'],
  ])('%s gets a 401 that says where to get a token', async (_, headers, error) => {
    for (const method of ['POST', 'GET', 'DELETE']) {
      const response = await send(method === 'POST' ? list(headers) : { method, headers })
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toBe(
        `Bearer error="invalid_token", resource_metadata="${bellhop.url}/.well-known/oauth-protected-resource/mcp"`,
      )
      expect(await response.json()).toMatchObject({ error })
    }
  })

  test('an access token may, until it is revoked', async () => {
    const { clientId, accessToken } = await app.newTokens(company)
    const headers = { authorization: `Bearer ${accessToken}` }
    const result = await withClient(
      (client) => client.callTool({ name: 'get_company', arguments: {} }),
      headers,
    )
    expect(result.structuredContent).toMatchObject({ id: encodeId('com', company.companyId) })
    await app.revoke(clientId, accessToken)
    await expect.poll(async () => (await send(list(headers))).status, PATIENTLY).toBe(401)
  })

  test.each(['https://evil.example', 'http://127.0.0.1:1', 'null', 'http://localhost'])(
    'a page of %s may not, whatever its credential',
    async (origin) => {
      const response = await send(list({ ...key(), origin }))
      expect(response.status).toBe(403)
      expect(await response.json()).toMatchObject({ error: 'foreign_origin' })
    },
  )

  test('a page of our own may', async () => {
    expect((await send(list({ ...key(), origin: bellhop.url }))).status).toBe(200)
    expect((await send(list(key()))).status).toBe(200)
  })

  test.each(['GET', 'DELETE'])('there is no session to %s: 405', async (method) => {
    const response = await send({ method, headers: { ...key(), accept: 'text/event-stream' } })
    expect(response.status).toBe(405)
    expect(response.headers.get('mcp-session-id')).toBeNull()
  })

  test.each(['{', '[]', '"x"', '{"jsonrpc":"2.0"}', ''])(
    'the body %j is refused, and is not an internal error',
    async (body) => {
      const response = await send({ ...list(key()), body })
      expect(response.status).toBeGreaterThanOrEqual(400)
      expect(response.status).toBeLessThan(500)
    },
  )

  test('none of this caused an internal error', () => {
    expect(bellhop.logged.filter((line) => line.includes('"level":"error"'))).toEqual([])
  })
})
