import { generate } from 'otplib'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { type FormBrowser, formBrowser, hiddenFields } from '../../../../test/harness/browser/form-browser.ts'
import {
  emailsTo,
  linkTo,
  newSignInEmployee,
  PASSWORD,
  type SignInEmployee,
} from '../../../../test/harness/browser/sign-in.ts'
import { type Harness, harness } from '../../../../test/harness/index.ts'

const SETUP = '/account/two-factor/setup'
const STEP_MS = 30_000

let bellhop: Harness
let anna: SignInEmployee

beforeAll(async () => {
  bellhop = await harness()
})

beforeEach(async () => {
  anna = await newSignInEmployee(bellhop)
})

let places = 0
const newBrowser = () => formBrowser(bellhop.url, { address: `2001:db8:${(++places).toString(16)}::1` })

/** The code in the app, `steps` of 30 seconds later or earlier. */
const codeOf = (secret: string, steps = 0) =>
  generate({ secret, epoch: Math.floor(bellhop.clock.now().getTime() / 1000) + steps * 30 })

const givePassword = (browser: FormBrowser, returnTo?: string) =>
  browser.post('/sign-in', {
    email: anna.email,
    password: PASSWORD,
    ...(returnTo !== undefined && { return_to: returnTo }),
  })

const giveCode = (browser: FormBrowser, code: string) =>
  browser.submit('/sign-in/code', '/sign-in/code', { code })

const isSignedIn = async (browser: FormBrowser) => (await browser.get('/account')).status === 200

async function secretOn(browser: FormBrowser): Promise<string> {
  const { html } = await browser.get(SETUP)
  return /class="secret">([A-Z2-7 ]+)</.exec(html)![1]!.replaceAll(' ', '')
}

/** Sets up an app in a signed-in browser. */
async function setUp(browser: FormBrowser) {
  const secret = await secretOn(browser)
  const answer = await browser.submit(SETUP, SETUP, { code: await codeOf(secret) })
  expect(answer.status).toBe(200)
  const codes = [...answer.html.matchAll(/<code>([0-9a-z-]{19})<\/code>/g)].map(([, code]) => code!)
  // The next code must differ from the one just used.
  bellhop.clock.advance(STEP_MS)
  return { secret, codes, answer }
}

/** An employee with an app, and a browser that is not signed in. */
async function withTwoFactor() {
  const first = newBrowser()
  await givePassword(first)
  return { ...(await setUp(first)), first, browser: newBrowser() }
}

describe('setting two-factor up', () => {
  test('requires a code of the app, and shows ten recovery codes once', async () => {
    const browser = newBrowser()
    await givePassword(browser)
    const { codes } = await setUp(browser)
    expect(new Set(codes).size).toBe(10)
    const settings = await browser.get('/account/two-factor')
    expect(settings.text).toContain('You have 10 recovery codes left.')
    for (const code of codes) expect(settings.html).not.toContain(code)
    expect((await browser.get(SETUP)).location).toBe('/account/two-factor')
  })

  test('shows the same secret until it is verified, another in another browser, and a QR code', async () => {
    const [here, there] = [newBrowser(), newBrowser()]
    await givePassword(here)
    await givePassword(there)
    const secret = await secretOn(here)
    expect(await secretOn(here)).toBe(secret)
    expect(await secretOn(there)).not.toBe(secret)
    expect((await here.get(SETUP)).html).toContain('aria-label="QR code for your authenticator app"')
  })

  test('is refused with a wrong code, and nothing is switched on', async () => {
    const browser = newBrowser()
    await givePassword(browser)
    const secret = await secretOn(browser)
    for (const code of ['000000', '', 'abcdef', await codeOf(secret, 5), `${await codeOf(secret)}0`]) {
      const answer = await browser.submit(SETUP, SETUP, { code })
      expect(answer.status).toBe(422)
      expect(answer.text).toContain('That code is not right.')
    }
    expect((await browser.get('/account/two-factor')).text).toContain('It is off')
  })

  test('ends other sessions, which were opened by the password alone', async () => {
    const [here, there] = [newBrowser(), newBrowser()]
    await givePassword(here)
    await givePassword(there)
    await setUp(here)
    expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([true, false])
  })

  test('stores the secret encrypted and recovery codes as hashes', async () => {
    const { secret, codes } = await withTwoFactor()
    const rows = await bellhop.db.sql<{ row: string }[]>`
      select encode(secret_sealed, 'escape') as row from two_factors
      union all select encode(code_hash, 'escape') from recovery_codes
      union all select sessions::text from sessions`
    const stored = rows.map(({ row }) => row).join('\n')
    for (const text of [secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))]) {
      expect(stored).not.toContain(text)
    }
    expect(bellhop.logged.join('\n')).not.toContain(secret)
  })
})

