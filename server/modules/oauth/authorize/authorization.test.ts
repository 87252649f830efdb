import { beforeAll, describe, expect, test } from 'vitest'

import type { Answer } from '../../../../test/harness/api-client.ts'
import { type Harness, harness, type TestCompany } from '../../../../test/harness/index.ts'
import { oauthApplication, type Parameters, REDIRECT_URI } from '../../../../test/harness/peers/oauth.ts'
import { allRows } from '../../../../test/harness/routes/rows.ts'
import { encodeId } from '../../../platform/ids.ts'
import { registerFirstPartyClient } from '../index.ts'

let bellhop: Harness
let company: TestCompany
let app: ReturnType<typeof oauthApplication>
let clientId: string
let cookie: string

beforeAll(async () => {
  bellhop = await harness()
  company = await bellhop.newCompany()
  app = oauthApplication(bellhop)
  clientId = await app.newClient()
  cookie = await app.signIn(company)
})

const visit = (address: string, headers: Record<string, string> = { cookie }) =>
  fetch(address, { headers, redirect: 'manual' })

/** An error page, without a redirect. */
async function expectPage(response: Response, status: number, error: string) {
  expect(response.status).toBe(status)
  expect(response.headers.get('location')).toBeNull()
  expect(response.headers.get('refresh')).toBeNull()
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const text = await response.text()
  expect(text).toContain(`<code>${error}</code>`)
  expect(text).not.toMatch(/http-equiv="refresh"|evil/)
}

/** A redirect back to the client, with exactly these parameters. */
function expectBack(response: Answer, expected: Record<string, unknown>, to = REDIRECT_URI) {
  expect(response.status).toBe(302)
  const location = response.headers.get('location')!
  expect(location.startsWith(`${to}?`)).toBe(true)
  const answered = new URL(location).searchParams
  expect([...answered.keys()].length).toBe(new Set(answered.keys()).size)
  expect(Object.fromEntries(answered)).toEqual({ iss: bellhop.url, ...expected })
}

/** Our own URL, which is known only once we listen. */
const own = (text: string) => text.replace('{us}', bellhop.url)

const fault = (error: string) => ({ error, error_description: expect.stringMatching(/\.$/), state: 'xyz' })

describe('before client and redirect URI are validated, there is no redirect', () => {
  const EVIL = 'https://evil.example/'

  test.each<[string, Parameters, number, string]>([
    ['no client_id', { client_id: undefined }, 400, 'invalid_request'],
    ['an empty client_id', { client_id: '' }, 400, 'invalid_request'],
    ['two client_ids', { client_id: ['cli_1', 'cli_2'] }, 400, 'invalid_request'],
    ['an unknown client_id', { client_id: 'cli_01h455vb4pex5vsknk084sn02q' }, 401, 'invalid_client'],
    ['a malformed client_id', { client_id: 'nobody' }, 401, 'invalid_client'],
    ['no redirect_uri', { redirect_uri: undefined }, 400, 'invalid_request'],
    ['an empty redirect_uri', { redirect_uri: '' }, 400, 'invalid_request'],
    ['two redirect_uris', { redirect_uri: [REDIRECT_URI, REDIRECT_URI] }, 400, 'invalid_request'],
    ['two redirect_uris, the second foreign', { redirect_uri: [REDIRECT_URI, EVIL] }, 400, 'invalid_request'],
    ['a foreign redirect_uri', { redirect_uri: EVIL }, 400, 'invalid_request'],
    ['one with a longer path', { redirect_uri: `${REDIRECT_URI}/evil` }, 400, 'invalid_request'],
    ['one with a query', { redirect_uri: `${REDIRECT_URI}?a=b` }, 400, 'invalid_request'],
    ['one with a fragment', { redirect_uri: `${REDIRECT_URI}#evil` }, 400, 'invalid_request'],
    ['one with a dot segment', { redirect_uri: `${REDIRECT_URI}/../evil` }, 400, 'invalid_request'],
    [
      'one with a user',
      { redirect_uri: 'https://app.example@evil.example/callback' },
      400,
      'invalid_request',
    ],
    ['a longer host', { redirect_uri: 'https://app.example.evil.example/callback' }, 400, 'invalid_request'],
    ['a backslash', { redirect_uri: 'https://app.example\\@evil.example/callback' }, 400, 'invalid_request'],
    ['another scheme', { redirect_uri: 'http://app.example/callback' }, 400, 'invalid_request'],
    ['another case', { redirect_uri: 'https://app.example/Callback' }, 400, 'invalid_request'],
    ['a script', { redirect_uri: 'javascript:alert(1)' }, 400, 'invalid_request'],
    ['our own address', { redirect_uri: '/account' }, 400, 'invalid_request'],
  ])('with %s', async (_, changes, status, error) => {
    const address = app.authorizeUrl(clientId, changes)
    await expectPage(await visit(address), status, error)
    await expectPage(await visit(address, {}), status, error)
    const posted = await fetch(address, {
      method: 'POST',
      body: new URLSearchParams({ decision: 'allow' }),
      headers: { cookie },
      redirect: 'manual',
    })
    await expectPage(posted, status, error)
  })

  test('a loopback address matches only with its registered port', async () => {
    const { body } = await app.register({ redirect_uris: ['http://127.0.0.1:4321/callback'] })
    const at = (redirect_uri: string) => visit(app.authorizeUrl(body.client_id, { redirect_uri }))
    expect((await at('http://127.0.0.1:4321/callback')).status).toBe(200)
    for (const other of ['127.0.0.1:4322', '127.0.0.1', 'localhost:4321', '[::1]:4321']) {
      await expectPage(await at(`http://${other}/callback`), 400, 'invalid_request')
    }
  })

  test('the redirect URI of another client is refused', async () => {
    const { body } = await app.register({ redirect_uris: ['https://other.example/back'] })
    await expectPage(
      await visit(app.authorizeUrl(clientId, { redirect_uri: 'https://other.example/back' })),
      400,
      'invalid_request',
    )
    await expectPage(await visit(app.authorizeUrl(body.client_id)), 400, 'invalid_request')
  })
})

