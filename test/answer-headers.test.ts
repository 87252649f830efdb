import { connect } from 'node:net'

import { beforeAll, describe, expect, test } from 'vitest'

import { encodeId } from '../server/platform/ids.ts'
import { type Harness, harness, type TestCompany } from './harness/index.ts'
import { oauthApplication, REDIRECT_URI } from './harness/peers/oauth.ts'
import { declaredRoutes, pathOf, requestOf } from './harness/routes/routes.ts'
import { newRecordedVoicemail } from './harness/sound/recorded-voicemail.ts'

let bellhop: Harness
let company: TestCompany
let app: ReturnType<typeof oauthApplication>

beforeAll(async () => {
  bellhop = await harness()
  company = await bellhop.newCompany({ messaging: true })
  app = oauthApplication(bellhop)
})

const HSTS = 'strict-transport-security'
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const JSON_TYPE = { 'content-type': 'application/json' }

const ask = (path: string, init: RequestInit = {}, at = bellhop) =>
  fetch(at.url + path, { redirect: 'manual', ...init })

/** Neither cached nor sniffed for another content type. */
function expectPrivate(what: string, { headers }: { headers: Headers }) {
  expect({
    what,
    cache: headers.get('cache-control'),
    type: headers.get('x-content-type-options'),
    hsts: headers.get(HSTS),
  }).toEqual({ what, cache: 'no-store', type: 'nosniff', hsts: null })
}

