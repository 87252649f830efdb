import { beforeAll, describe, expect, test } from 'vitest'

import { formBrowser } from '../../../test/harness/browser/form-browser.ts'
import { newSignInEmployee, PASSWORD } from '../../../test/harness/browser/sign-in.ts'
import { type Harness, harness } from '../../../test/harness/index.ts'

let bellhop: Harness

beforeAll(async () => {
  bellhop = await harness()
})

const DAY_MS = 24 * 60 * 60 * 1000

let places = 0
/** A browser with its own address. */
const newBrowser = () => formBrowser(bellhop.url, { address: `198.51.100.${++places}` })

const newEmployee = () => newSignInEmployee(bellhop)

async function signedIn(email: string) {
  const browser = newBrowser()
  const answer = await browser.submit('/sign-in', '/sign-in', { email, password: PASSWORD })
  expect(answer.status).toBe(303)
  return browser
}

const isSignedIn = async (browser: { get(path: string): Promise<{ status: number }> }) =>
  (await browser.get('/account')).status === 200

describe('signing in', () => {
  test('with the right password leads to the account, or to the page that was requested', async () => {
    const { email, name } = await newEmployee()
    const browser = newBrowser()
    const first = await browser.get('/account/api-keys')
    expect(first.location).toBe('/sign-in?return_to=%2Faccount%2Fapi-keys')
    const answer = await browser.submit(first.location!, '/sign-in', { email, password: PASSWORD })
    expect([answer.status, answer.location]).toEqual([303, '/account/api-keys'])
    const page = await browser.get('/account/api-keys')
    expect(page.status).toBe(200)
    expect(page.text).toContain(name)
  })

  test('accepts the address in capitals and with spaces around it', async () => {
    const { email } = await newEmployee()
    const browser = newBrowser()
    const typed = { email: ` ${email.toUpperCase()} `, password: PASSWORD }
    expect((await browser.submit('/sign-in', '/sign-in', typed)).status).toBe(303)
    expect(await isSignedIn(browser)).toBe(true)
  })

  test('does not distinguish a wrong password, an unknown address and one without a password', async () => {
    const { email, company } = await newEmployee()
    const invited = `${crypto.randomUUID()}@example.com`
    await company.api.post('/employees', { name: 'Invited', email: invited })
    const typed = [
      { email, password: `${PASSWORD}!` },
      { email: 'nobody@example.com', password: PASSWORD },
      { email: invited, password: PASSWORD },
      { email: invited, password: '' },
    ]
    const answers = []
    for (const fields of typed) answers.push(await newBrowser().submit('/sign-in', '/sign-in', fields))
    const seen = answers.map(({ status, text, html }, index) => ({
      status,
      text,
      html: html.replaceAll(typed[index]!.email, 'EMAIL'),
    }))
    expect(new Set(seen.map((one) => JSON.stringify(one))).size).toBe(1)
    expect(seen[0]!.status).toBe(422)
    for (const { headers } of answers) expect(headers.getSetCookie()).toEqual([])
  })

  test.each([
    ['a NUL', '\0'],
    ['a very long text', 'x'.repeat(5_000)],
    ['SQL', "' or 1=1 --"],
    ['HTML', '<script>alert(1)</script>'],
    ['an attribute', '" autofocus onfocus="alert(1)'],
    ['an emoji', '🦄'],
    ['nothing', ''],
  ])('refuses an invalid address and shows it as text: %s', async (_, email) => {
    const answer = await newBrowser().submit('/sign-in', '/sign-in', { email, password: email })
    expect(answer.status).toBe(422)
    expect(answer.html).not.toContain('<script')
    expect(answer.html).not.toMatch(/" autofocus onfocus="/)
  })

  test('is logged without address, password or cookie', async () => {
    const { email } = await newEmployee()
    const browser = await signedIn(email)
    const written = bellhop.logged.join('\n')
    for (const secret of [email, PASSWORD, ...browser.cookies.values()]) expect(written).not.toContain(secret)
  })
})

describe('the target after a sign-in', () => {
  test.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/x/..//evil.example',
    '\\/evil.example',
    'javascript:alert(1)',
    ' /account',
    'account',
    `/too-long${'x'.repeat(5_000)}`,
  ])('is never another site: %.20j', async (returnTo) => {
    const { email } = await newEmployee()
    const browser = newBrowser()
    const page = await browser.get(`/sign-in?return_to=${encodeURIComponent(returnTo)}`)
    expect(page.html).not.toContain('name="return_to"')
    const answer = await browser.post('/sign-in', { email, password: PASSWORD, return_to: returnTo })
    expect([answer.status, answer.location]).toEqual([303, '/'])
    const again = await browser.get(`/sign-in?return_to=${encodeURIComponent(returnTo)}`)
    expect([again.status, again.location]).toEqual([303, '/'])
  })

  test('is a page that redirects by itself if an application requested access', async () => {
    const { email } = await newEmployee()
    const browser = newBrowser()
    const returnTo = '/oauth/authorize?client_id=x&state="><script>'
    const answer = await browser.post('/sign-in', { email, password: PASSWORD, return_to: returnTo })
    expect(answer.status).toBe(200)
    const path = '/oauth/authorize?client_id=x&amp;state=%22%3E%3Cscript%3E'
    expect(answer.html).toContain(`http-equiv="refresh" content="0;url=${path}"`)
    expect(await isSignedIn(browser)).toBe(true)
  })
})

