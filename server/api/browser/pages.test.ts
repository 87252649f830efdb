import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { beforeAll, describe, expect, test } from 'vitest'

import { type FormBrowser, formBrowser, hiddenFields } from '../../../test/harness/browser/form-browser.ts'
import { newSignInEmployee, PASSWORD, type SignInEmployee } from '../../../test/harness/browser/sign-in.ts'
import { type Harness, harness } from '../../../test/harness/index.ts'
import { packageRoot } from '../../platform/package-root.ts'

let bellhop: Harness
let anna: SignInEmployee
let browser: FormBrowser

beforeAll(async () => {
  bellhop = await harness()
  anna = await newSignInEmployee(bellhop)
  browser = formBrowser(bellhop.url)
  await browser.post('/sign-in', { email: anna.email, password: PASSWORD })
})

const PAGES = [
  '/sign-in',
  '/sign-out',
  '/password-reset',
  '/account',
  '/account/password',
  '/account/two-factor',
  '/account/two-factor/setup',
  '/account/api-keys',
  '/account/phones',
  '/account/connected-apps',
  // Error pages count too.
  '/invitations/unknown',
  '/password-resets/unknown',
]

describe.each(PAGES)('%s', (path) => {
  test('runs no script, loads nothing from other sites, and allows no framing or caching', async () => {
    const { html, headers } = await (path === '/sign-in' ? formBrowser(bellhop.url) : browser).get(path)
    const policy = headers.get('content-security-policy')!.split('; ')
    expect(policy).toEqual([
      "default-src 'none'",
      "style-src 'self'",
      "img-src 'self' data:",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ])
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'text/html; charset=utf-8',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
    expect(html).not.toMatch(/<script|<style|\sstyle=|\son\w+=|https?:\/\//)
    for (const [, target] of html.matchAll(/(?:src|href|action)="([^"]*)"/g)) {
      expect(target).toMatch(/^\/(?!\/)|^#content$|^data:,$|^otpauth:\/\/totp\/Bellhop:/)
    }
  })

  test('has a language, one heading, and a label for each field', async () => {
    const { html } = await (path === '/sign-in' ? formBrowser(bellhop.url) : browser).get(path)
    expect(html).toMatch(/<html lang="en">/)
    expect(html.match(/<h1>/g)).toHaveLength(1)
    expect(html).toMatch(/<title>[^<]+ · Bellhop<\/title>/)
    const inputs = [...html.matchAll(/<input\s+([^>]*)>/g)].filter(([, rest]) => !/type="hidden"/.test(rest!))
    const ids = inputs.map(([, rest]) => /\bid="([^"]+)"/.exec(rest!)?.[1])
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(html).toContain(`<label for="${id}">`)
  })
})