describe('signing in with two-factor', () => {
  test('gives no access after the password, and full access after the code', async () => {
    const { secret, browser } = await withTwoFactor()
    const answer = await givePassword(browser, '/account/api-keys')
    expect(answer.location).toBe('/sign-in/code?return_to=%2Faccount%2Fapi-keys')
    for (const path of ['/account', '/account/api-keys', '/account/two-factor', SETUP, '/account/password']) {
      expect((await browser.get(path)).location).toMatch(/^\/sign-in\?return_to=/)
    }
    expect((await browser.get('/api/v1/session')).status).toBe(401)
    const given = await browser.submit(answer.location!, '/sign-in/code', { code: await codeOf(secret) })
    expect([given.status, given.location]).toEqual([303, '/account/api-keys'])
    expect(JSON.parse((await browser.get('/api/v1/session')).html).two_factor_enabled).toBe(true)
    expect(await isSignedIn(browser)).toBe(true)
  })

  test('changes the cookie with the code: the previous one gives no access', async () => {
    const { secret, browser } = await withTwoFactor()
    await givePassword(browser)
    const before = browser.cookies.get('bellhop_session')!
    expect(browser.cookies.has('bellhop_browser')).toBe(false)
    await giveCode(browser, await codeOf(secret))
    const after = browser.cookies.get('bellhop_session')!
    expect(after).not.toBe(before)
    browser.cookies.set('bellhop_session', before)
    expect(await isSignedIn(browser)).toBe(false)
  })

  test('accepts the previous and the next code, and one with a space, but no others', async () => {
    const { secret } = await withTwoFactor()
    for (const [steps, status] of [
      [-2, 422],
      [2, 422],
      [-1, 303],
      [0, 303],
      [1, 303],
    ] as const) {
      const browser = newBrowser()
      await givePassword(browser)
      const code = await codeOf(secret, steps)
      const answer = await giveCode(browser, `${code.slice(0, 3)} ${code.slice(3)}`)
      expect({ steps, status: answer.status }).toEqual({ steps, status })
      bellhop.clock.advance(3 * STEP_MS)
    }
  })

  test('accepts each code once, and no earlier one', async () => {
    const { secret, browser } = await withTwoFactor()
    await givePassword(browser)
    const code = await codeOf(secret)
    expect((await giveCode(browser, code)).status).toBe(303)
    const thief = newBrowser()
    await givePassword(thief)
    expect((await giveCode(thief, code)).status).toBe(422)
    expect((await giveCode(thief, await codeOf(secret, -1))).status).toBe(422)
    expect(await isSignedIn(thief)).toBe(false)
    expect((await giveCode(thief, await codeOf(secret, 1))).status).toBe(303)
  })

  test('accepts a code once even if it is sent eight times concurrently', async () => {
    const { secret } = await withTwoFactor()
    const visitors = Array.from({ length: 8 }, newBrowser)
    for (const browser of visitors) await givePassword(browser)
    const pages = await Promise.all(visitors.map((browser) => browser.get('/sign-in/code')))
    const code = await codeOf(secret)
    const answers = await Promise.all(
      visitors.map((browser, index) =>
        browser.post('/sign-in/code', { ...hiddenFields(pages[index]!, '/sign-in/code'), code }),
      ),
    )
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
    expect((await Promise.all(visitors.map(isSignedIn))).filter(Boolean)).toHaveLength(1)
  })

  test('refuses the code of someone else, and of an app that was never verified', async () => {
    const bo = await newSignInEmployee(bellhop, anna.company)
    const other = newBrowser()
    await other.post('/sign-in', { email: bo.email, password: PASSWORD })
    const theirs = await setUp(other)
    const first = newBrowser()
    await givePassword(first)
    const unproven = await secretOn(first)
    const { browser } = await withTwoFactor()
    await givePassword(browser)
    for (const code of [await codeOf(theirs.secret), await codeOf(unproven), theirs.codes[0]!]) {
      expect((await giveCode(browser, code)).status).toBe(422)
    }
  })

  test('has waits after five wrong codes, in any browser, which the right one resets', async () => {
    const { secret, browser } = await withTwoFactor()
    await givePassword(browser)
    for (let i = 0; i < 5; i++) expect((await giveCode(browser, '000000')).status).toBe(422)
    const another = newBrowser()
    await givePassword(another)
    const slow = await giveCode(another, await codeOf(secret))
    expect([slow.status, slow.headers.get('retry-after')]).toEqual([429, '1'])
    bellhop.clock.advance(1000)
    expect((await giveCode(another, await codeOf(secret))).status).toBe(303)
    expect((await giveCode(browser, '000000')).status).toBe(422)
  })

  test('waits ten minutes for the code', async () => {
    const { secret, browser } = await withTwoFactor()
    await givePassword(browser)
    bellhop.clock.advance(10 * 60 * 1000 - 1)
    expect((await browser.get('/sign-in/code')).status).toBe(200)
    bellhop.clock.advance(1)
    expect((await browser.get('/sign-in/code')).location).toBe('/sign-in')
    const answer = await browser.post('/sign-in/code', { code: await codeOf(secret) })
    expect(answer.location).toBe('/sign-in')
    expect(await isSignedIn(browser)).toBe(false)
  })

  test('a password reset in between ends the half-open session', async () => {
    const { secret, browser } = await withTwoFactor()
    await givePassword(browser)
    const page = await browser.get('/sign-in/code')
    const fields = hiddenFields(page, '/sign-in/code')
    const owner = newBrowser()
    await owner.post('/password-reset', { email: anna.email })
    const { pathname } = new URL(await linkTo(bellhop, anna.email))
    await owner.submit(pathname, pathname, { password: 'a password nobody knows' })
    const answer = await browser.post('/sign-in/code', { ...fields, code: await codeOf(secret) })
    expect(answer.location).toBe('/sign-in')
    expect(await isSignedIn(browser)).toBe(false)
  })
})

