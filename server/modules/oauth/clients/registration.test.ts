import { request } from 'node:http'

import { beforeAll, describe, expect, test } from 'vitest'

import { type Harness, harness } from '../../../../test/harness/index.ts'
import { oauthApplication } from '../../../../test/harness/peers/oauth.ts'
import { enqueue } from '../../../platform/jobs/job.ts'
import { cleanUpOauth, registerFirstPartyClient } from '../index.ts'

let bellhop: Harness
let app: ReturnType<typeof oauthApplication>

beforeAll(async () => {
  bellhop = await harness()
  app = oauthApplication(bellhop)
})

const read = async (path: string) => {
  const response = await fetch(`${bellhop.url}${path}`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  return response.json()
}

/** Sets Host, which fetch does not allow. */
async function issuerWith(host: string): Promise<string> {
  const text = await new Promise<string>((resolve, reject) => {
    const sent = request(`${bellhop.url}/.well-known/oauth-authorization-server`, { headers: { host } })
    sent.on('error', reject)
    sent.on('response', (response) => {
      let text = ''
      response.on('data', (chunk) => (text += chunk))
      response.on('end', () => resolve(text))
    })
    sent.end()
  })
  return JSON.parse(text).issuer
}

describe('discovery', () => {
  test('describes the authorization server', async () => {
    const { url } = bellhop
    expect(await read('/.well-known/oauth-authorization-server')).toEqual({
      issuer: url,
      authorization_endpoint: `${url}/oauth/authorize`,
      token_endpoint: `${url}/oauth/token`,
      revocation_endpoint: `${url}/oauth/revoke`,
      registration_endpoint: `${url}/oauth/register`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      scopes_supported: ['api'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    })
  })

  test.each([
    ['/.well-known/oauth-protected-resource', ''],
    ['/.well-known/oauth-protected-resource/mcp', '/mcp'],
  ])('%s names the authorization server of the resource', async (path, resource) => {
    expect(await read(path)).toEqual({
      resource: `${bellhop.url}${resource}`,
      authorization_servers: [bellhop.url],
      scopes_supported: ['api'],
      bearer_methods_supported: ['header'],
    })
  })

  test.each([
    'evil.example',
    'evil.example:80',
    'localhost.evil.example',
    '127.0.0.1.nip.io',
    'a@127.0.0.1',
    '"',
  ])('does not take the issuer from the Host header %s', async (host) => {
    expect(await issuerWith(host)).toBe(bellhop.url)
  })

  test('uses the configured URL, whatever the Host header says', async () => {
    const elsewhere = await harness({ BELLHOP_BASE_URL: 'https://phone.example.com/' })
    const text = await (await fetch(`${elsewhere.url}/.well-known/oauth-authorization-server`)).text()
    expect(JSON.parse(text).issuer).toBe('https://phone.example.com')
    expect(text).not.toContain('127.0.0.1')
  })
})

describe('registration', () => {
  const https = ['https://app.example/callback']

  test('returns exactly the fields of the contract', async () => {
    const { status, headers, body } = await app.register({
      client_name: 'Sundial',
      redirect_uris: https,
      token_endpoint_auth_method: 'none',
    })
    expect(status).toBe(201)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toEqual({
      client_id: expect.stringMatching(/^cli_[0-9a-z]{26}$/),
      client_id_issued_at: Math.floor(bellhop.clock.now().getTime() / 1000),
      redirect_uris: https,
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      client_name: 'Sundial',
      scope: 'api',
    })
  })

  test('gives no secret and no other scope, whatever is requested', async () => {
    const { status, body } = await app.register({
      client_name: 'Greedy',
      redirect_uris: https,
      token_endpoint_auth_method: 'client_secret_basic',
      scope: 'api web',
      grant_types: ['password'],
      first_party: true,
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({ token_endpoint_auth_method: 'none', scope: 'api', response_types: ['code'] })
    expect(body).not.toHaveProperty('client_secret')
    const page = await fetch(app.authorizeUrl(body.client_id, { scope: 'web' }), { redirect: 'manual' })
    expect(page.headers.get('location')).toContain('error=invalid_scope')
  })

  test('names an application without a name by its redirect host', async () => {
    for (const client_name of [undefined, null, '  ']) {
      expect((await app.register({ client_name, redirect_uris: https })).body.client_name).toBe('app.example')
    }
  })

  test.each([
    ['https://app.example'],
    ['https://app.example:8443/a?b=c'],
    ['http://127.0.0.1/callback'],
    ['http://127.0.0.1:1/'],
    ['http://localhost:65535/callback'],
    ['http://[::1]:4000/callback'],
  ])('accepts %s', async (uri) => {
    const { status, body } = await app.register({ client_name: 'x', redirect_uris: [uri] })
    expect(status).toBe(201)
    expect(body.redirect_uris).toEqual([uri])
  })

  test.each<[unknown]>([
    [undefined],
    [null],
    ['https://app.example/callback'],
    [[]],
    [[1]],
    [['']],
    [['/callback']],
    [['app.example/callback']],
    [['http://app.example/callback']],
    [['http://127.0.0.2/callback']],
    [['http://localhost.evil.example/callback']],
    [['http://127.0.0.1@evil.example/callback']],
    [['https://user:password@app.example/callback']],
    [['https://app.example/callback#fragment']],
    [['https://app.example/callback#']],
    [['https://app.example\\@evil.example']],
    [['https://app.example/ space']],
    [['https://*.app.example\n/callback']],
    [['com.example.app:/oauth']],
    [['myapp://callback']],
    [['javascript:alert(1)']],
    [['data:text/html,x']],
    [['https://app.example/callback', 'myapp://callback']],
    [[`https://app.example/${'x'.repeat(2_000)}`]],
    [Array.from({ length: 21 }, (_, i) => `https://app.example/${i}`)],
  ])('refuses the redirect URIs %j', async (redirect_uris) => {
    const { status, body } = await app.register({ client_name: 'x', redirect_uris })
    expect({ status, body }).toEqual({
      status: 400,
      body: { error: 'invalid_redirect_uri', error_description: expect.any(String) },
    })
  })

  test.each([[7], [{}], ['x'.repeat(129)], ['nul \0']])('refuses the name %j', async (client_name) => {
    const { status, body } = await app.register({ client_name, redirect_uris: https })
    expect({ status, body }).toEqual({
      status: 400,
      body: { error: 'invalid_client_metadata', error_description: expect.any(String) },
    })
  })

  test.each(['{', '[]', 'null', '""', ''])('refuses the body %j', async (body) => {
    const response = await fetch(`${bellhop.url}/oauth/register`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({
      error: expect.any(String),
      error_description: expect.any(String),
    })
  })

  test('limits the rate of registrations', async () => {
    bellhop.clock.advance(10 * 60_000)
    const sent = await Promise.all(Array.from({ length: 104 }, () => app.register()))
    const refused = sent.filter(({ status }) => status !== 201)
    expect(refused).toHaveLength(4)
    for (const { status, body, headers } of refused) {
      expect({ status, body }).toEqual({
        status: 429,
        body: { error: 'rate_limited', error_description: expect.any(String) },
      })
      expect(headers.get('retry-after')).toBe('600')
    }
    bellhop.clock.advance(10 * 60_000)
    expect((await app.register()).status).toBe(201)
  })
})

const cleanUp = async () => {
  await bellhop.db.tx((tx) => enqueue(tx, cleanUpOauth, {}))
  await bellhop.drainJobs()
}
const count = async (table: string) => {
  const [row] = await bellhop.db.sql`select count(*)::int as count from ${bellhop.db.sql(table)}`
  return row!['count'] as number
}

describe('cleaning up', () => {
  const DAY_MS = 24 * 60 * 60_000
  test('deletes what has expired, and registrations without consent, and nothing else', async () => {
    const { sql } = bellhop.db
    await sql`delete from oauth_clients`
    const company = await bellhop.newCompany()
    await bellhop.db.tx((tx) =>
      registerFirstPartyClient(tx, { name: 'Own', redirect_uris: ['https://own.example/'] }),
    )
    await sql`update oauth_clients set created_at = created_at - interval '1 year'`
    const unused = await app.newClient()
    const used = await app.newTokens(company)
    await app.newCode(used.clientId, company)
    await cleanUp()
    expect(await count('oauth_codes')).toBe(2)
    expect(await count('oauth_grants')).toBe(2)

    bellhop.clock.advance(DAY_MS)
    await cleanUp()
    expect(await count('oauth_codes')).toBe(0)
    expect(await count('oauth_access_tokens')).toBe(0)
    expect(await count('oauth_refresh_tokens')).toBe(1)
    expect(await count('oauth_grants')).toBe(1)
    expect((await app.refresh(used.clientId, used.refreshToken)).status).toBe(200)
    expect(await count('oauth_clients')).toBe(3)

    bellhop.clock.advance(7 * DAY_MS)
    await cleanUp()
    expect(await count('oauth_clients')).toBe(2)
    expect((await app.redeem(unused, 'x')).body.error).toBe('invalid_client')

    bellhop.clock.advance(31 * DAY_MS)
    await cleanUp()
    for (const table of ['oauth_grants', 'oauth_refresh_tokens']) expect(await count(table)).toBe(0)
    expect(await count('oauth_clients')).toBe(2)
  })
})
