import { generate } from 'otplib'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { revokeApiKey } from '../server/modules/api-keys/index.ts'
import { resetTwoFactor } from '../server/modules/sign-in/index.ts'
import { type FormBrowser, formBrowser } from './harness/browser/form-browser.ts'
import { linkTo, newSignInEmployee, PASSWORD, type SignInEmployee } from './harness/browser/sign-in.ts'
import { eventually } from './harness/calls/call-events.ts'
import { openTestControl, startRegisteredPhone, startTestEdge } from './harness/calls/edge.ts'
import { type Harness, harness, type TestCompany } from './harness/index.ts'
import { oauthApplication } from './harness/peers/oauth.ts'
import { ANNA, follow, sdp } from './harness/sip/agent.ts'
import { openBrowserPhone } from './harness/sip/browser-phone.ts'

const SETUP = '/account/two-factor/setup'
const PHONES = '/account/phones'
const DAY_MS = 86_400_000

let bellhop: Harness
let edge: Awaited<ReturnType<typeof startTestEdge>>
let control: ReturnType<typeof openTestControl>
/** The employee whose key reads the status of the others. */
let company: TestCompany
let anna: SignInEmployee
let places = 0

beforeAll(async () => {
  bellhop = await harness({}, { receivePhone: (...connection) => edge.upgrade(...connection) })
})

beforeEach(async () => {
  control = openTestControl()
  edge = await startTestEdge(bellhop, control.create)
  company = await bellhop.newCompany()
  anna = await newSignInEmployee(bellhop, company)
})

async function signIn(browser = formBrowser(bellhop.url, { address: `2001:db8:${++places}::1` })) {
  await browser.post('/sign-in', { email: anna.email, password: PASSWORD })
  return browser
}

interface Credentials {
  username: string
  password: string
  expires_at: string
}

async function mint(headers: Record<string, string>): Promise<Credentials> {
  const { status, body } = await bellhop.anonymous.request('/softphone_credentials', {
    method: 'POST',
    headers,
  })
  expect(status).toBe(201)
  return body
}