describe('a recovery code', () => {
  test('signs in once, in any spelling', async () => {
    const { codes } = await withTwoFactor()
    const typed = [codes[0]!, codes[1]!.toUpperCase(), codes[2]!.replaceAll('-', ' '), ` ${codes[3]} `]
    for (const code of typed) {
      const browser = newBrowser()
      await givePassword(browser)
      expect((await giveCode(browser, code)).status).toBe(303)
      const again = newBrowser()
      await givePassword(again)
      expect((await giveCode(again, code)).status).toBe(422)
    }
    const browser = newBrowser()
    await givePassword(browser)
    await giveCode(browser, codes[4]!)
    expect((await browser.get('/account/two-factor')).text).toContain('You have 5 recovery codes left.')
  })

  test('used concurrently with others opens one session and uses up one code', async () => {
    const { codes, browser } = await withTwoFactor()
    await givePassword(browser)
    const fields = hiddenFields(await browser.get('/sign-in/code'), '/sign-in/code')
    const given = codes.slice(0, 5).map((code) => browser.post('/sign-in/code', { ...fields, code }))
    const opened = (await Promise.all(given)).filter(({ location }) => location === '/')
    expect(opened).toHaveLength(1)
    const left = await bellhop.db.sql`select from recovery_codes where employee_id = ${anna.employeeId}`
    expect(left).toHaveLength(9)
  })

  test('is useless without the password', async () => {
    const { codes, browser } = await withTwoFactor()
    const answer = await browser.post('/sign-in/code', { code: codes[0]! })
    expect(answer.location).toBe('/sign-in')
    expect(await isSignedIn(browser)).toBe(false)
  })

  test('no longer works after new ones were created, which requires a code', async () => {
    const { secret, codes, first, browser } = await withTwoFactor()
    const renew = (code: string) =>
      first.submit('/account/two-factor', '/account/two-factor/recovery-codes', { code })
    expect((await renew('000000')).status).toBe(422)
    const renewed = await renew(await codeOf(secret))
    expect(renewed.status).toBe(200)
    const fresh = /<code>([0-9a-z-]{19})<\/code>/.exec(renewed.html)![1]!
    await givePassword(browser)
    expect((await giveCode(browser, codes[0]!)).status).toBe(422)
    expect((await giveCode(browser, fresh)).status).toBe(303)
  })
})

