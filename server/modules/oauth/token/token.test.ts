import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { type Harness, harness, type TestCompany } from '../../../../test/harness/index.ts'
import {
  CHALLENGE,
  oauthApplication,
  type Parameters,
  PATIENTLY,
  VERIFIER,
} from '../../../../test/harness/peers/oauth.ts'
import { untilWaiting } from '../../../../test/harness/routes/insert-barrier.ts'

let bellhop: Harness
let company: TestCompany
let app: ReturnType<typeof oauthApplication>
let clientId: string

beforeAll(async () => {
  bellhop = await harness()
  company = await bellhop.newCompany()
  app = oauthApplication(bellhop)
})

beforeEach(async () => {
  clientId = await app.newClient()
})

/** The clock moves only by this, and each response arrives before the next request. */
const later = (ms = 1_000) => bellhop.clock.advance(ms)

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

async function expectRefusal(answer: Awaited<ReturnType<typeof app.post>>, status: number, error: string) {
  expect({ status: answer.status, body: answer.body }).toEqual({
    status,
    body: { error, error_description: expect.stringMatching(/^\S.*\.$/) },
  })
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(answer.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer error="invalid_token"' : null)
}

/** Sends two requests that use a grant, a second apart, while another session holds all grants. */
async function twiceWhileWaiting<T>(send: () => Promise<T>): Promise<T[]> {
  const { sent } = await bellhop.db.tx(async (tx) => {
    await tx`select from oauth_grants for update`
    const sent = [send()]
    await untilWaiting(tx, 1)
    later()
    sent.push(send())
    await untilWaiting(tx, 2)
    return { sent }
  })
  return Promise.all(sent)
}

const TOKENS = {
  access_token: expect.stringMatching(/^bhat_[\w-]{43}$/),
  token_type: 'Bearer',
  expires_in: 3600,
  refresh_token: expect.stringMatching(/^bhrt_[\w-]{43}$/),
  scope: 'api',
  created_at: expect.any(Number),
}

describe('a code', () => {
  test('gives tokens exactly as in the contract, without caching', async () => {
    const answer = await app.redeem(clientId, await app.newCode(clientId, company))
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual(TOKENS)
    expect(answer.body.created_at).toBe(Math.floor(bellhop.clock.now().getTime() / 1000))
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await app.statusWith(answer.body.access_token)).toBe(200)
  })

  test('redeemed eight times concurrently gives tokens once, and these work', async () => {
    const code = await app.newCode(clientId, company)
    const answers = await Promise.all(Array.from({ length: 8 }, () => app.redeem(clientId, code)))
    const [given, ...more] = answers.filter(({ status }) => status === 200)
    expect(more).toEqual([])
    for (const answer of answers) if (answer !== given) await expectRefusal(answer, 400, 'invalid_grant')
    expect(await app.statusWith(given!.body.access_token)).toBe(200)
  })

  test('redeemed twice, the second time while the first still waits for the database, gives tokens that work', async () => {
    const code = await app.newCode(clientId, company)
    const answers = await twiceWhileWaiting(() => app.redeem(clientId, code))
    expect(answers.map(({ status }) => status)).toEqual([200, 400])
    expect(await app.statusWith(answers[0]!.body.access_token)).toBe(200)
  })

  test('used a second time is refused, and revokes the tokens of the first', async () => {
    const code = await app.newCode(clientId, company)
    const { body } = await app.redeem(clientId, code)
    later()
    await expectRefusal(await app.redeem(clientId, code), 400, 'invalid_grant')
    await expect.poll(() => app.statusWith(body.access_token), PATIENTLY).toBe(401)
    await expectRefusal(await app.refresh(clientId, body.refresh_token), 400, 'invalid_grant')
  })

  test('expires after ten minutes', async () => {
    const [one, two] = [await app.newCode(clientId, company), await app.newCode(clientId, company)]
    later(10 * MINUTE_MS - 1)
    expect((await app.redeem(clientId, one)).status).toBe(200)
    later(1)
    await expectRefusal(await app.redeem(clientId, two), 400, 'invalid_grant')
  })

  test.each<[string, Parameters]>([
    ['another redirect_uri', { redirect_uri: 'https://app.example/callback/' }],
    ['another verifier', { code_verifier: VERIFIER.replace('a-', 'b-') }],
    ['the challenge in place of the verifier', { code_verifier: CHALLENGE }],
    ['a short verifier', { code_verifier: 'short' }],
    ['another code', { code: 'A'.repeat(43) }],
  ])('with %s is invalid_grant, and stays valid for its owner', async (_, changes) => {
    const code = await app.newCode(clientId, company)
    await expectRefusal(await app.redeem(clientId, code, changes), 400, 'invalid_grant')
    expect((await app.redeem(clientId, code)).status).toBe(200)
  })

  test('of another client is invalid_grant, and revokes nothing', async () => {
    const code = await app.newCode(clientId, company)
    const other = await app.newClient()
    await expectRefusal(await app.redeem(other, code), 400, 'invalid_grant')
    expect((await app.redeem(clientId, code)).status).toBe(200)
  })

  test('is stored as a hash only, and so are the tokens', async () => {
    const code = await app.newCode(clientId, company)
    const { body } = await app.redeem(clientId, code)
    const next = await app.refresh(clientId, body.refresh_token)
    const tables = [
      'oauth_codes',
      'oauth_access_tokens',
      'oauth_refresh_tokens',
      'oauth_grants',
      'oauth_clients',
    ]
    const secrets = [code, ...[body, next.body].flatMap((one) => [one.access_token, one.refresh_token])]
    for (const table of tables) {
      const rows = await bellhop.db.sql`select it::text as text from ${bellhop.db.sql(table)} as it`
      expect(rows.length).toBeGreaterThan(0)
      for (const secret of secrets) {
        const bare = secret.replace(/^bh.t_/, '')
        for (const form of [
          bare,
          Buffer.from(bare).toString('hex'),
          Buffer.from(bare, 'base64url').toString('hex'),
        ])
          expect(JSON.stringify(rows)).not.toContain(form)
      }
    }
    for (const secret of secrets) expect(bellhop.logged.join('\n')).not.toContain(secret)
  })
})

