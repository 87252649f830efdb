import { beforeAll, describe, expect, test } from 'vitest'

import { type Harness, harness, type TestCompany } from '../../../../test/harness/index.ts'
import { openSocket } from '../../../../test/harness/peers/cable-socket.ts'
import { oauthApplication, PATIENTLY } from '../../../../test/harness/peers/oauth.ts'
import { declaredRoutes, pathOf, requestOf } from '../../../../test/harness/routes/routes.ts'
import { decodeId, encodeId } from '../../../platform/ids.ts'

let bellhop: Harness
let company: TestCompany
let app: ReturnType<typeof oauthApplication>
let elsewhere: string
let clientId: string

beforeAll(async () => {
  bellhop = await harness()
  company = await bellhop.newCompany({ messaging: true })
  app = oauthApplication(bellhop)
  elsewhere = await bellhop.startAnotherApi()
  clientId = await app.newClient()
})

const CHALLENGE = 'Bearer error="invalid_token"'
const HOUR_MS = 60 * 60_000

const as = (accessToken: string, path = '/company', init: RequestInit = {}) =>
  bellhop.anonymous.request(path, {
    ...init,
    headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${accessToken}` },
  })

const statuses = async (token: string) => [
  await app.statusWith(token),
  await app.statusWith(token, elsewhere),
]

async function expectDead(token: string) {
  await expect.poll(() => statuses(token), PATIENTLY).toEqual([401, 401])
}

describe('an access token', () => {
  const routes = declaredRoutes().map((route) => ({ route, name: `${route.method} ${route.path}` }))

  test.each(routes)('gives access to $name as an API key does', async ({ route }) => {
    const own = await bellhop.newCompany({ messaging: true })
    const { accessToken } = await app.newTokens(own, clientId)
    const { status, body } = await as(accessToken, await pathOf(route, own), requestOf(route))
    if (status === route.status) {
      if (route.reply) expect(route.reply.safeParse(body)).toMatchObject({ success: true })
      return
    }
    // Some routes need a live call, a number, an operator, or a browser; then it is not the authentication that refuses.
    const twin = await bellhop.newCompany({ messaging: true })
    const { headers, ...init } = requestOf(route)
    const byKey = await bellhop.anonymous.request(await pathOf(route, twin), {
      ...init,
      headers: { ...(headers as Record<string, string>), 'x-api-key': twin.key },
    })
    expect(status).toBe(byKey.status)
    if (status === 403) return expect(['not_an_operator', 'session_required']).toContain(body.error)
    expect(status).not.toBe(401)
  })

  test('acts for the company of the employee who consented, and for no other', async () => {
    const other = await bellhop.newCompany()
    const [mine, theirs] = [await app.newTokens(company), await app.newTokens(other)]
    expect((await as(mine.accessToken)).body.id).toBe(encodeId('com', company.companyId))
    expect((await as(theirs.accessToken)).body.id).toBe(encodeId('com', other.companyId))
  })

  test('may not delete its own employee, but others', async () => {
    const { accessToken } = await app.newTokens(company)
    const own = encodeId('emp', company.employeeId)
    const refused = await as(accessToken, `/employees/${own}`, { method: 'DELETE' })
    expect(refused.status).toBe(403)
    expect(refused.body.error).toBe('creator_of_key_in_use')
    const { body } = await company.api.post('/employees', { name: 'Bo', email: 'bo@bearer.example' })
    expect((await as(accessToken, `/employees/${body.id}`, { method: 'DELETE' })).status).toBe(204)
  })

  test('expires after an hour, even while in use', async () => {
    const { accessToken } = await app.newTokens(company)
    bellhop.clock.advance(HOUR_MS - 1)
    expect(await statuses(accessToken)).toEqual([200, 200])
    bellhop.clock.advance(1)
    expect(await statuses(accessToken)).toEqual([401, 401])
  })

  test('is accepted with any letter case of Bearer', async () => {
    const { accessToken } = await app.newTokens(company)
    for (const scheme of ['bearer', 'BEARER']) {
      const headers = { authorization: `${scheme} ${accessToken}` }
      expect((await bellhop.anonymous.request('/company', { headers })).status).toBe(200)
    }
  })
})

describe('an invalid token is 401 with the challenge of the contract', () => {
  test.each<[string, (token: string) => string]>([
    ['an unknown token', () => `Bearer bhat_${'A'.repeat(43)}`],
    ['a truncated token', (token) => `Bearer ${token.slice(0, -1)}`],
    ['a token with one character more', (token) => `Bearer ${token}A`],
    ['a token in capitals', (token) => `Bearer ${token.toUpperCase()}`],
    ['a token without its prefix', (token) => `Bearer ${token.slice(5)}`],
    ['a token without a scheme', (token) => token],
    ['another scheme', (token) => `Basic ${token}`],
    ['two tokens', (token) => `Bearer ${token}, Bearer ${token}`],
    ['no token', () => 'Bearer '],
    ['nothing', () => ''],
    ['an API key', () => `Bearer ${company.key}`],
    ['a long token', (token) => `Bearer ${token.repeat(100)}`],
    ['special characters', () => `Bearer ' or 1=1 --`],
  ])('%s', async (_, header) => {
    const { accessToken } = await app.newTokens(company)
    const { status, headers, body } = await bellhop.anonymous.request('/company', {
      headers: { authorization: header(accessToken) },
    })
    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toBe(CHALLENGE)
    expect(body).toEqual({ error: 'invalid_token', message: expect.any(String) })
  })

  test('a wrong API key is refused despite a valid token', async () => {
    const { accessToken } = await app.newTokens(company)
    const headers = { 'x-api-key': 'wrong', authorization: `Bearer ${accessToken}` }
    const { status, body } = await bellhop.anonymous.request('/company', { headers })
    expect({ status, body }).toEqual({ status: 401, body: { error: 'Invalid API key' } })
  })

  test('a token in the query or in a form is ignored', async () => {
    const { accessToken } = await app.newTokens(company)
    expect((await bellhop.anonymous.get(`/company?access_token=${accessToken}`)).status).toBe(401)
    const form = { method: 'PATCH', body: new URLSearchParams({ access_token: accessToken }) }
    expect((await bellhop.anonymous.request('/company', form)).status).toBe(401)
  })
})

