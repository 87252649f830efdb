import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'

import { newCall, newNumber } from '../../../test/harness/calls/telephony.ts'
import { type Harness, harness, type TestCompany } from '../../../test/harness/index.ts'
import { withMcpClient } from '../../../test/harness/peers/mcp-client.ts'
import { oauthApplication, PATIENTLY } from '../../../test/harness/peers/oauth.ts'
import { declaredRoutes, pathOf, requestOf } from '../../../test/harness/routes/routes.ts'
import { encodeId } from '../../platform/ids.ts'
import { toolsOf } from './tools.ts'

let bellhop: Harness
let company: TestCompany
let app: ReturnType<typeof oauthApplication>

beforeAll(async () => {
  bellhop = await harness()
  company = await bellhop.newCompany({ messaging: true })
  app = oauthApplication(bellhop)
})

const withClient = <T>(
  run: (client: Client) => Promise<T>,
  headers: Record<string, string> = { 'x-api-key': company.key },
  options?: ClientOptions,
) => withMcpClient(bellhop, headers, run, { options })

/** There is no session, so each call has its own credential. */
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

const tools = await toolsOf(declaredRoutes())
const current = tools.map(({ route }) => route)
const everyday = tools.filter(({ toolSet }) => toolSet === 'everyday')

/** Routes that need a live call, a business number or an operator refuse in the same way. */
const REFUSED = new Map([
  ['start_transfer', 'not_found'],
  ['complete_transfer', 'transfer_not_open'],
  ['start_conference', 'call_not_active'],
  ['start_outside_transfer', 'call_not_active'],
  ['cancel_outside_transfer', 'transfer_not_open'],
  ['pick_up_call', 'call_not_queued'],
  ['park_call', 'call_not_active'],
  ['retrieve_call', 'call_not_parked'],
  ['list_trunks', 'not_an_operator'],
  ['pause_call_recording', 'call_not_active'],
  ['resume_call_recording', 'call_not_active'],
  ['simulate_call', 'no_business_number'],
  ['simulate_text', 'no_business_number'],
  ['set_thread_state', 'not_found'],
  ['assign_thread', 'not_found'],
  ['merge_contacts', 'not_found'],
  ['remove_contact_number', 'not_found'],
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
      const input = { ...ids, ...query, ...body }
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
    const changed = await call('set_business_number_incoming_call_config', { id: number, ...body })
    expect(changed.structuredContent).toMatchObject({ id: number, incoming_call_config: body })
  })

  test('may have the fields of a call flow in one argument, as clients of the first version send them', async () => {
    const number = encodeId('num', await newNumber(company))
    const body = { type: 'VoicemailConfig', greeting: 'Leave a message.' }
    const changed = await call('set_business_number_incoming_call_config', { id: number, body })
    expect(changed.structuredContent).toMatchObject({ id: number, incoming_call_config: body })
  })

  test.each(['+4520112233', '20 11 22 33', 'anonymous', 'DSB Info', 'H&M', 'a/b?c#d%2e', '1272'])(
    'takes the phone number %j as it is',
    async (phone_number) => {
      const path = `/inbox/${encodeURIComponent(phone_number)}`
      const read = await company.api.get(`${path}/activity`)
      const activity = await call('list_activity', { phone_number })
      const { observed_at: _, ...expected } = read.body as Record<string, unknown>
      expect(JSON.parse(textOf(activity))).toMatchObject(expected)
      const through = '2026-11-15T08:00:00Z'
      const marked = await company.api.post(`${path}/seen`, { through })
      const seen = await call('mark_seen', { phone_number, through })
      if (marked.status === 204) return expect(textOf(seen)).toBe('Done.')
      expect(JSON.parse(textOf(seen))).toEqual(marked.body)
    },
  )

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
        expect((await client.listTools()).tools.length).toBe(everyday.length)
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
        expect((await client.listTools()).tools.length).toBe(everyday.length)
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