describe('every response of /api/v1 is private', () => {
  const routes = declaredRoutes().map((route) => ({ route, name: `${route.method} ${route.path}` }))

  test.each(routes)('$name, allowed and refused', async ({ name, route }) => {
    const own = await bellhop.newCompany({ messaging: true })
    const path = `/api/v1${await pathOf(route, own)}`
    const { headers, ...init } = requestOf(route)
    const withKey = { ...(headers as Record<string, string>), 'x-api-key': own.key }
    expectPrivate(name, await ask(path, { ...init, headers: withKey }))
    expectPrivate(`${name} without a credential`, await ask(path, init))
    if (!route.body) return
    const broken = { ...init, body: '{', headers: { ...withKey, ...JSON_TYPE } }
    expectPrivate(`${name} with a broken body`, await ask(path, broken))
  })

  test.each<[string, string, RequestInit, number]>([
    ['an unknown path', '/api/v1/nothing', {}, 404],
    ['the root', '/api/v1', {}, 404],
    ['an unknown version', '/api/v2/contacts', {}, 404],
    [
      'an unknown id',
      '/api/v1/contacts/con_01h455vb4pex5vsknk084sn02q',
      { headers: { 'x-api-key': '{key}' } },
      404,
    ],
    ['a path in another spelling', '/%61pi/v1/company', { headers: { 'x-api-key': '{key}' } }, 200],
    ['a malformed path', '/api/v1/contacts/%', {}, 400],
    ['a long parameter', `/api/v1/contacts/${'x'.repeat(300)}`, { headers: { 'x-api-key': '{key}' } }, 404],
    [
      'a large body',
      '/api/v1/contacts',
      { method: 'POST', body: 'x'.repeat(1_100_000), headers: { ...JSON_TYPE, 'x-api-key': '{key}' } },
      413,
    ],
    [
      'a body of another type',
      '/api/v1/contacts',
      { method: 'POST', body: '<a/>', headers: { 'content-type': 'text/xml', 'x-api-key': '{key}' } },
      415,
    ],
    ['another method', '/api/v1/contacts', { method: 'PROPFIND' }, 404],
    ['HEAD', '/api/v1/company', { method: 'HEAD', headers: { 'x-api-key': '{key}' } }, 200],
    [
      'what a page of another site asks first',
      '/api/v1/company',
      {
        method: 'OPTIONS',
        headers: { origin: 'https://app.example', 'access-control-request-method': 'GET' },
      },
      204,
    ],
  ])('%s', async (what, path, init, status) => {
    const key = { ...(init.headers as Record<string, string>) }
    const headers = key['x-api-key'] ? { ...key, 'x-api-key': company.key } : key
    const answer = await ask(path, { ...init, headers })
    expect(answer.status).toBe(status)
    expectPrivate(what, answer)
  })

  test.each([
    ['what is no HTTP', 'NONSENSE\r\n\r\n', 400],
    ['headers without end', `GET /api/v1/company HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ])('%s', async (what, sent, status) => {
    const { hostname, port } = new URL(bellhop.url)
    const socket = connect(Number(port), hostname)
    socket.write(sent)
    let text = ''
    for await (const chunk of socket) text += String(chunk)
    const [line, ...lines] = text.split('\r\n\r\n')[0]!.split('\r\n')
    expect(line).toContain(`HTTP/1.1 ${status}`)
    const headers = new Headers(lines.map((one) => one.split(/: ?/, 2) as [string, string]))
    expectPrivate(what, { headers })
  })
})

const post = (path: string, body: string, headers: Record<string, string> = FORM) =>
  ask(path, { method: 'POST', body, headers })

describe('every response of /oauth is private', () => {
  test('pages, redirects, registrations, tokens and refusals', async () => {
    const client = await app.newClient()
    const cookie = await app.signIn(company)
    const registration = JSON.stringify({ redirect_uris: [REDIRECT_URI] })
    const code = await app.newCode(client, company)
    expectPrivate('tokens', await app.redeem(client, code))
    expectPrivate('used code', await app.redeem(client, code))
    expectPrivate('revocation', await app.revoke(client, 'x'))
    const answers: [string, { headers: Headers }][] = [
      ['consent', await ask(app.authorizeUrl(client).slice(bellhop.url.length), { headers: { cookie } })],
      ['sign-in first', await ask(app.authorizeUrl(client).slice(bellhop.url.length))],
      ['fault', await ask(app.authorizeUrl(client, { scope: 'web' }).slice(bellhop.url.length))],
      ['no client', await ask('/oauth/authorize')],
      ['decision', await app.decide(app.authorizeUrl(client), cookie, 'allow')],
      [
        'decision from another site',
        await post('/oauth/authorize', 'decision=allow', { ...FORM, origin: 'https://evil.example' }),
      ],
      ['registration', await post('/oauth/register', registration, JSON_TYPE)],
      ['bad registration', await post('/oauth/register', '{', JSON_TYPE)],
      ['no form', await post('/oauth/token', '{}', JSON_TYPE)],
      ['long form', await post('/oauth/token', 'a'.repeat(1_100_000))],
      ['long revocation', await post('/oauth/revoke', 'a'.repeat(1_100_000))],
      ['wrong method', await ask('/oauth/token')],
      ['unknown path', await ask('/oauth/nothing')],
      ['malformed path', await ask('/oauth/%')],
      ['the root', await ask('/oauth')],
    ]
    for (const [what, answer] of answers) expectPrivate(what, answer)
  })
})

describe('audio', () => {
  test('is cached briefly by the browser that plays it, complete and in parts', async () => {
    const voicemail = encodeId('voi', await newRecordedVoicemail(bellhop, company))
    const { body } = await company.api.get(`/voicemails/${voicemail}`)
    for (const [headers, status] of [
      [{}, 200],
      [{ range: 'bytes=0-9' }, 206],
    ] as const) {
      const answer = await fetch(body.recording_url, { headers })
      expect(answer.status).toBe(status)
      expect(answer.headers.get('cache-control')).toBe('private, max-age=300')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    }
    expectPrivate('a link that is none', await ask('/files/nothing?x=1'))
  })
})

describe('behind https', () => {
  const PATHS = [
    '/',
    '/inbox',
    '/dashboard/nothing.js',
    '/sign-in',
    '/account',
    '/pages.css',
    '/docs',
    '/docs/',
    '/openapi.json',
    '/healthz',
    '/readyz',
    '/metrics',
    '/files/nothing',
    '/cable',
    '/mcp',
    '/nothing',
    '/%',
    '/api/v1/company',
    '/oauth/authorize',
    '/.well-known/oauth-authorization-server',
  ]

  test('every response tells browsers to use https only', async () => {
    const published = await harness({ BELLHOP_BASE_URL: 'https://phone.example.com' })
    const theirs = await published.newCompany()
    for (const path of PATHS) {
      const { headers } = await ask(path, {}, published)
      expect({ path, hsts: headers.get(HSTS) }).toEqual({ path, hsts: 'max-age=31536000' })
    }
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
    const tools = await ask(
      '/mcp',
      {
        method: 'POST',
        body: JSON.stringify(list),
        headers: {
          ...JSON_TYPE,
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2025-06-18',
          'x-api-key': theirs.key,
        },
      },
      published,
    )
    expect([tools.status, tools.headers.get(HSTS)]).toEqual([200, 'max-age=31536000'])
    expect(tools.headers.get('x-request-id')).toEqual(expect.any(String))
  })

  test('no response does if the base URL is plain http or unknown', async () => {
    const plain = await harness({ BELLHOP_BASE_URL: 'http://phone.example.com' })
    for (const at of [plain, bellhop])
      for (const path of PATHS) expect((await ask(path, {}, at)).headers.get(HSTS)).toBeNull()
  })
})