const off = (browser: FormBrowser, code: string) =>
  browser.submit('/account/two-factor', '/account/two-factor/off', { code })

describe('switching two-factor off', () => {
  test('requires a code; the password alone then suffices, and an e-mail reports it', async () => {
    const { secret, first, browser } = await withTwoFactor()
    expect((await off(first, '000000')).status).toBe(422)
    expect(await emailsTo(bellhop, anna.email)).toEqual([])
    expect((await off(first, await codeOf(secret))).status).toBe(303)
    await givePassword(browser)
    expect(await isSignedIn(browser)).toBe(true)
    expect(await emailsTo(bellhop, anna.email)).toEqual([
      expect.stringContaining('Totrinslogin er slået fra'),
    ])
  })

  test('is refused if the company requires it', async () => {
    const { secret, first } = await withTwoFactor()
    const fields = hiddenFields(await first.get('/account/two-factor'), '/account/two-factor/off')
    await anna.company.api.patch('/company', { requires_two_factor: true })
    expect((await first.get('/account/two-factor')).html).not.toContain('/account/two-factor/off')
    const answer = await first.post('/account/two-factor/off', { ...fields, code: await codeOf(secret) })
    expect(answer.status).toBe(422)
    expect((await first.get('/account/two-factor')).text).toContain('It is on')
  })
})

describe('a company that requires two-factor', () => {
  const PAGES = ['/account', '/account/api-keys', '/account/password', '/account/two-factor']

  test('restricts everybody to the set-up, including older sessions, until it is done', async () => {
    const browser = newBrowser()
    await givePassword(browser)
    const page = await browser.get('/account/api-keys')
    expect(page.status).toBe(200)
    await anna.company.api.patch('/company', { requires_two_factor: true })
    for (const path of PAGES) {
      const answer = await browser.get(path)
      expect(answer.location).toBe(`/sign-in?return_to=${encodeURIComponent(path)}`)
      const next = await browser.get(answer.location!)
      expect(next.location).toBe(`${SETUP}?return_to=${encodeURIComponent(path)}`)
    }
    const form = { ...hiddenFields(page, '/account/api-keys'), name: 'Sneaky' }
    expect((await browser.post('/account/api-keys', form)).location).toBe('/sign-in')
    expect(await bellhop.db.sql`select from api_keys where name = 'Sneaky'`).toHaveLength(0)

    const setup = await browser.get(`${SETUP}?return_to=%2Faccount%2Fapi-keys`)
    expect(setup.text).toContain('Test company asks everyone to sign in with a second factor.')
    const secret = await secretOn(browser)
    const fields = hiddenFields(setup, SETUP)
    const done = await browser.post(SETUP, { ...fields, code: await codeOf(secret) })
    expect(done.html).toContain('href="/account/api-keys"')
    for (const path of PAGES) expect((await browser.get(path)).status).toBe(200)
  })

  test('redirects to the set-up after the sign-in', async () => {
    await anna.company.api.patch('/company', { requires_two_factor: true })
    const browser = newBrowser()
    // The dashboard redirects by script, which test/browser/dashboard.test.ts covers.
    let answer = await givePassword(browser, '/account')
    for (let hops = 0; answer.location && hops < 5; hops++) answer = await browser.get(answer.location)
    expect(answer.text).toContain('Set up two-factor sign-in')
  })

  test('allows signing out from there', async () => {
    await anna.company.api.patch('/company', { requires_two_factor: true })
    const browser = newBrowser()
    await givePassword(browser)
    expect((await browser.submit(SETUP, '/sign-out')).location).toBe('/sign-in?notice=signed-out')
    expect((await browser.get(SETUP)).location).toMatch(/^\/sign-in/)
  })
})