describe('a session', () => {
  test('has a cookie of 256 bits that scripts cannot read, and is stored as a hash', async () => {
    const { email } = await newEmployee()
    const browser = newBrowser()
    const answer = await browser.submit('/sign-in', '/sign-in', { email, password: PASSWORD })
    const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('bellhop_session='))!
    expect(cookie).toMatch(
      /^bellhop_session=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
    )
    const token = browser.cookies.get('bellhop_session')!
    const rows = await bellhop.db.sql<{ row: string }[]>`select sessions::text as row from sessions`
    expect(rows.map(({ row }) => row).join('\n')).not.toContain(token)
  })

  test('ends with the sign-out, even for a copy of the cookie', async () => {
    const { email } = await newEmployee()
    const browser = await signedIn(email)
    const kept = new Map(browser.cookies)
    const answer = await browser.submit('/account', '/sign-out')
    expect([answer.status, answer.location]).toEqual([303, '/sign-in?notice=signed-out'])
    expect(browser.cookies.has('bellhop_session')).toBe(false)
    expect((await browser.get(answer.location!)).text).toContain('You are signed out.')
    browser.cookies.set('bellhop_session', kept.get('bellhop_session')!)
    expect(await isSignedIn(browser)).toBe(false)
  })

  test('is valid on another process, and ends there too', async () => {
    const { email } = await newEmployee()
    const browser = await signedIn(email)
    const elsewhere = formBrowser(await bellhop.startAnotherApi())
    for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value)
    expect(await isSignedIn(elsewhere)).toBe(true)
    await browser.submit('/account', '/sign-out')
    expect(await isSignedIn(elsewhere)).toBe(false)
  })

  test('ends after seven days without use, and not before', async () => {
    const { email } = await newEmployee()
    const browser = await signedIn(email)
    bellhop.clock.advance(7 * DAY_MS - 1)
    expect(await isSignedIn(browser)).toBe(true)
    bellhop.clock.advance(7 * DAY_MS)
    expect(await isSignedIn(browser)).toBe(false)
  })

  test('ends after thirty days however much it is used', async () => {
    const { email } = await newEmployee()
    const browser = await signedIn(email)
    for (let day = 0; day < 29; day++) {
      bellhop.clock.advance(DAY_MS)
      expect(await isSignedIn(browser)).toBe(true)
    }
    bellhop.clock.advance(DAY_MS)
    expect(await isSignedIn(browser)).toBe(false)
  })

  test('ends with its employee', async () => {
    const { email, id, company } = await newEmployee()
    const browser = await signedIn(email)
    expect((await company.api.delete(`/employees/${id}`)).status).toBe(204)
    expect(await isSignedIn(browser)).toBe(false)
  })

  test('of the same browser is replaced by a new sign-in, and its old cookie is invalid', async () => {
    const { email } = await newEmployee()
    const browser = await signedIn(email)
    const old = browser.cookies.get('bellhop_session')!
    await browser.post('/sign-in', { email, password: PASSWORD })
    expect(browser.cookies.get('bellhop_session')).not.toBe(old)
    browser.cookies.set('bellhop_session', old)
    expect(await isSignedIn(browser)).toBe(false)
  })

  test('is listed with its browser, and all others can be ended together', async () => {
    const { email } = await newEmployee()
    const [here, there] = [await signedIn(email), await signedIn(email)]
    const page = await here.get('/account')
    expect(page.text).toContain('Firefox on Linux (this one)')
    expect(page.text).toContain('Sign out of 1 other browser')
    await here.submit('/account', '/account/other-sessions/end')
    expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([true, false])
  })

  test.each(['', 'x', 'null', 'A'.repeat(43), '%00', 'x'.repeat(10_000)].map((value) => ({ value })))(
    'is not accepted from any other cookie',
    async ({ value }) => {
      const browser = newBrowser()
      browser.cookies.set('bellhop_session', value)
      expect(await isSignedIn(browser)).toBe(false)
    },
  )

  test('that has ended leaves no row after background work has run', async () => {
    const { email, employeeId } = await newEmployee()
    await signedIn(email)
    const count = async () => {
      const [row] = await bellhop.db
        .sql`select count(*)::int as n from sessions where employee_id = ${employeeId}`
      return row!.n
    }
    expect(await count()).toBe(1)
    bellhop.clock.advance(8 * DAY_MS)
    await bellhop.db.sql`select graphile_worker.add_job('sign_in.clean_up', '{}'::json)`
    await bellhop.drainJobs()
    expect(await count()).toBe(0)
  })
})
