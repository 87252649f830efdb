import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'

import { createEmployeeWithPassword } from '../../server/modules/employees/index.ts'
import { encodeId } from '../../server/platform/ids.ts'
import { afterFile } from '../harness/after-file.ts'
import { openPage } from '../harness/browser/browser.ts'
import { newCall, newNumber } from '../harness/calls/telephony.ts'
import { type Harness, harness, type TestCompany } from '../harness/index.ts'
import { PATIENTLY } from '../harness/peers/oauth.ts'

/** Applications with the libraries that partners use, and an employee at a real browser who gives consent. */

const PERSON = { name: 'Anna Holm', email: 'anna@nordlys.example', password: 'a bicycle with three wheels' }
const PATIENCE_MS = 60_000

let bellhop: Harness
let company: TestCompany
let application: Awaited<ReturnType<typeof startApplication>>

beforeAll(async () => {
  bellhop = await harness()
  company = await bellhop.newCompany()
  await bellhop.db.tx((tx) => createEmployeeWithPassword(tx, company, PERSON))
  application = await startApplication()
}, PATIENCE_MS)

/** The redirect URI. */
async function startApplication() {
  const server = createServer((_, response) => response.end('You may close this window.'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterFile(() => server.close())
  return { redirectUri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback` }
}

/** Signs in, decides, and ends at the redirect to the application. */
async function visit(address: URL | string, decision: 'Allow' | 'Deny'): Promise<URL> {
  const page = await openPage()
  try {
    await signIn(page, address)
    await expectToSay(page, 'Sundial', '127.0.0.1', PERSON.email)
    await page.getByRole('button', { name: decision }).click()
    await page.waitForURL((url) => url.href.startsWith(application.redirectUri))
    return new URL(page.url())
  } finally {
    await page.close()
  }
}

/** Ends at the consent page. */
async function signIn(page: Page, address: URL | string) {
  await page.goto(String(address))
  await page.getByLabel('E-mail address').fill(PERSON.email)
  await page.getByLabel('Password').fill(PERSON.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Allow access?' }).waitFor()
}

async function expectToSay(page: Page, ...texts: string[]) {
  const said = await page.locator('main').innerText()
  for (const text of texts) expect(said).toContain(text)
}

const registration = () => ({
  client_name: 'Sundial',
  redirect_uris: [application.redirectUri],
  token_endpoint_auth_method: 'none',
})

const challengeOf = (error: unknown) => (error as oauth.WWWAuthenticateChallengeError).cause

describe('an application with oauth4webapi', () => {
  const insecure = { [oauth.allowInsecureRequests]: true }

  test(
    'completes discovery, registration, consent, tokens, an API call, refresh and revocation',
    async () => {
      const resource = await oauth.processResourceDiscoveryResponse(
        new URL(bellhop.url),
        await oauth.resourceDiscoveryRequest(new URL(bellhop.url), insecure),
      )
      const issuer = new URL(resource.authorization_servers![0]!)
      const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
      const as = await oauth.processDiscoveryResponse(issuer, found)
      const client = await oauth.processDynamicClientRegistrationResponse(
        await oauth.dynamicClientRegistrationRequest(as, registration(), insecure),
      )
      const verifier = oauth.generateRandomCodeVerifier()
      const state = oauth.generateRandomState()
      const address = new URL(as.authorization_endpoint!)
      address.search = new URLSearchParams({
        response_type: 'code',
        client_id: client.client_id,
        redirect_uri: application.redirectUri,
        scope: 'api',
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }).toString()

      const back = oauth.validateAuthResponse(as, client, await visit(address, 'Allow'), state)
      const redeemed = await oauth.authorizationCodeGrantRequest(
        as,
        client,
        oauth.None(),
        back,
        application.redirectUri,
        verifier,
        insecure,
      )
      const tokens = await oauth.processAuthorizationCodeResponse(as, client, redeemed)
      expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'api' })

      const read = (token: string) =>
        oauth.protectedResourceRequest(
          token,
          'GET',
          new URL(`${bellhop.url}/api/v1/company`),
          undefined,
          undefined,
          insecure,
        )
      expect(await (await read(tokens.access_token)).json()).toMatchObject({
        id: encodeId('com', company.companyId),
      })

      const refreshed = await oauth.processRefreshTokenResponse(
        as,
        client,
        await oauth.refreshTokenGrantRequest(as, client, oauth.None(), tokens.refresh_token!, insecure),
      )
      expect(refreshed.refresh_token).not.toBe(tokens.refresh_token)
      expect((await read(refreshed.access_token)).status).toBe(200)

      await oauth.processRevocationResponse(
        await oauth.revocationRequest(as, client, oauth.None(), refreshed.refresh_token!, insecure),
      )
      for (const token of [tokens.access_token, refreshed.access_token]) {
        await expect
          .poll(() => read(token).then(({ status }) => status, challengeOf), PATIENTLY)
          .toMatchObject([{ scheme: 'bearer', parameters: { error: 'invalid_token' } }])
      }
    },
    PATIENCE_MS,
  )
})

async function begin() {
  const options: openid.DynamicClientRegistrationRequestOptions = {
    algorithm: 'oauth2',
    execute: [openid.allowInsecureRequests],
  }
  const config = await openid.dynamicClientRegistration(
    new URL(bellhop.url),
    registration(),
    openid.None(),
    options,
  )
  const pkceCodeVerifier = openid.randomPKCECodeVerifier()
  const expectedState = openid.randomState()
  const address = openid.buildAuthorizationUrl(config, {
    redirect_uri: application.redirectUri,
    scope: 'api',
    state: expectedState,
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
  return { config, address, checks: { pkceCodeVerifier, expectedState } }
}

describe('an application with openid-client', () => {
  test(
    'completes the same sequence',
    async () => {
      const { config, address, checks } = await begin()
      const tokens = await openid.authorizationCodeGrant(config, await visit(address, 'Allow'), checks)
      const read = async (token: string) => {
        const response = await openid.fetchProtectedResource(
          config,
          token,
          new URL(`${bellhop.url}/api/v1/employees`),
          'GET',
        )
        return response.json()
      }
      const { employees } = (await read(tokens.access_token)) as { employees: { email: string }[] }
      expect(employees.map(({ email }) => email)).toContain(PERSON.email)
      const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token!)
      expect(refreshed.refresh_token).not.toBe(tokens.refresh_token)
      await openid.tokenRevocation(config, refreshed.access_token)
      await expect(openid.refreshTokenGrant(config, refreshed.refresh_token!)).rejects.toMatchObject({
        error: 'invalid_grant',
        status: 400,
      })
      await expect
        .poll(
          () =>
            read(tokens.access_token).then(
              () => 'open',
              ({ status }: { status: number }) => status,
            ),
          PATIENTLY,
        )
        .toBe(401)
    },
    PATIENCE_MS,
  )

  test(
    'is notified if the employee denies consent',
    async () => {
      const { config, address, checks } = await begin()
      const back = await visit(address, 'Deny')
      await expect(openid.authorizationCodeGrant(config, back, checks)).rejects.toMatchObject({
        error: 'access_denied',
      })
      expect(back.searchParams.get('state')).toBe(checks.expectedState)
      expect(back.searchParams.has('code')).toBe(false)
    },
    PATIENCE_MS,
  )
})

/** The response that a page on the application's origin gets; null if the browser withholds it from the page. */
const askFromPage = (page: Page, asked: { path: string } & RequestInit) =>
  page.evaluate(
    async ({ url, path, ...init }) => {
      try {
        const response = await fetch(url + path, init)
        return { status: response.status, body: await response.json() }
      } catch {
        return null
      }
    },
    { url: bellhop.url, ...asked },
  )

describe('an application in a web page', () => {
  test(
    'completes the sequence by itself, and cannot use the session of the employee',
    async () => {
      const page = await openPage()
      await page.goto(application.redirectUri)
      const json = { 'content-type': 'application/json' }
      const registered = await askFromPage(page, {
        path: '/oauth/register',
        method: 'POST',
        body: JSON.stringify(registration()),
        headers: json,
      })
      const discovered = await askFromPage(page, { path: '/.well-known/oauth-authorization-server' })
      const verifier = openid.randomPKCECodeVerifier()
      const address = new URL(discovered!.body.authorization_endpoint)
      address.search = new URLSearchParams({
        response_type: 'code',
        client_id: registered!.body.client_id,
        redirect_uri: application.redirectUri,
        scope: 'api',
        state: 'x',
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }).toString()
      await signIn(page, address)
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.waitForURL((url) => url.href.startsWith(application.redirectUri))

      const exchanged = await askFromPage(page, {
        path: '/oauth/token',
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code: new URL(page.url()).searchParams.get('code')!,
          client_id: registered!.body.client_id,
          redirect_uri: application.redirectUri,
          code_verifier: verifier,
        }).toString(),
      })
      const authorization = `Bearer ${exchanged!.body.access_token}`
      const session = await askFromPage(page, { path: '/api/v1/session', headers: { authorization } })
      expect(session).toMatchObject({ status: 200, body: { employee: { email: PERSON.email } } })
      const contact = JSON.stringify({ phone: '+4520998877' })
      const post = { path: '/api/v1/contacts', method: 'POST', body: contact }
      const created = await askFromPage(page, { ...post, headers: { ...json, authorization } })
      expect(created).toMatchObject({ status: 201, body: { phone: '+4520998877' } })
      const refused = await askFromPage(page, { path: '/api/v1/nowhere', headers: { authorization } })
      expect(refused).toMatchObject({ status: 404, body: { error: 'not_found' } })

      // Another port is another origin but the same site: the browser would send the cookie.
      const cookies = await page.context().cookies(bellhop.url)
      expect(cookies.map(({ name }) => name)).toContain('bellhop_session')
      const credentials = 'include'
      const path = `/api/v1/contacts/${created!.body.id}`
      expect(await askFromPage(page, { path, credentials })).toBeNull()
      expect(await askFromPage(page, { path, credentials, method: 'DELETE' })).toBeNull()
      expect(await askFromPage(page, { ...post, credentials, headers: json })).toBeNull()
      expect(await askFromPage(page, { path })).toMatchObject({ status: 401 })
      // A request without a preflight does reach us, and is refused here.
      const logged = bellhop.logged.length
      await askFromPage(page, { ...post, credentials, mode: 'no-cors' })
      await expect
        .poll(() => bellhop.logged.slice(logged).join('\n'), PATIENTLY)
        .toMatch(/"route":"\/api\/v1\/contacts".*"status":403|"status":403.*"route":"\/api\/v1\/contacts"/)
      expect((await company.api.get(`/contacts/${created!.body.id}`)).status).toBe(200)
      await page.close()
    },
    PATIENCE_MS,
  )
})

/** Stores what an application stores, and opens the browser. */
function createProvider() {
  const kept: Record<string, any> = {}
  const provider: OAuthClientProvider = {
    redirectUrl: application.redirectUri,
    clientMetadata: { ...registration(), grant_types: ['authorization_code', 'refresh_token'] },
    state: () => 'a state of the client',
    clientInformation: () => kept['client'],
    saveClientInformation: (client) => void (kept['client'] = client),
    tokens: () => kept['tokens'],
    saveTokens: (tokens) => void (kept['tokens'] = tokens),
    redirectToAuthorization: (address) => void (kept['address'] = address),
    saveCodeVerifier: (verifier) => void (kept['verifier'] = verifier),
    codeVerifier: () => kept['verifier'],
    discoveryState: () => kept['discovery'],
    saveDiscoveryState: (discovery) => void (kept['discovery'] = discovery),
  }
  return { provider, kept }
}

describe('the official client of the Model Context Protocol', () => {
  test(
    'discovers where to get a token, gets consent, and works with contacts, calls and numbers',
    async () => {
      const { provider, kept } = createProvider()
      const open = () =>
        new StreamableHTTPClientTransport(new URL(`${bellhop.url}/mcp`), { authProvider: provider })
      const client = new Client({ name: 'Sundial', version: '1.0.0' })

      const first = open()
      await expect(client.connect(first)).rejects.toBeInstanceOf(UnauthorizedError)
      expect(kept['address'].searchParams.get('resource')).toBe(`${bellhop.url}/mcp`)
      const back = await visit(kept['address'], 'Allow')
      await first.finishAuth(back.searchParams)
      await client.connect(open())

      const { tools } = await client.listTools()
      expect(tools.length).toBeGreaterThan(30)
      const number = await newNumber(company)
      const call = await newCall(company)
      const use = async (name: string, input: Record<string, unknown> = {}) =>
        JSON.stringify((await client.callTool({ name, arguments: input })).structuredContent)
      expect(await use('create_contact', { phone: '+4520112233' })).toContain('+4520112233')
      expect(await use('list_contacts')).toContain('+4520112233')
      expect(await use('list_business_numbers')).toContain(encodeId('num', number))
      expect(await use('list_calls', { limit: 50 })).toContain(encodeId('cal', call))

      // An hour later the access token has expired; the client refreshes it by itself and continues.
      const { access_token: before } = kept['tokens']
      bellhop.clock.advance(60 * 60_000)
      expect(await use('get_company')).toContain(encodeId('com', company.companyId))
      expect(kept['tokens'].access_token).not.toBe(before)
      await client.close()
    },
    PATIENCE_MS,
  )
})

test(
  'a page of another site cannot frame the consent page',
  async () => {
    const response = await fetch(`${bellhop.url}/oauth/register`, {
      method: 'POST',
      body: JSON.stringify(registration()),
      headers: { 'content-type': 'application/json' },
    })
    const { client_id } = (await response.json()) as { client_id: string }
    const address = new URL(`${bellhop.url}/oauth/authorize`)
    address.search = new URLSearchParams({
      response_type: 'code',
      client_id,
      redirect_uri: application.redirectUri,
      scope: 'api',
      state: 'x',
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
    }).toString()
    const page = await openPage()
    const refused: string[] = []
    page.on('console', (message) => refused.push(message.text()))
    await signIn(page, address)
    await page.goto(application.redirectUri)
    await page.evaluate((src) => {
      const { document } = globalThis as unknown as { document: any }
      const frame = document.createElement('iframe')
      frame.src = src
      document.body.append(frame)
    }, address.href)
    await expect.poll(() => refused.join('\n'), PATIENTLY).toMatch(/frame-ancestors|X-Frame-Options/)
    await page.close()
  },
  PATIENCE_MS,
)
