import { beforeAll, describe, expect, test } from 'vitest'

import { SIGN_IN_LIMITS } from '../server/modules/sign-in/limits.ts'
import { sha256 } from '../server/platform/crypto/crypto.ts'
import { encodeId } from '../server/platform/ids.ts'
import { type FormBrowser, formBrowser } from './harness/browser/form-browser.ts'
import { newSignInEmployee, PASSWORD, type SignInEmployee } from './harness/browser/sign-in.ts'
import { newVoicemail } from './harness/calls/telephony.ts'
import { type Harness, harness } from './harness/index.ts'
import { openCable, openSocket } from './harness/peers/cable-socket.ts'

let bellhop: Harness
let employee: SignInEmployee
let employeeBrowser: FormBrowser

beforeAll(async () => {
  bellhop = await harness({ BELLHOP_ALLOWED_ORIGINS: 'https://crm.example.com' })
  employee = await newSignInEmployee(bellhop)
  employeeBrowser = await signIn(employee)
})

async function signIn({ email }: SignInEmployee): Promise<FormBrowser> {
  const browser = formBrowser(bellhop.url)
  const answer = await browser.submit('/sign-in', '/sign-in', { email, password: PASSWORD })
  expect(answer.status).toBe(303)
  return browser
}

const cookieOf = ({ cookies }: FormBrowser) => [...cookies].map((pair) => pair.join('=')).join('; ')

/** A request as our own pages send it, with overrides; undefined omits a header. */
async function ask(
  browser: FormBrowser,
  path: string,
  {
    headers = {},
    ...init
  }: { headers?: Record<string, string | undefined> } & Omit<RequestInit, 'headers'> = {},
) {
  const sent = { cookie: cookieOf(browser), 'sec-fetch-site': 'same-origin', origin: bellhop.url, ...headers }
  const given = Object.entries(sent).filter((pair): pair is [string, string] => pair[1] !== undefined)
  const response = await fetch(bellhop.url + path, { ...init, headers: Object.fromEntries(given) })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : undefined }
}

const post = (body: unknown, headers: Record<string, string | undefined> = {}) => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', ...headers },
})

const elsewhere = (headers: Record<string, string>) =>
  ask(employeeBrowser, '/api/v1/session', { headers: { origin: 'https://x.example', ...headers } })

let phones = 0
const contact = () => ({ phone: `+45203040${String(++phones).padStart(2, '0')}` })

