import type { Clock } from '../../../server/platform/clock.ts'
import { randomToken, sha256 } from '../../../server/platform/crypto/crypto.ts'
import type { Sql } from '../../../server/platform/db/database.ts'
import { send } from '../api-client.ts'
import type { TestCompany } from '../index.ts'

export const REDIRECT_URI = 'https://app.example/callback'

/** What an application stores between redirecting the browser and its return. */
export const VERIFIER = 'a-verifier-that-is-long-enough-for-rfc-7636-to-like-it'
export const CHALLENGE = sha256(VERIFIER).toString('base64url')

/** Generous, for a busy machine. With a clock that stands still, nothing else can cause the awaited change. */
export const PATIENTLY = { timeout: 30_000, interval: 20 }

export type Parameters = Record<string, string | string[] | undefined>

interface Installation {
  url: string
  db: { sql: Sql }
  clock: Clock
}

type Person = Pick<TestCompany, 'companyId' | 'employeeId'>

/** An application without a browser: the tests read and submit the forms. */
export function oauthApplication({ url, db, clock }: Installation) {
  const register = async (body: unknown = { client_name: 'Sundial', redirect_uris: [REDIRECT_URI] }) => {
    const response = await send(`${url}/oauth/register`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }

  const newClient = async () => (await register()).body.client_id as string

  const authorizeUrl = (clientId: string, changes: Parameters = {}) =>
    `${url}/oauth/authorize?${encode({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: REDIRECT_URI,
      scope: 'api',
      state: 'xyz',
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
      ...changes,
    })}`

  /** The cookie of a browser in which the employee is signed in. */
  const signIn = async ({ companyId, employeeId }: Person) => {
    const token = randomToken()
    await db.sql`
      insert into sessions
        (company_id, employee_id, token_hash, second_factor_owed, user_agent, created_at, last_seen_at)
      values (${companyId}, ${employeeId}, ${sha256(token)}, false, 'test', ${clock.now()}, ${clock.now()})`
    return `bellhop_session=${token}`
  }

  /** Submits the consent page; the redirect is not followed. */
  const decide = async (address: string, cookie: string, decision: string) => {
    const page = await send(address, { headers: { cookie } })
    const csrf = /name="csrf_token" value="([^"]+)"/.exec(await page.text())?.[1] ?? ''
    return send(address, {
      method: 'POST',
      body: new URLSearchParams({ csrf_token: csrf, decision }),
      headers: { cookie, origin: url },
    })
  }

  const newCode = async (clientId: string, as: Person, changes: Parameters = {}) => {
    const answer = await decide(authorizeUrl(clientId, changes), await signIn(as), 'allow')
    const location = answer.headers.get('location')
    if (!location) throw new Error(`no code was given: ${answer.status} ${await answer.text()}`)
    return new URL(location).searchParams.get('code')!
  }

  const post = async (path: string, parameters: Parameters, at = url) => {
    const response = await send(`${at}${path}`, {
      method: 'POST',
      body: encode(parameters),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: text ? JSON.parse(text) : undefined,
    }
  }

  const redeem = (clientId: string, code: string, changes: Parameters = {}, at = url) =>
    post('/oauth/token', { ...redemption(clientId, code), ...changes }, at)
  const refresh = (clientId: string, refreshToken: string, changes: Parameters = {}, at = url) =>
    post(
      '/oauth/token',
      { grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken, ...changes },
      at,
    )
  const revoke = (clientId: string, token: string) => post('/oauth/revoke', { client_id: clientId, token })

  /** From registration to tokens. */
  const newTokens = async (as: Person, clientId?: string) => {
    clientId ??= await newClient()
    const { body } = await redeem(clientId, await newCode(clientId, as))
    return { clientId, accessToken: body.access_token as string, refreshToken: body.refresh_token as string }
  }

  const statusWith = async (accessToken: string, at = url) => {
    const { status } = await send(`${at}/api/v1/company`, {
      headers: { authorization: `Bearer ${accessToken}` },
    })
    return status
  }

  return {
    register,
    newClient,
    authorizeUrl,
    signIn,
    decide,
    newCode,
    post,
    redeem,
    refresh,
    revoke,
    newTokens,
    statusWith,
  }
}

const redemption = (clientId: string, code: string): Parameters => ({
  grant_type: 'authorization_code',
  client_id: clientId,
  code,
  redirect_uri: REDIRECT_URI,
  code_verifier: VERIFIER,
})

/** An array becomes a repeated parameter. */
function encode(parameters: Parameters): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one): [string, string] => [name, one]),
  )
  return new URLSearchParams(pairs).toString()
}
