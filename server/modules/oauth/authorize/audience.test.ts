import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { beforeAll, describe, expect, test } from 'vitest'

import { type Harness, harness, type TestCompany } from '../../../../test/harness/index.ts'
import { openSocket } from '../../../../test/harness/peers/cable-socket.ts'
import { oauthApplication, type Parameters } from '../../../../test/harness/peers/oauth.ts'
import { declaredRoutes, pathOf, requestOf } from '../../../../test/harness/routes/routes.ts'
import { randomToken, sha256 } from '../../../platform/crypto/crypto.ts'
import { decodeId } from '../../../platform/ids.ts'

/** RFC 8707: the resources that a token is valid for. */
let bellhop: Harness
let company: TestCompany
let app: ReturnType<typeof oauthApplication>
let clientId: string

beforeAll(async () => {
  bellhop = await harness()
  company = await bellhop.newCompany({ messaging: true })
  app = oauthApplication(bellhop)
  clientId = await app.newClient()
})

interface Tokens {
  access_token: string
  refresh_token: string
}

/** The parameters of the authorization request, and of the token request. */
async function tokensFor(asked: Parameters, redeemed: Parameters = {}): Promise<Tokens> {
  const { status, body } = await app.redeem(clientId, await app.newCode(clientId, company, asked), redeemed)
  expect(status).toBe(200)
  return body
}