const mintAt = ({ cookies }: FormBrowser) =>
  mint({ cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '), origin: bellhop.url })

const statusOf = async () =>
  (await company.api.get(`/employees/${anna.id}`)).body.status as string | undefined

/** The change is already published too, in the transaction that ended the phone. */
async function isLoggedOut() {
  expect(await statusOf()).toBe('logged_out')
  const [row] = await bellhop.db.sql`select told_status from employees where id = ${anna.employeeId}`
  expect(row).toEqual({ told_status: 'logged_out' })
}

/** A registered phone of Anna's, which makes her available. */
async function startPhone(credentials: Credentials) {
  const phone = await startRegisteredPhone({ ...credentials, port: edge.port })
  await phone.registered()
  expect(await statusOf()).toBe('available')
  return phone
}

type Phone = Awaited<ReturnType<typeof startPhone>>

const call = ({ agent }: Phone) =>
  follow(agent.invite({ to: 'trunk', trunk: 'edge', number: '+4520112233' }, { from: ANNA, body: sdp() }))

async function canDoNothing(phone: Phone) {
  const { ending } = await call(phone).next('ended')
  expect(ending).toMatchObject({ why: 'refused', status: 401 })
  expect(control.calls.waiting).toEqual([])
  phone.registerAgain()
  expect(await phone.refused()).toMatchObject({ registration: { status: 401 } })
}

const setUpTwoFactor = async (browser: FormBrowser) => {
  const { html } = await browser.get(SETUP)
  const secret = /class="secret">([A-Z2-7 ]+)</.exec(html)![1]!.replaceAll(' ', '')
  const code = await generate({ secret, epoch: Math.floor(bellhop.clock.now().getTime() / 1_000) })
  expect((await browser.submit(SETUP, SETUP, { code })).status).toBe(200)
}

/** Submits the first form on a page whose action ends like this. */
async function press(browser: FormBrowser, path: string, ending: string) {
  const { html } = await browser.get(path)
  const action = new RegExp(`action="([^"]+${ending})"`).exec(html)?.[1]
  expect(action, `a form for ${ending} at ${path}`).toBeDefined()
  await browser.submit(path, action!)
}

describe('the softphone of a browser ends with its session', () => {
  test.each<[string, (own: FormBrowser) => Promise<unknown>]>([
    ['signed out', (own) => own.submit('/sign-out', '/sign-out')],
    ['signed in again', (own) => signIn(own)],
    [
      'ended from another browser',
      async () => (await signIn()).submit('/account', '/account/other-sessions/end'),
    ],
    ['ended at the list of phones', async () => press(await signIn(), PHONES, '/sign-out')],
    [
      'ended by a new password',
      async () =>
        (await signIn()).submit('/account/password', '/account/password', {
          current_password: PASSWORD,
          password: 'another horse battery staple',
        }),
    ],
    [
      'ended by a password reset',
      async () => {
        const other = formBrowser(bellhop.url)
        await other.submit('/password-reset', '/password-reset', { email: anna.email })
        const path = new URL(await linkTo(bellhop, anna.email)).pathname
        await other.submit(path, path, { password: 'another horse battery staple' })
      },
    ],
    ['ended by a second factor', async () => setUpTwoFactor(await signIn())],
  ])('%s', async (_, end) => {
    const own = await signIn()
    const phone = await startPhone(await mintAt(own))
    await end(own)
    await isLoggedOut()
    await canDoNothing(phone)
  })

  test('ended when the operator removes the second factor', async () => {
    const own = await signIn()
    await setUpTwoFactor(own)
    const phone = await startPhone(await mintAt(own))
    await bellhop.db.tx((tx) => resetTwoFactor(tx, anna.employeeId, bellhop.clock.now()))
    await isLoggedOut()
    await canDoNothing(phone)
  })

  test('that now lacks a required second factor', async () => {
    const phone = await startPhone(await mintAt(await signIn()))
    await company.api.patch('/company', { requires_two_factor: true })
    await eventually(isLoggedOut)
    await canDoNothing(phone)
  })

  test('that expires', async () => {
    const own = await signIn()
    const signedInAt = bellhop.clock.now().getTime()
    for (let day = 0; day < 29; day++) {
      bellhop.clock.advance(DAY_MS)
      await own.get('/account')
    }
    bellhop.clock.advance(DAY_MS - 3_600_000)
    const { expires_at } = await mintAt(own)
    expect(new Date(expires_at).getTime()).toBe(signedInAt + 30 * DAY_MS)
  })
})

describe('the softphone of a program ends with its API key', () => {
  test.each<[string, (key: { id: string }) => Promise<unknown>]>([
    ['revoked at the page', async () => press(await signIn(), '/account/api-keys', '/revoke')],
    ['revoked by the operator', ({ id }) => bellhop.db.tx((tx) => revokeApiKey(tx, id))],
    ['removed at the list of phones', async () => press(await signIn(), PHONES, '/remove')],
  ])('%s', async (_, end) => {
    const key = await bellhop.keyFor(anna.employeeId)
    const phone = await startPhone(await mint({ 'x-api-key': key.key }))
    await end(key)
    await isLoggedOut()
    await canDoNothing(phone)
  })

  test('deleted with its employee', async () => {
    const { key } = await bellhop.keyFor(anna.employeeId)
    const phone = await startPhone(await mint({ 'x-api-key': key }))
    expect((await company.api.delete(`/employees/${anna.id}`)).status).toBe(204)
    await canDoNothing(phone)
  })
})

describe('the softphone of an application ends with its grant', () => {
  type Tokens = Awaited<ReturnType<ReturnType<typeof oauthApplication>['newTokens']>> & { code: string }

  test.each<[string, (app: ReturnType<typeof oauthApplication>, tokens: Tokens) => Promise<unknown>]>([
    ['revoked by the application', (app, { clientId, accessToken }) => app.revoke(clientId, accessToken)],
    ['ended at the page', async () => press(await signIn(), '/account/connected-apps', '/end')],
    [
      'revoked because a refresh token is used again',
      async (app, { clientId, refreshToken }) => {
        await app.refresh(clientId, refreshToken)
        bellhop.clock.advance(1_000)
        expect((await app.refresh(clientId, refreshToken)).status).toBe(400)
      },
    ],
    [
      'revoked because a code is used again',
      async (app, { clientId, code }) => {
        bellhop.clock.advance(1_000)
        expect((await app.redeem(clientId, code)).status).toBe(400)
      },
    ],
  ])('%s', async (_, end) => {
    const app = oauthApplication(bellhop)
    const clientId = await app.newClient()
    const code = await app.newCode(clientId, { companyId: company.companyId, employeeId: anna.employeeId })
    const { body } = await app.redeem(clientId, code)
    const tokens = { clientId, code, accessToken: body.access_token, refreshToken: body.refresh_token }
    const phone = await startPhone(await mint({ authorization: `Bearer ${tokens.accessToken}` }))
    await end(app, tokens)
    await isLoggedOut()
    await canDoNothing(phone)
  })
})

test('a live call is not cut off when the session ends, and can be hung up', async () => {
  const own = await signIn()
  const phone = await startPhone(await mintAt(own))
  const placed = call(phone)
  const taken = await control.calls.take()
  taken.accept(sdp())
  const { next } = follow(taken)
  await placed.next('answered')
  await own.submit('/sign-out', '/sign-out')
  await canDoNothing(phone)
  expect(taken.isOver).toBe(false)
  taken.hangUp()
  expect((await placed.next('ended')).ending).toMatchObject({ why: 'hungUp', by: 'peer' })
  await next('ended')
})

test('a ringing softphone stops ringing when its session ends', async () => {
  const own = await signIn()
  const phone = await startPhone(await mintAt(own))
  const [edge] = control.edgePorts
  const [way] = await edge!.routesToEmployee(company.companyId, anna.employeeId)
  const ringing = follow(edge!.ua.invite(way!.target, { from: ANNA, body: sdp() }))
  const incoming = await phone.calls.take()
  incoming.ring()
  await ringing.next('ringing')
  await own.submit('/sign-out', '/sign-out')
  expect((await ringing.next('ended')).ending).toMatchObject({ why: 'cancelled' })
  await follow(incoming).next('ended')
})

test('the connection of a browser is closed when its session ends', async () => {
  const own = await signIn()
  const { username, password } = await mintAt(own)
  const phone = await openBrowserPhone(`${bellhop.url.replace('http', 'ws')}/sip`, { username, password })
  const contact = `Contact: <sip:${username}@x.invalid;transport=ws>`
  expect((await phone.register([contact])).status).toBe(200)
  expect(await statusOf()).toBe('available')
  await own.submit('/sign-out', '/sign-out')
  await phone.closed
})

test('a softphone is registered no longer than its credentials are valid', async () => {
  const credentials = await mintAt(await signIn())
  await bellhop.db.sql`
    update devices set expires_at = now() + interval '2 seconds' where username = ${credentials.username}`
  await startPhone(credentials)
  await eventually(async () => expect(await statusOf()).toBe('logged_out'))
})

test('credentials from a process of an older version work until they expire', async () => {
  const { username, ...credentials } = await mintAt(await signIn())
  await bellhop.db.sql`update devices set session_id = null where username = ${username}`
  const phone = await startPhone({ username, ...credentials })
  await (await signIn()).submit('/account', '/account/other-sessions/end')
  expect(await statusOf()).toBe('available')
  call(phone)
  ;(await control.calls.take()).reject(486)
})

test('the softphones of browsers, programs and applications are listed by their credential', async () => {
  const own = await signIn()
  const other = await signIn()
  const { key } = await bellhop.keyFor(anna.employeeId)
  const app = oauthApplication(bellhop)
  const { accessToken } = await app.newTokens({ companyId: company.companyId, employeeId: anna.employeeId })
  await mintAt(own)
  await startPhone(await mintAt(other))
  await mint({ 'x-api-key': key })
  await mint({ authorization: `Bearer ${accessToken}` })
  const { text } = await own.get(PHONES)
  expect(text).toMatch(/Firefox on Linux \(this one\), signed in just now never always/)
  expect(text).toMatch(/Firefox on Linux, signed in just now now always Sign out/)
  expect(text).toMatch(/API key “test” never always Remove/)
  expect(text).toMatch(/Application “Sundial” never always Remove/)
})