describe('a signed-in browser', () => {
  test('has the access of its employee on /api/v1', async () => {
    const created = await ask(employeeBrowser, '/api/v1/contacts', post(contact()))
    expect(created.status).toBe(201)
    const { body } = await employee.company.api.get(`/contacts/${created.body.id}`)
    expect(body).toEqual(created.body)
    const path = `/api/v1/contacts/${created.body.id}`
    const patch = { ...post({ name: 'Bo' }), method: 'PATCH' }
    expect((await ask(employeeBrowser, path, patch)).body).toMatchObject({ name: 'Bo' })
    expect((await ask(employeeBrowser, path, { method: 'DELETE' })).status).toBe(204)
    expect((await ask(employeeBrowser, path)).status).toBe(404)
  })

  test('has access to its own company only', async () => {
    const other = await bellhop.newCompany()
    const { body } = await other.api.post('/contacts', contact())
    expect((await ask(employeeBrowser, `/api/v1/contacts/${body.id}`)).status).toBe(404)
  })

  test('may not delete the employee who is signed in', async () => {
    const answer = await ask(employeeBrowser, `/api/v1/employees/${employee.id}`, { method: 'DELETE' })
    expect(answer.status).toBe(403)
  })

  test('has no access to /mcp', async () => {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
    const accept = 'application/json, text/event-stream'
    expect((await ask(employeeBrowser, '/mcp', post(list, { accept }))).status).toBe(401)
  })

  test('that also sends a key or a token is authenticated by that, right or wrong', async () => {
    const { key } = await bellhop.newCompany()
    expect((await elsewhere({ 'x-api-key': key })).body.employee.id).not.toBe(employee.id)
    expect((await elsewhere({ 'x-api-key': 'wrong' })).body).toEqual({ error: 'Invalid API key' })
    expect((await elsewhere({ authorization: 'Bearer wrong' })).body).toMatchObject({
      error: 'invalid_token',
    })
  })

  test('is 401 on every process as soon as it signs out', async () => {
    const browser = await signIn(employee)
    const another = await bellhop.startAnotherApi()
    const cookie = cookieOf(browser)
    const statuses = async () => {
      const urls = [bellhop.url, another]
      return Promise.all(
        urls.map(async (url) => (await fetch(`${url}/api/v1/session`, { headers: { cookie } })).status),
      )
    }
    expect(await statuses()).toEqual([200, 200])
    await browser.submit('/account', '/sign-out')
    expect(await statuses()).toEqual([401, 401])
    const answer = await ask(browser, '/api/v1/session', { headers: { cookie } })
    expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
    expect(answer.body).toEqual({ error: 'unauthorized', message: expect.stringContaining('/sign-in') })
  })

  test('is 401 when its employee is deleted', async () => {
    const coworker = await newSignInEmployee(bellhop, employee.company)
    const browser = await signIn(coworker)
    expect((await ask(browser, '/api/v1/session')).status).toBe(200)
    expect((await employee.company.api.delete(`/employees/${coworker.id}`)).status).toBe(204)
    expect((await ask(browser, '/api/v1/session')).status).toBe(401)
  })

  test.each([
    ['empty', ''],
    ['short', 'x'],
    ['not one of ours', 'ø'],
    ['very long', 'x'.repeat(8_000)],
  ])('with a cookie that is %s is 401', async (_, token) => {
    const headers = { cookie: `bellhop_session=${encodeURIComponent(token)}` }
    expect((await ask(employeeBrowser, '/api/v1/session', { headers })).status).toBe(401)
  })
})

describe('a request with the cookie from a page of another site', () => {
  type Headers = Record<string, string | undefined>
  const others: [string, Headers][] = [
    ['a site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['a sibling subdomain', { 'sec-fetch-site': 'same-site', origin: 'https://evil.example' }],
    ['another port', { 'sec-fetch-site': undefined, origin: 'http://127.0.0.1:1' }],
    ['an older browser', { 'sec-fetch-site': undefined, origin: 'https://evil.example' }],
    ['a sandbox', { 'sec-fetch-site': undefined, origin: 'null' }],
    [
      'a site that may use the live channel',
      { 'sec-fetch-site': undefined, origin: 'https://crm.example.com' },
    ],
    ['contradictory headers', { 'sec-fetch-site': 'cross-site' }],
  ]

  test.each(others)('changes nothing and reads nothing: %s', async (_, headers) => {
    const refused = { error: 'cross_origin_request', message: expect.any(String) }
    for (const init of [post(contact(), headers), { headers }]) {
      const { status, body } = await ask(employeeBrowser, '/api/v1/contacts', init)
      expect({ status, body }).toEqual({ status: 403, body: refused })
    }
  })

  test('without headers that say where it comes from changes nothing, and may read', async () => {
    const silent = { 'sec-fetch-site': undefined, origin: undefined }
    expect((await ask(employeeBrowser, '/api/v1/contacts', post(contact(), silent))).status).toBe(403)
    const typed = { 'sec-fetch-site': 'none', origin: undefined }
    expect((await ask(employeeBrowser, '/api/v1/contacts', post(contact(), typed))).status).toBe(403)
    for (const headers of [silent, typed])
      expect((await ask(employeeBrowser, '/api/v1/session', { headers })).status).toBe(200)
  })

  test('cannot be a form, wherever it comes from', async () => {
    const id = encodeId('voi', await newVoicemail(employee.company))
    const sent = { method: 'PATCH', body: new URLSearchParams({ seen: 'true' }) }
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await ask(employeeBrowser, `/api/v1/voicemails/${id}`, { ...sent, headers })).status).toBe(415)
    expect((await employee.company.api.request(`/voicemails/${id}`, sent)).status).toBe(200)
  })
})