const revokeAs = async (type: string | undefined, body?: string) => {
  const headers = type === undefined ? undefined : { 'content-type': type }
  return (await fetch(`${bellhop.url}/oauth/revoke`, { method: 'POST', body, headers })).status
}

describe('revocation', () => {
  test.each(['accessToken', 'refreshToken'] as const)(
    'of the %s revokes both tokens at once, on every process',
    async (kind) => {
      const tokens = await app.newTokens(company)
      expect(await statuses(tokens.accessToken)).toEqual([200, 200])
      const answer = await app.revoke(tokens.clientId, tokens[kind])
      expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: undefined })
      await expectDead(tokens.accessToken)
      const refreshed = await app.refresh(tokens.clientId, tokens.refreshToken)
      expect({ status: refreshed.status, error: refreshed.body.error }).toEqual({
        status: 400,
        error: 'invalid_grant',
      })
    },
  )

  test('takes effect a second later even if no process was notified', async () => {
    const tokens = await app.newTokens(company)
    expect(await statuses(tokens.accessToken)).toEqual([200, 200])
    await bellhop.db.sql`alter table oauth_access_tokens disable trigger access_token_gone`
    await app.revoke(tokens.clientId, tokens.accessToken)
    // Still cached: so it is time, not a notification, that ends it.
    expect(await statuses(tokens.accessToken)).toEqual([200, 200])
    bellhop.clock.advance(1_000)
    expect(await statuses(tokens.accessToken)).toEqual([401, 401])
    await bellhop.db.sql`alter table oauth_access_tokens enable trigger access_token_gone`
  })

  test('is 200 whatever is sent, and revokes nothing of another client', async () => {
    const tokens = await app.newTokens(company)
    const other = await app.newClient()
    const { clientId, accessToken } = tokens
    for (const parameters of [
      { client_id: other, token: accessToken },
      { client_id: 'nobody', token: accessToken },
      { token: accessToken },
      { client_id: clientId },
      { client_id: clientId, token: 'unknown' },
      { client_id: clientId, token: '' },
      { client_id: clientId, token: 'nul \0' },
      {},
    ]) {
      expect((await app.post('/oauth/revoke', parameters)).status).toBe(200)
    }
    expect(await statuses(accessToken)).toEqual([200, 200])
    const hinted = { client_id: clientId, token: accessToken, token_type_hint: 'refresh_token' }
    expect((await app.post('/oauth/revoke', hinted)).status).toBe(200)
    await expectDead(accessToken)
  })

  test('is 200 in any format, and takes effect if it can be parsed', async () => {
    const { clientId, accessToken } = await app.newTokens(company)
    const json = JSON.stringify({ token: accessToken, client_id: clientId })
    for (const [type, body] of [
      [undefined],
      ['application/json', ''],
      ['application/json', '{'],
      ['application/json', '[]'],
      ['application/json', '{"token":{}}'],
      ['text/plain', json],
      ['application/x-www-form-urlencoded', '%'],
    ]) {
      expect({ type, body, status: await revokeAs(type, body) }).toEqual({ type, body, status: 200 })
    }
    expect(await statuses(accessToken)).toEqual([200, 200])
    expect(await revokeAs('application/json; charset=utf-8', json)).toBe(200)
    await expectDead(accessToken)
  })

  test('follows from the deletion of the employee', async () => {
    const { body } = await company.api.post('/employees', { name: 'Bo', email: 'bo@leaves.example' })
    const bo = { ...company, employeeId: decodeId('emp', body.id)! }
    const { accessToken, refreshToken, clientId } = await app.newTokens(bo)
    expect(await statuses(accessToken)).toEqual([200, 200])
    expect((await company.api.delete(`/employees/${body.id}`)).status).toBe(204)
    await expectDead(accessToken)
    expect((await app.refresh(clientId, refreshToken)).body.error).toBe('invalid_grant')
  })
})

test('a token gives access to the live channel, until it is revoked', async () => {
  const { accessToken, clientId } = await app.newTokens(company)
  const cable = await openSocket(bellhop.url, { path: `/cable?access_token=${accessToken}` })
  await cable.subscribe()
  await app.revoke(clientId, accessToken)
  expect(await cable.closed).toEqual({ code: 1008, reason: 'unauthorized' })
  const again = await openSocket(bellhop.url, { headers: { authorization: `Bearer ${accessToken}` } })
  expect(await again.closed).toEqual({ code: 1008, reason: 'unauthorized' })
})

test('the live channel closes when the token expires', async () => {
  const { accessToken } = await app.newTokens(company)
  bellhop.clock.advance(HOUR_MS - 1)
  const cable = await openSocket(bellhop.url, { path: `/cable?access_token=${accessToken}` })
  await cable.subscribe()
  // Two pings, of which the second is surely after the expiry of the token.
  bellhop.clock.advance(6_000)
  expect(await cable.closed).toEqual({ code: 1008, reason: 'unauthorized' })
})