test('the stylesheet is our own, in light and dark', async () => {
  const { status, headers, html: css } = await browser.get('/assets/pages.css')
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/css; charset=utf-8')
  expect(css).not.toMatch(/@import|url\(/)
})

describe('the language', () => {
  test.each([
    ['da-DK,da;q=0.9,en;q=0.8', 'da', 'Log ind'],
    ['en-US,en;q=0.9,da;q=0.5', 'en', 'Sign in'],
    ['fi, en;q=0.4, da;q=0.6', 'da', 'Log ind'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de', 'Anmelden'],
    ['sv, en;q=0.4, da;q=0.6', 'sv', 'Logga in'],
    ['da;q=0, fr', 'en', 'Sign in'],
    ['*', 'en', 'Sign in'],
    ['constructor;q=x,,;', 'en', 'Sign in'],
  ])('is what the browser prefers: %s', async (accepted, language, title) => {
    expect(await titleFor({ 'accept-language': accepted })).toEqual([language, title])
  })

  test("is the chosen one, rather than the browser's preference, and an invalid choice is ignored", async () => {
    const danish = { 'accept-language': 'da' }
    expect(await titleFor({ ...danish, cookie: 'bellhop_language=en' })).toEqual(['en', 'Sign in'])
    expect(await titleFor({ ...danish, cookie: 'bellhop_language=toString' })).toEqual(['da', 'Log ind'])
  })

  test('can be chosen on every page, which then reloads, on this site only', async () => {
    const reader = formBrowser(bellhop.url)
    const chosen = await reader.submit('/password-reset?x=1', '/language', { language: 'da' })
    expect([chosen.status, chosen.location]).toEqual([303, '/password-reset?x=1'])
    expect((await reader.get('/password-reset')).text).toContain('Har du glemt din adgangskode?')
    // The dashboard reads the choice too.
    expect(chosen.headers.getSetCookie()[0]).not.toContain('HttpOnly')

    const away = await reader.post('/language', { language: 'en', at: 'https://evil.example/' })
    expect(away.location).toBe('/')
    const unknown = await reader.post('/language', { language: 'x; Domain=evil.example', at: '/account' })
    expect([unknown.location, unknown.headers.getSetCookie()]).toEqual(['/account', []])
  })

  test.each(['da', 'de', 'sv'])('applies to every page, including errors: %s', async (language) => {
    const translated = { 'accept-language': language }
    for (const path of PAGES) {
      const { html, text } = await (path === '/sign-in' ? formBrowser(bellhop.url) : browser).get(
        path,
        translated,
      )
      expect(html).toContain(`<html lang="${language}">`)
      expect([path, ENGLISH.exec(text)?.[0]]).toEqual([path, undefined])
    }
    for (const path of FORMS_THAT_REFUSE) {
      const { text } = await browser.post(path, { email: 'nobody@example.com', password: 'x' }, translated)
      expect([path, ENGLISH.exec(text)?.[0]]).toEqual([path, undefined])
    }
  })
})

/** The language and the title that a browser with these headers gets. */
const titleFor = async (headers: Record<string, string>) => {
  const { html } = await formBrowser(bellhop.url).get('/sign-in', headers)
  return /<html lang="(\w+)">.*<h1>([^<]+)<\/h1>/s.exec(html)!.slice(1)
}

const htmlWith = async (cookie: string) => (await formBrowser(bellhop.url).get('/sign-in', { cookie })).html

/** Words that occur in no sentence of the other languages. */
const ENGLISH = /\b(the|you|your|with|this|not|password|sign|back|once)\b/i

const FORMS_THAT_REFUSE = [
  '/sign-in',
  '/account/password',
  '/account/phones',
  '/invitations/x',
  '/password-resets/x',
]

describe('the colours', () => {
  test('follow the system, until the employee chooses in the dashboard', async () => {
    expect(await htmlWith('bellhop_theme=dark')).toContain('<html lang="en" data-theme="dark">')
    expect(await htmlWith('bellhop_theme=light')).toContain('content="light"')
    for (const none of ['bellhop_theme=system', 'bellhop_theme="><script>']) {
      const html = await htmlWith(none)
      expect(html).toContain('<html lang="en">')
      expect(html).toContain('content="light dark"')
    }
  })

  test('are those of the dashboard', async () => {
    const { html: pages } = await browser.get('/assets/pages.css')
    const dashboard = await readFile(join(packageRoot, 'web/style.css'), 'utf8')
    const [light, dark] = [...dashboard.matchAll(/\{\s*color-scheme: \w+;[^}]*\}/g)].map(([block]) =>
      Object.fromEntries([...block.matchAll(/(--[\w-]+): (#\w+);/g)].map(([, name, value]) => [name, value])),
    )
    const colours = [...pages.matchAll(/(--[\w-]+): light-dark\((#\w+), (#\w+)\);/g)]
    expect(colours.length).toBeGreaterThan(12)
    for (const [, name, ...values] of colours) {
      expect([name, ...values]).toEqual([name, light![name!], dark![name!]])
    }
  })
})

describe('a form', () => {
  const FORMS = [
    '/sign-out',
    '/account/password',
    '/account/api-keys',
    '/account/two-factor/setup',
    '/account/two-factor/off',
    '/account/two-factor/recovery-codes',
    '/account/other-sessions/end',
    '/sign-in',
    '/language',
    '/password-reset',
    '/invitations/x',
    '/password-resets/x',
  ]
  const ELSEWHERE: [string, Record<string, string>][] = [
    ['of another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['of a sibling subdomain', { 'sec-fetch-site': 'same-site', origin: 'https://evil.bellhop.example' }],
    ['of another site that names our origin', { 'sec-fetch-site': 'cross-site' }],
    ['that no page sent', { 'sec-fetch-site': 'none' }],
    ['of another site, in an older browser', { origin: 'https://evil.example' }],
    ['of an opaque origin', { origin: 'null' }],
    ['of another port', { origin: 'http://127.0.0.1:1' }],
  ]

  test.each(ELSEWHERE)('%s is refused, with the right token too', async (_, headers) => {
    const before = await bellhop.db.sql`select * from sessions order by id`
    const page = await browser.get('/account/api-keys')
    const token = hiddenFields(page, '/account/api-keys')
    for (const path of FORMS) {
      const answer = await browser.post(path, { ...token, name: 'x', email: anna.email }, headers)
      expect({ path, status: answer.status }).toEqual({ path, status: 403 })
      expect(answer.text).toContain('This form was sent from another site.')
      expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    }
    expect(await bellhop.db.sql`select * from sessions order by id`).toEqual(before)
    expect(await bellhop.db.sql`select from api_keys where name = 'x'`).toHaveLength(0)
  })

  test('of a signed-in employee is refused without the token or with a wrong one', async () => {
    const signedIn = FORMS.filter((path) => path === '/sign-out' || path.startsWith('/account'))
    for (const path of signedIn) {
      const wrong: Record<string, string>[] = [{}, { csrf_token: '' }, { csrf_token: 'x'.repeat(43) }]
      for (const fields of wrong) {
        const answer = await browser.post(path, { ...fields, name: 'x' })
        expect({ path, status: answer.status }).toEqual({ path, status: 403 })
        expect(answer.text).toContain('This form is out of date.')
      }
    }
    expect((await browser.get('/account')).status).toBe(200)
    expect(await bellhop.db.sql`select from api_keys where name = 'x'`).toHaveLength(0)
  })

  test('of our own page is accepted, whichever of the two headers a browser sends', async () => {
    const signedOut = formBrowser(bellhop.url)
    const fields = { email: 'nobody@example.com', password: 'x' }
    const own: Record<string, string>[] = [{ 'sec-fetch-site': 'same-origin' }, { origin: bellhop.url }]
    for (const headers of own) {
      expect((await signedOut.post('/sign-in', fields, headers)).status).toBe(422)
    }
  })

  test('is accepted only form-encoded', async () => {
    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x']) {
      const response = await fetch(`${bellhop.url}/sign-in`, {
        method: 'POST',
        body: '{"email":"a@b.example"}',
        headers: { 'content-type': type },
      })
      expect(response.status).toBe(415)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    }
  })

  test('that is too large gets an error page', async () => {
    const answer = await browser.post('/sign-in', { email: 'x'.repeat(2_000_000) })
    expect(answer.status).toBe(413)
    expect(answer.text).toContain('That did not work')
  })
})

test('input of employees is shown as text', async () => {
  const name = `"><img src=x onerror=alert(1)><script>alert('x')</script>&amp;`
  await anna.company.api.patch(`/employees/${anna.id}`, { name })
  const { html, text } = await browser.get('/account')
  expect(html).not.toMatch(/<img|<script/)
  expect(text).toContain(name)
})

test('an internal error is a page without details, and is logged', async () => {
  await bellhop.db.sql`alter table sessions rename to sessions_away`
  try {
    const answer = await browser.get('/account')
    expect(answer.status).toBe(500)
    expect(answer.text).toContain('Something went wrong on our side.')
    expect(answer.html).not.toMatch(/sessions|select|\.ts\b|\.js\b/)
  } finally {
    await bellhop.db.sql`alter table sessions_away rename to sessions`
  }
  expect(bellhop.logged.join('\n')).toContain('request failed')
})

test('behind https the cookies are limited to this host and to https', async () => {
  const secure = await harness({ BELLHOP_BASE_URL: 'https://phone.example.com' })
  const bo = await newSignInEmployee(secure)
  const browser = formBrowser(secure.url)
  const fields = { email: bo.email, password: PASSWORD }
  const answer = await browser.post('/sign-in', fields, { origin: 'https://phone.example.com' })
  expect(answer.status).toBe(303)
  const lines = answer.headers.getSetCookie()
  expect(lines).toHaveLength(2)
  for (const line of lines) {
    expect(line).toMatch(
      /^__Host-bellhop_(session|browser)=[^;]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/,
    )
  }
  expect((await browser.get('/account')).status).toBe(200)
  browser.cookies.set('bellhop_session', browser.cookies.get('__Host-bellhop_session')!)
  browser.cookies.delete('__Host-bellhop_session')
  expect((await browser.get('/account')).status, 'a cookie without the prefix could be a planted one').toBe(
    303,
  )
})