describe('pages of other sites', () => {
  const OPEN = [
    '/api/v1/contacts',
    '/oauth/token',
    '/oauth/register',
    '/oauth/revoke',
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/mcp',
  ]
  const CLOSED = ['/mcp', '/oauth/authorize', '/account', '/sign-in', '/cable', '/metrics']
  const origin = 'https://app.example'
  const preflight = (path: string) =>
    fetch(bellhop.url + path, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'DELETE',
        'access-control-request-headers': 'authorization',
      },
    })

  test.each(OPEN)('may request %s, with a token and never with a cookie', async (path) => {
    const allowed = await preflight(path)
    expect(allowed.status).toBe(204)
    expect(allowed.headers.get('access-control-allow-origin')).toBe('*')
    expect(allowed.headers.get('access-control-allow-methods')).toContain('DELETE')
    expect(allowed.headers.get('access-control-allow-headers')!.toLowerCase().split(', ')).toEqual([
      'authorization',
      'content-type',
      'idempotency-key',
    ])
    const answer = await fetch(bellhop.url + path, { headers: { origin, cookie: cookieOf(employeeBrowser) } })
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate')
    for (const { headers } of [allowed, answer])
      expect(headers.get('access-control-allow-credentials')).toBeNull()
  })

  test.each(CLOSED)('may not request %s', async (path) => {
    for (const { headers } of [
      await preflight(path),
      await fetch(bellhop.url + path, { headers: { origin } }),
    ])
      expect(headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('if the company requires two-factor authentication', () => {
  test('a session without it is asked to set it up, until it is no longer required', async () => {
    const coworker = await newSignInEmployee(bellhop)
    const browser = await signIn(coworker)
    const { api } = coworker.company
    const cable = await openCable(bellhop.url, {
      origin: bellhop.url,
      headers: { cookie: cookieOf(browser) },
    })
    await api.patch('/company', { requires_two_factor: true })
    expect(await cable.closed).toEqual({ code: 1008, reason: 'unauthorized' })
    const answer = await ask(browser, '/api/v1/contacts', post(contact()))
    expect(answer.status).toBe(403)
    expect(answer.body).toEqual({
      error: 'two_factor_required',
      message: expect.stringContaining('/account/two-factor/setup'),
    })
    await api.patch('/company', { requires_two_factor: false })
    expect((await ask(browser, '/api/v1/contacts', post(contact()))).status).toBe(201)
  })
})

describe('GET /session', () => {
  test('returns the actor, whatever the credential', async () => {
    const expected = {
      employee: { id: employee.id, name: employee.name, email: employee.email },
      company: { id: encodeId('com', employee.company.companyId), name: 'Test company' },
      two_factor_enabled: false,
      operator: false,
      language: null,
      messaging_enabled: false,
    }
    const { api } = await bellhop.keyFor(employee.employeeId)
    expect((await ask(employeeBrowser, '/api/v1/session')).body).toEqual(expected)
    expect((await api.get('/session')).body).toEqual(expected)
    expect((await bellhop.anonymous.get('/session')).status).toBe(401)
  })
})

describe('the live channel, with the cookie', () => {
  const UNAUTHORIZED = { type: 'disconnect', reason: 'unauthorized', reconnect: false }

  test('accepts our own pages, and closes when the session ends', async () => {
    const browser = await signIn(employee)
    const cookie = cookieOf(browser)
    const cable = await openCable(bellhop.url, { origin: bellhop.url, headers: { cookie } })
    const stays = await openCable(bellhop.url, {
      origin: bellhop.url,
      headers: { cookie: cookieOf(employeeBrowser) },
    })
    await browser.submit('/account', '/sign-out')
    expect(await cable.closed).toEqual({ code: 1008, reason: 'unauthorized' })
    await employee.company.api.put(`/employees/${employee.id}/do_not_disturb`, { enabled: true })
    expect((await stays.message()).message).toEqual({ type: 'presence_update', employee_id: employee.id })
    const late = await openSocket(bellhop.url, { origin: bellhop.url, headers: { cookie } })
    await late.closed
    expect(late.frames).toEqual([UNAUTHORIZED])
  })

  test('receives nothing after the session has expired, and stays open to one that is in use', async () => {
    const [ending, going] = [await signIn(employee), await signIn(employee)]
    const aged = async (browser: typeof ending, column: 'created_at' | 'last_seen_at', ms: number) => {
      const token = browser.cookies.get('bellhop_session')!
      await bellhop.db.sql`
        update sessions set ${bellhop.db.sql(column)} = ${new Date(bellhop.clock.now().getTime() - ms)}
        where token_hash = ${sha256(token)}`
    }
    // Each has ten seconds left: one in any case, the other unless it is used.
    await aged(ending, 'created_at', SIGN_IN_LIMITS.sessionMs - 10_000)
    await aged(going, 'last_seen_at', SIGN_IN_LIMITS.sessionIdleMs - 10_000)
    const options = (browser: typeof ending) => ({
      origin: bellhop.url,
      headers: { cookie: cookieOf(browser) },
    })
    const cable = await openCable(bellhop.url, options(ending))
    const stays = await openCable(bellhop.url, options(going))
    bellhop.clock.advance(12_000)
    expect(await cable.closed).toEqual({ code: 1012, reason: 'server_restart' })
    const again = await openSocket(bellhop.url, options(ending))
    await again.closed
    expect(again.frames).toEqual([UNAUTHORIZED])
    await employee.company.api.put(`/employees/${employee.id}/do_not_disturb`, { enabled: false })
    expect((await stays.message()).message).toEqual({ type: 'presence_update', employee_id: employee.id })
  })

  test.each([
    ['a page of another site', { origin: 'https://evil.example' }, 'invalid_request'],
    ['a page of another port', { origin: 'http://127.0.0.1:1' }, 'invalid_request'],
    ['a page of a site that may connect by a key', { origin: 'https://crm.example.com' }, 'unauthorized'],
    ['a request without an origin', {}, 'unauthorized'],
  ])('refuses %s', async (_, headers: Record<string, string>, reason) => {
    const cable = await openSocket(bellhop.url, {
      headers: { cookie: cookieOf(employeeBrowser), ...headers },
    })
    await cable.closed
    expect(cable.frames).toEqual([{ type: 'disconnect', reason, reconnect: false }])
  })

  test('refuses a right cookie beside a wrong token', async () => {
    const cable = await openSocket(bellhop.url, {
      path: '/cable?access_token=wrong',
      origin: bellhop.url,
      headers: { cookie: cookieOf(employeeBrowser) },
    })
    await cable.closed
    expect(cable.frames).toEqual([UNAUTHORIZED])
  })
})

describe('time', () => {
  test('ends a session that is not used, and keeps one that calls the API', async () => {
    const DAY_MS = 24 * 60 * 60 * 1000
    const idle = await signIn(employee)
    const used = await signIn(employee)
    bellhop.clock.advance(5 * DAY_MS)
    expect((await ask(used, '/api/v1/session')).status).toBe(200)
    const headers = { cookie: cookieOf(idle) }
    bellhop.clock.advance(2 * DAY_MS + 1)
    expect((await ask(used, '/api/v1/session')).status).toBe(200)
    expect((await ask(idle, '/api/v1/session', { headers })).status).toBe(401)
    const cable = await openSocket(bellhop.url, { origin: bellhop.url, headers })
    expect(await cable.closed).toEqual({ code: 1008, reason: 'unauthorized' })
  })
})