const mcp = () => ({ resource: `${bellhop.url}/mcp` })

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** With the official client. */
async function withClient<T>(token: string, run: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const requestInit = { headers: bearer(token) }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${bellhop.url}/mcp`), { requestInit }))
  try {
    return await run(client)
  } finally {
    await client.close()
  }
}

const callTool = (token: string, name: string, input: Record<string, unknown> = {}) =>
  withClient(token, async (client) => {
    const { isError = false, structuredContent } = await client.callTool({ name, arguments: input })
    return { isError, answer: structuredContent as Record<string, unknown> }
  })

const opensMcp = async (token: string) => !(await callTool(token, 'get_company')).isError

async function opensCable(options: { path?: string; headers?: Record<string, string> }) {
  const cable = await openSocket(bellhop.url, options)
  const subscribed = cable.subscribe().then(
    () => true,
    () => false,
  )
  return Promise.race([subscribed, cable.closed.then(() => false)])
}

/** What the token gives access to. */
async function doorsOf({ access_token: token }: Tokens) {
  return {
    mcp: await opensMcp(token),
    api: (await app.statusWith(token)) === 200,
    cable: await opensCable({ headers: bearer(token) }),
    cableByAddress: await opensCable({ path: `/cable?access_token=${token}` }),
  }
}

const ALL = { mcp: true, api: true, cable: true, cableByAddress: true }
const MCP_ALONE = { mcp: true, api: false, cable: false, cableByAddress: false }

describe('a token for {base}/mcp', () => {
  test('is valid for /mcp only', async () => {
    expect(await doorsOf(await tokensFor(mcp()))).toEqual(MCP_ALONE)
  })

  test('is valid for all that its tools do', async () => {
    const { access_token } = await tokensFor(mcp())
    const { answer } = await callTool(access_token, 'create_contact', { phone: '+4520112233' })
    expect((await company.api.get(`/contacts/${String(answer['id'])}`)).body).toEqual(answer)
    const gone = await callTool(access_token, 'delete_contact', { id: answer['id'] })
    expect(gone.isError).toBe(false)
    expect((await company.api.get(`/contacts/${String(answer['id'])}`)).status).toBe(404)
  })

  test('is 401 invalid_token at every route, also while a tool has just used it', async () => {
    const { access_token } = await tokensFor(mcp())
    await withClient(access_token, async (client) => {
      for (const route of declaredRoutes()) {
        const { headers, ...init } = requestOf(route)
        const path = await pathOf(route, company)
        expect((await client.callTool({ name: 'get_company', arguments: {} })).isError ?? false).toBe(false)
        const { status, body, ...answer } = await bellhop.anonymous.request(path, {
          ...init,
          headers: { ...(headers as Record<string, string>), ...bearer(access_token) },
        })
        expect({ path, status, error: body.error }).toEqual({ path, status: 401, error: 'invalid_token' })
        expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
      }
    })
  })

  test('stays so when refreshed, even without naming the resource again', async () => {
    const first = await tokensFor(mcp())
    const second = (await app.refresh(clientId, first.refresh_token)).body
    const third = (await app.refresh(clientId, second.refresh_token, mcp())).body
    expect([await doorsOf(second), await doorsOf(third)]).toEqual([MCP_ALONE, MCP_ALONE])
  })

  test('is also issued if only the token request names the resource', async () => {
    expect(await doorsOf(await tokensFor({}, mcp()))).toEqual(MCP_ALONE)
  })
})

describe('a token for {base}, for both, or for nothing in particular', () => {
  test.each<[string, (base: string) => Parameters]>([
    ['none', () => ({})],
    ['the base', (base) => ({ resource: base })],
    ['both', (base) => ({ resource: [`${base}/mcp`, base] })],
  ])('%s: is valid for everything', async (_, resource) => {
    const first = await tokensFor(resource(bellhop.url))
    expect(await doorsOf(first)).toEqual(ALL)
    expect(await doorsOf((await app.refresh(clientId, first.refresh_token)).body)).toEqual(ALL)
  })

  test('can be narrowed at each refresh, without narrowing the next', async () => {
    const first = await tokensFor({})
    const narrow = (await app.refresh(clientId, first.refresh_token, mcp())).body
    expect(await doorsOf(narrow)).toEqual(MCP_ALONE)
    expect(await doorsOf((await app.refresh(clientId, narrow.refresh_token)).body)).toEqual(ALL)
  })

  test('that was issued before resources were supported stays valid', async () => {
    const { companyId, employeeId } = company
    const token = `bhat_${randomToken()}`
    // As written by a process of the previous version, which stores no audience.
    const [grant] = await bellhop.db.sql<{ id: string }[]>`
      insert into oauth_grants (company_id, employee_id, client_id)
      values (${companyId}, ${employeeId}, ${decodeId('cli', clientId)!}) returning id`
    await bellhop.db.sql`
      insert into oauth_access_tokens (token_hash, grant_id, expires_at)
      values (${sha256(token)}, ${grant!.id}, ${new Date(bellhop.clock.now().getTime() + 60_000)})`
    expect(await doorsOf({ access_token: token, refresh_token: '' })).toEqual(ALL)
  })
})

describe('more than was granted is invalid_target', () => {
  test.each<[string, (base: string) => string[]]>([
    ['the base', (base) => [base]],
    ['both', (base) => [`${base}/mcp`, base]],
  ])('at the token endpoint, for %s', async (_, wider) => {
    const resource = wider(bellhop.url)
    const code = await app.newCode(clientId, company, mcp())
    const refused = await app.redeem(clientId, code, { resource })
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_target' } })
    // Neither the code nor the refresh token is used up by this.
    const redeemed = await app.redeem(clientId, code)
    expect(redeemed.status).toBe(200)
    const again = await app.refresh(clientId, redeemed.body.refresh_token, { resource })
    expect(again).toMatchObject({ status: 400, body: { error: 'invalid_target' } })
    expect((await app.refresh(clientId, redeemed.body.refresh_token)).status).toBe(200)
  })
})

/** Replaces {us}, {host} and {port}. */
const us = (text: string) => {
  const { host, port, origin } = new URL(bellhop.url)
  return text.replace('{us}', origin).replace('{host}', host).replace('{port}', port)
}

const answerTo = async (resource: string) => {
  const address = app.authorizeUrl(clientId, { resource: us(resource) })
  const answer = await fetch(address, {
    headers: { cookie: await app.signIn(company) },
    redirect: 'manual',
  })
  const location = answer.headers.get('location')
  return location ? new URL(location).searchParams.get('error') : answer.status
}

describe('a resource is compared as a URL', () => {
  test.each(['{us}', '{us}/', 'HTTP://{host}', 'http://{host}/mcp', 'Http://{host}/mcp', '{us}/mcp/'])(
    '%s is ours',
    async (resource) => expect(await answerTo(resource)).toBe(200),
  )

  test.each([
    '{us}/mcp#fragment',
    '{us}/mcp#',
    '{us}#',
    '{us}/mcp?x=1',
    '{us}/mcp?',
    '{us}?x=1',
    '{us}/MCP',
    '{us}/mcp/x',
    '{us}/mcpx',
    '{us}/api/v1',
    '{us}/cable',
    '{us}//mcp',
    'https://{host}/mcp',
    'http://localhost.example:{port}/mcp',
    'http://127.0.0.1/mcp',
    'http://user@{host}/mcp',
    'http://user:secret@{host}',
    'http:\\\\{host}\\mcp',
    ' {us}/mcp',
    '{us}/mcp\n',
    '{host}/mcp',
    '/mcp',
    'mcp',
    '',
    'urn:example:mcp',
    'javascript:alert(1)',
  ])('%j is invalid_target', async (resource) => expect(await answerTo(resource)).toBe('invalid_target'))

  test('letter case and the default port do not matter for a public URL', async () => {
    const published = await harness({ BELLHOP_BASE_URL: 'https://phone.example.com/bellhop' })
    const theirs = await published.newCompany()
    const there = oauthApplication(published)
    const id = await there.newClient()
    const cookie = await there.signIn(theirs)
    const ask = async (resource: string) => {
      const answer = await fetch(there.authorizeUrl(id, { resource }), {
        headers: { cookie: cookie.replace('bellhop_session', '__Host-bellhop_session') },
        redirect: 'manual',
      })
      return answer.status
    }
    for (const resource of [
      'https://phone.example.com/bellhop',
      'https://PHONE.example.com:443/bellhop/',
      'HTTPS://phone.EXAMPLE.com/bellhop/mcp',
    ])
      expect({ resource, status: await ask(resource) }).toEqual({ resource, status: 200 })
    for (const resource of [
      'https://phone.example.com/mcp',
      'https://phone.example.com/Bellhop/mcp',
      'https://phone.example.com:8443/bellhop',
      published.url,
    ])
      expect({ resource, status: await ask(resource) }).toEqual({ resource, status: 302 })
  })
})
