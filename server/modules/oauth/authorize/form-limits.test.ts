import { beforeAll, describe, expect, test } from 'vitest'

import { type Harness, harness, type TestCompany } from '../../../../test/harness/index.ts'
import { oauthApplication } from '../../../../test/harness/peers/oauth.ts'
import { FORM_LIMITS } from '../../../platform/limits.ts'

let bellhop: Harness
let company: TestCompany
let app: ReturnType<typeof oauthApplication>

beforeAll(async () => {
  bellhop = await harness()
  company = await bellhop.newCompany()
  app = oauthApplication(bellhop)
})

const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`x${n}`, 'y']))

const INVALID = {
  status: 400,
  body: { error: 'invalid_request', error_description: expect.any(String) },
}

describe.each(['/oauth/token', '/oauth/revoke'])('%s', (path) => {
  test.each([
    [`more than ${FORM_LIMITS.fields} fields`, fields(FORM_LIMITS.fields)],
    [`more than ${FORM_LIMITS.bytes} bytes`, { more: 'x'.repeat(FORM_LIMITS.bytes) }],
  ])('refuses %s', async (_, more) => {
    const { clientId, accessToken, refreshToken } = await app.newTokens(company)
    const right = { client_id: clientId, token: accessToken }
    const grant = { grant_type: 'refresh_token', refresh_token: refreshToken }
    const parameters = path === '/oauth/token' ? { ...grant, client_id: clientId } : right
    expect(await app.post(path, { ...parameters, ...more })).toMatchObject(INVALID)
    expect(await app.statusWith(accessToken)).toBe(200)
    expect((await app.post(path, parameters)).status).toBe(200)
  })
})

test(`a token request may have ${FORM_LIMITS.fields} fields`, async () => {
  const { clientId, refreshToken } = await app.newTokens(company)
  const needed = 3
  const { status } = await app.refresh(clientId, refreshToken, fields(FORM_LIMITS.fields - needed))
  expect(status).toBe(200)
})

test('a revocation with two tokens revokes neither', async () => {
  const [one, two] = [await app.newTokens(company), await app.newTokens(company)]
  const answer = await app.post('/oauth/revoke', {
    client_id: one.clientId,
    token: [one.accessToken, two.accessToken],
  })
  expect(answer).toMatchObject(INVALID)
  for (const { accessToken } of [one, two]) expect(await app.statusWith(accessToken)).toBe(200)
})

test('the authorization endpoint refuses too many parameters with our own error page', async () => {
  const clientId = await app.newClient()
  const answer = await fetch(app.authorizeUrl(clientId, fields(FORM_LIMITS.fields)), { redirect: 'manual' })
  expect(answer.status).toBe(400)
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
})

test('the size of a registration is limited', async () => {
  expect(
    await app.register({ redirect_uris: ['https://app.example/'], more: 'x'.repeat(65_536) }),
  ).toMatchObject(INVALID)
})