describe('after that, errors are returned to the client, with its state', () => {
  test.each<[string, Parameters, string]>([
    ['no response_type', { response_type: undefined }, 'invalid_request'],
    ['response_type=token', { response_type: 'token' }, 'invalid_request'],
    ['response_type=code token', { response_type: 'code token' }, 'invalid_request'],
    ['no scope', { scope: undefined }, 'invalid_request'],
    ['an empty scope', { scope: '' }, 'invalid_request'],
    ['a blank scope', { scope: ' ' }, 'invalid_scope'],
    ['the scope web', { scope: 'web' }, 'invalid_scope'],
    ['the scopes api and web', { scope: 'api web' }, 'invalid_scope'],
    ['an unknown scope', { scope: 'admin' }, 'invalid_scope'],
    ['no code_challenge', { code_challenge: undefined }, 'invalid_request'],
    ['a short code_challenge', { code_challenge: 'short' }, 'invalid_request'],
    ['a padded code_challenge', { code_challenge: `${'a'.repeat(43)}=` }, 'invalid_request'],
    ['no code_challenge_method', { code_challenge_method: undefined }, 'invalid_request'],
    ['code_challenge_method=plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['code_challenge_method=s256', { code_challenge_method: 's256' }, 'invalid_request'],
    ['the resource of another service', { resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
    [
      'one resource of ours and one not',
      { resource: ['{us}/mcp', 'https://elsewhere.example'] },
      'invalid_target',
    ],
    ['a host that begins like ours', { resource: '{us}.evil.example/mcp' }, 'invalid_target'],
  ])('with %s', async (_, changes, error) => {
    const resource = changes['resource'] && [changes['resource']].flat().map(own)
    const address = app.authorizeUrl(clientId, { ...changes, ...(resource && { resource }) })
    expectBack(await visit(address), fault(error))
    // The same before the sign-in, so that nobody signs in for nothing.
    expectBack(await visit(address, {}), fault(error))
  })

  test.each(['response_type', 'scope', 'code_challenge', 'code_challenge_method', 'unheard_of'])(
    'with %s twice',
    async (name) => {
      const once = new URL(app.authorizeUrl(clientId)).searchParams.get(name) ?? 'x'
      expectBack(await visit(app.authorizeUrl(clientId, { [name]: [once, once] })), fault('invalid_request'))
    },
  )

  test('with no state, or with two, none is returned', async () => {
    const { state: _, ...stateless } = fault('invalid_request')
    for (const state of [undefined, '', ['xyz', 'xyz']]) {
      expectBack(await visit(app.authorizeUrl(clientId, { state })), stateless)
    }
  })

  test('a state of any characters is returned unchanged', async () => {
    const state = 'a b+c%20&error=none#æ"<script>\r\nx: y'
    const answer = await visit(app.authorizeUrl(clientId, { state, scope: 'web' }))
    expectBack(answer, { ...fault('invalid_scope'), state })
  })
})

describe('the consent page', () => {
  test('asks the employee to sign in first, and then returns', async () => {
    const address = app.authorizeUrl(clientId)
    const answer = await visit(address, {})
    expect(answer.status).toBe(303)
    const location = new URL(answer.headers.get('location')!, bellhop.url)
    expect(location.pathname).toBe('/sign-in')
    expect(`${bellhop.url}${location.searchParams.get('return_to')}`).toBe(address)
  })

  test('shows the application, its redirect host, its access, and the employee', async () => {
    const { body } = await app.register({ client_name: 'Sun <b>dial</b>', redirect_uris: [REDIRECT_URI] })
    const [employee] = await bellhop.db
      .sql`select name, email from employees where id = ${company.employeeId}`
    const text = await (await visit(app.authorizeUrl(body.client_id))).text()
    expect(text).toContain('Sun &lt;b&gt;dial&lt;/b&gt;')
    for (const shown of ['app.example', employee!['name'], employee!['email'], 'Test company', 'recordings'])
      expect(text).toContain(shown)
    expect(text).toContain('Bellhop has not verified it')
  })

  test('cannot be framed, cached or scripted, and redirects only to the application', async () => {
    const { headers } = await visit(app.authorizeUrl(clientId))
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('cache-control')).toBe('no-store')
    const policy = headers.get('content-security-policy')!
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("form-action 'self' https://app.example;")
    expect(policy).not.toContain('script-src')
  })

  test('if allowed, gives a different code each time', async () => {
    const answers = [
      await app.decide(app.authorizeUrl(clientId), cookie, 'allow'),
      await app.decide(app.authorizeUrl(clientId, { resource: `${bellhop.url}/mcp` }), cookie, 'allow'),
    ]
    for (const answer of answers)
      expectBack(answer, { code: expect.stringMatching(/^[\w-]{43}$/), state: 'xyz' })
    expect(answers[0]!.headers.get('location')).not.toBe(answers[1]!.headers.get('location'))
  })

  test.each(['deny', '', 'ALLOW'])('with the decision %j, denies and grants nothing', async (decision) => {
    const before = await allRows(bellhop.db.sql)
    const answer = await app.decide(app.authorizeUrl(clientId), cookie, decision)
    expectBack(answer, { error: 'access_denied', error_description: expect.any(String), state: 'xyz' })
    expect(await allRows(bellhop.db.sql)).toEqual(before)
  })

  test('keeps the query of a registered redirect URI', async () => {
    const redirect_uri = 'https://app.example/back?tenant=7'
    const { body } = await app.register({ redirect_uris: [redirect_uri] })
    const answer = await app.decide(app.authorizeUrl(body.client_id, { redirect_uri }), cookie, 'deny')
    expect(answer.headers.get('location')).toMatch(
      /^https:\/\/app\.example\/back\?tenant=7&error=access_denied&/,
    )
  })

  test('redirects to a custom scheme for a client of the operator', async () => {
    const redirect_uri = 'com.example.app:/oauth'
    const { id } = await bellhop.db.tx((tx) =>
      registerFirstPartyClient(tx, { name: 'Own app', redirect_uris: [redirect_uri] }),
    )
    const address = app.authorizeUrl(encodeId('cli', id), { redirect_uri })
    const page = await visit(address)
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' com.example.app:;")
    expect(await page.text()).not.toContain('has not verified')
    const answer = await app.decide(address, cookie, 'allow')
    expectBack(answer, { code: expect.any(String), state: 'xyz' }, redirect_uri)
  })

  test.each<[string, Record<string, string>, Record<string, string>]>([
    ['without its token', { csrf_token: '' }, {}],
    ['with the token of another session', {}, {}],
    ['from another site', {}, { origin: 'https://evil.example' }],
    ['from another site of a new browser', {}, { 'sec-fetch-site': 'cross-site' }],
  ])('refuses a form %s', async (name, fields, headers) => {
    const theirs = await app.signIn(await bellhop.newCompany())
    const from = name.includes('another session') ? theirs : cookie
    const text = await (await visit(app.authorizeUrl(clientId), { cookie: from })).text()
    const csrf_token = /name="csrf_token" value="([^"]+)"/.exec(text)![1]!
    const before = await allRows(bellhop.db.sql)
    const answer = await fetch(app.authorizeUrl(clientId), {
      method: 'POST',
      body: new URLSearchParams({ csrf_token, decision: 'allow', ...fields }),
      headers: { cookie, origin: bellhop.url, ...headers },
      redirect: 'manual',
    })
    expect(answer.status).toBe(403)
    expect(answer.headers.get('location')).toBeNull()
    expect(await allRows(bellhop.db.sql)).toEqual(before)
  })
})

test('a code of one client is useless to another (mix-up attack)', async () => {
  const theirs = await app.newClient()
  const code = await app.newCode(clientId, company)
  expect((await app.redeem(theirs, code)).body.error).toBe('invalid_grant')
  expect((await app.redeem(clientId, code)).status).toBe(200)
})

test('every response has the issuer, by the host that was called', async () => {
  const { port } = new URL(bellhop.url)
  const called = `http://localhost:${port}`
  const metadata = await (await fetch(`${called}/.well-known/oauth-authorization-server`)).json()
  expect(metadata).toMatchObject({ issuer: called, token_endpoint: `${called}/oauth/token` })
  const answer = await visit(app.authorizeUrl(clientId, { scope: 'web' }).replace(bellhop.url, called))
  expect(new URL(answer.headers.get('location')!).searchParams.get('iss')).toBe(called)
})