describe('a refresh token', () => {
  test('gives new tokens, and the previous access token stays valid for its hour', async () => {
    const first = await app.newTokens(company)
    later()
    const { status, body } = await app.refresh(first.clientId, first.refreshToken)
    expect({ status, body }).toEqual({ status: 200, body: TOKENS })
    expect(body.refresh_token).not.toBe(first.refreshToken)
    expect(await app.statusWith(body.access_token)).toBe(200)
    expect(await app.statusWith(first.accessToken)).toBe(200)
  })

  test('sent eight times concurrently is replaced once: all get the same successor, which works', async () => {
    const first = await app.newTokens(company)
    const sent = Array.from({ length: 8 }, () => app.refresh(first.clientId, first.refreshToken))
    const answers = await Promise.all(sent)
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    later()
    expect((await app.refresh(first.clientId, answers[0]!.body.refresh_token)).status).toBe(200)
  })

  test('sent twice, the second time while the first still waits for the database, has one successor', async () => {
    const first = await app.newTokens(company)
    const answers = await twiceWhileWaiting(() => app.refresh(first.clientId, first.refreshToken))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[0]!.body).toEqual(answers[1]!.body)
  })

  test('used again revokes its whole family: successors and access tokens on every process', async () => {
    const elsewhere = await bellhop.startAnotherApi()
    const first = await app.newTokens(company)
    later()
    const second = (await app.refresh(first.clientId, first.refreshToken)).body
    later()
    const third = (await app.refresh(first.clientId, second.refresh_token)).body
    expect([
      await app.statusWith(third.access_token),
      await app.statusWith(third.access_token, elsewhere),
    ]).toEqual([200, 200])
    later()
    await expectRefusal(await app.refresh(first.clientId, first.refreshToken), 400, 'invalid_grant')
    for (const token of [first.accessToken, second.access_token, third.access_token]) {
      await expect.poll(() => app.statusWith(token), PATIENTLY).toBe(401)
      await expect.poll(() => app.statusWith(token, elsewhere), PATIENTLY).toBe(401)
    }
    await expectRefusal(await app.refresh(first.clientId, third.refresh_token), 400, 'invalid_grant')
  })

  test('used again does not affect other grants of the employee', async () => {
    const [stolen, other] = [await app.newTokens(company), await app.newTokens(company)]
    await app.refresh(stolen.clientId, stolen.refreshToken)
    later()
    await app.refresh(stolen.clientId, stolen.refreshToken)
    expect(await app.statusWith(other.accessToken)).toBe(200)
    expect((await app.refresh(other.clientId, other.refreshToken)).status).toBe(200)
  })

  test('expires thirty days after its issue', async () => {
    const [one, two] = [await app.newTokens(company), await app.newTokens(company)]
    later(30 * DAY_MS - 1)
    const renewed = await app.refresh(one.clientId, one.refreshToken)
    expect(renewed.status).toBe(200)
    later(1)
    await expectRefusal(await app.refresh(two.clientId, two.refreshToken), 400, 'invalid_grant')
    later(29 * DAY_MS)
    expect((await app.refresh(one.clientId, renewed.body.refresh_token)).status).toBe(200)
  })

  test('of another client is invalid_grant, and revokes nothing', async () => {
    const { refreshToken, clientId: owner } = await app.newTokens(company)
    await expectRefusal(await app.refresh(clientId, refreshToken), 400, 'invalid_grant')
    expect((await app.refresh(owner, refreshToken)).status).toBe(200)
  })

  test('is not an access token, nor the other way round', async () => {
    const { clientId, accessToken, refreshToken } = await app.newTokens(company)
    expect(await app.statusWith(refreshToken)).toBe(401)
    await expectRefusal(await app.refresh(clientId, accessToken), 400, 'invalid_grant')
  })
})

describe('the token endpoint', () => {
  const REDEEM = ['grant_type', 'client_id', 'code', 'redirect_uri', 'code_verifier']
  const REFRESH = ['grant_type', 'client_id', 'refresh_token']

  test.each(REDEEM)('requires %s to redeem a code, with a value, once', async (name) => {
    const code = await app.newCode(clientId, company)
    for (const value of [undefined, '', ['twice', 'twice']]) {
      await expectRefusal(await app.redeem(clientId, code, { [name]: value }), 400, 'invalid_request')
    }
    expect((await app.redeem(clientId, code)).status).toBe(200)
  })

  test.each(REFRESH)('requires %s to refresh, with a value, once', async (name) => {
    const tokens = await app.newTokens(company)
    for (const value of [undefined, '', ['twice', 'twice']]) {
      const answer = await app.refresh(tokens.clientId, tokens.refreshToken, { [name]: value })
      await expectRefusal(answer, 400, 'invalid_request')
    }
    expect((await app.refresh(tokens.clientId, tokens.refreshToken)).status).toBe(200)
  })

  test.each([
    'cli_01h455vb4pex5vsknk084sn02q',
    'nobody',
    'https://nobody.example/client.json',
    'http://nobody\0.example/',
    "'; drop table oauth_clients",
    'x'.repeat(10_000),
  ])('does not know the client %.40s: 401 invalid_client', async (unknown) => {
    const code = await app.newCode(clientId, company)
    await expectRefusal(await app.redeem(unknown, code), 401, 'invalid_client')
    await expectRefusal(await app.refresh(unknown, 'x'), 401, 'invalid_client')
  })

  test.each(['password', 'client_credentials', 'implicit', 'constructor', '__proto__'])(
    'does not offer the grant %s: unauthorized_client',
    async (grantType) => {
      const answer = await app.redeem(clientId, 'x', { grant_type: grantType })
      await expectRefusal(answer, 400, 'unauthorized_client')
    },
  )

  test.each(['web', 'api web', 'openid', 'API'])('does not grant the scope %s', async (scope) => {
    const code = await app.newCode(clientId, company)
    await expectRefusal(await app.redeem(clientId, code, { scope }), 400, 'invalid_scope')
    const tokens = await app.newTokens(company)
    await expectRefusal(
      await app.refresh(tokens.clientId, tokens.refreshToken, { scope }),
      400,
      'invalid_scope',
    )
  })

  test.each(['scope', 'unheard_of'])('accepts %s at most once', async (name) => {
    const code = await app.newCode(clientId, company)
    const twice = await app.redeem(clientId, code, { [name]: ['api', 'api'] })
    await expectRefusal(twice, 400, 'invalid_request')
    expect((await app.redeem(clientId, code, { [name]: 'api' })).status).toBe(200)
  })

  test('gives no token for a resource of another server', async () => {
    const code = await app.newCode(clientId, company)
    const theirs = await app.redeem(clientId, code, { resource: 'https://elsewhere.example/mcp' })
    await expectRefusal(theirs, 400, 'invalid_target')
    const ours = await app.redeem(clientId, code, { resource: [`${bellhop.url}/mcp`, bellhop.url] })
    expect(ours.status).toBe(200)
  })

  test.each([
    ['JSON', 'application/json', '{"grant_type":"refresh_token"}'],
    ['no type', '', 'grant_type=refresh_token'],
    ['a long body', 'application/x-www-form-urlencoded', 'a'.repeat(1_100_000)],
  ])('refuses %s with invalid_request', async (_, type, body) => {
    const response = await fetch(`${bellhop.url}/oauth/token`, {
      method: 'POST',
      body: Buffer.from(body),
      headers: type ? { 'content-type': type } : {},
    })
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 400,
      body: { error: 'invalid_request', error_description: expect.any(String) },
    })
  })
})
