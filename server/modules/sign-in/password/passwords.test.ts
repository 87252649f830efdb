import { randomUUID } from 'node:crypto'

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

const NEW_PASSWORD = 'another long password'
const DAY_MS = 24 * 60 * 60 * 1000
const HOUR_MS = 60 * 60 * 1000

let bellhop: Harness
let anna: SignInEmployee

beforeAll(async () => {
  bellhop = await harness()
})

beforeEach(async () => {
  anna = await newSignInEmployee(bellhop)
  // E-mails are distinguished by their time.
  bellhop.clock.advance(1000)
})

let places = 0
const newBrowser = () => formBrowser(bellhop.url, { address: `2001:db8:${(++places).toString(16)}::1` })

const signIn = async (browser: FormBrowser, email: string, password = PASSWORD) =>
  (await browser.post('/sign-in', { email, password })).status

const isSignedIn = async (browser: FormBrowser) => (await browser.get('/account')).status === 200

const setPassword = (browser: FormBrowser, path: string, password = NEW_PASSWORD) =>
  browser.submit(path, path, { password })

async function invite() {
  const email = `${randomUUID()}@example.com`
  const { body } = await anna.company.api.post('/employees', { name: 'Bo <Lund>', email })
  const { pathname } = new URL(await linkTo(bellhop, email))
  return { email, id: body.id as string, path: pathname }
}

const isPending = async (id: string) =>
  (await anna.company.api.get(`/employees/${id}`)).body.invitation_pending as boolean

async function askForReset(email: string, browser = newBrowser()) {
  bellhop.clock.advance(1000)
  const answer = await browser.submit('/password-reset', '/password-reset', { email })
  expect(answer.status).toBe(200)
  return answer
}

async function resetPath(email = anna.email) {
  await askForReset(email)
  return new URL(await linkTo(bellhop, email)).pathname
}

describe('an invitation', () => {
  test('sets the password, ends invitation_pending, and signs in', async () => {
    const { email, id, path } = await invite()
    const browser = newBrowser()
    const page = await browser.get(path)
    expect(page.text).toContain('Hello Bo <Lund>, Test company uses Bellhop')
    expect(await isPending(id)).toBe(true)
    const answer = await setPassword(browser, path)
    expect([answer.status, answer.location]).toEqual([303, '/'])
    expect(await isSignedIn(browser)).toBe(true)
    expect(await isPending(id)).toBe(false)
    expect(await signIn(newBrowser(), email, NEW_PASSWORD)).toBe(303)
    const [row] = await bellhop.db.sql`select password_hash from employees where email = ${email}`
    expect(row!.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  test('works once', async () => {
    const { email, path } = await invite()
    await setPassword(newBrowser(), path)
    const browser = newBrowser()
    const again = await browser.get(path)
    expect(again.status).toBe(404)
    expect(again.text).toContain('This link no longer works')
    expect((await browser.post(path, { password: 'the password of a thief' })).status).toBe(404)
    expect(await signIn(newBrowser(), email, 'the password of a thief')).toBe(422)
  })

  test('works once even if it is used eight times concurrently', async () => {
    const { email, path } = await invite()
    const passwords = Array.from({ length: 8 }, (_, index) => `${NEW_PASSWORD} ${index}`)
    const answers = await Promise.all(passwords.map((password) => newBrowser().post(path, { password })))
    const winners = passwords.filter((_, index) => answers[index]!.status === 303)
    expect(winners).toHaveLength(1)
    expect(await signIn(newBrowser(), email, winners[0])).toBe(303)
  })

  test('works for fourteen days', async () => {
    const { path } = await invite()
    bellhop.clock.advance(14 * DAY_MS - 1)
    expect((await newBrowser().get(path)).status).toBe(200)
    bellhop.clock.advance(1)
    expect((await newBrowser().get(path)).status).toBe(404)
    expect((await newBrowser().post(path, { password: NEW_PASSWORD })).status).toBe(404)
  })

  test('is not used up by opening it, nor by a password that is too short', async () => {
    const { id, path } = await invite()
    for (let i = 0; i < 3; i++) await newBrowser().get(path)
    const browser = newBrowser()
    const refused = await setPassword(browser, path, 'short')
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('The password must have at least 12 characters.')
    expect((await setPassword(browser, path, 'x'.repeat(257))).text).toContain('at most 256 characters')
    expect(await isPending(id)).toBe(true)
    expect((await setPassword(browser, path)).status).toBe(303)
  })

  test('that was sent to a wrong address is invalid once that is corrected, and a new one is sent', async () => {
    const { id, path } = await invite()
    const corrected = `${randomUUID()}@example.com`
    await anna.company.api.patch(`/employees/${id}`, { email: corrected })
    expect((await newBrowser().get(path)).status).toBe(404)
    const { pathname } = new URL(await linkTo(bellhop, corrected))
    expect((await setPassword(newBrowser(), pathname)).status).toBe(303)
  })

  test('stays valid if something else about the employee changes', async () => {
    const { id, email, path } = await invite()
    await anna.company.api.patch(`/employees/${id}`, { name: 'Bo', email: email.toUpperCase() })
    expect((await newBrowser().get(path)).status).toBe(200)
  })

  test('is deleted with its employee', async () => {
    const { id, path } = await invite()
    await anna.company.api.delete(`/employees/${id}`)
    expect((await newBrowser().get(path)).status).toBe(404)
  })

  test.each(['x', 'A'.repeat(43), '%00', '..%2f', "'--"])('is not %s', async (token) => {
    expect((await newBrowser().get(`/invitations/${token}`)).status).toBe(404)
    expect((await newBrowser().post(`/invitations/${token}`, { password: NEW_PASSWORD })).status).toBe(404)
  })
})

describe('a forgotten password', () => {
  test('is replaced by the link in an e-mail, and the employee then signs in', async () => {
    const path = await resetPath()
    const browser = newBrowser()
    const answer = await setPassword(browser, path)
    expect(answer.location).toBe('/sign-in?notice=password-set')
    expect(await isSignedIn(browser)).toBe(false)
    expect(await signIn(browser, anna.email)).toBe(422)
    expect(await signIn(browser, anna.email, NEW_PASSWORD)).toBe(303)
    expect((await newBrowser().get(path)).status).toBe(404)
    bellhop.clock.advance(1000)
    expect((await emailsTo(bellhop, anna.email)).at(-1)).toContain(
      'Der er valgt en ny adgangskode til din telefon',
    )
  })

  test('ends all sessions', async () => {
    const [here, there] = [newBrowser(), newBrowser()]
    await signIn(here, anna.email)
    await signIn(there, anna.email)
    await setPassword(newBrowser(), await resetPath())
    expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([false, false])
  })

  test('gets the same response whether or not the address is known', async () => {
    const typed = [anna.email, `${randomUUID()}@example.com`, 'no address']
    const answers = []
    for (const email of typed) answers.push(await askForReset(email))
    const seen = answers.map(({ html }, index) => html.replaceAll(typed[index]!, 'EMAIL'))
    expect(new Set(seen).size).toBe(1)
    expect(await emailsTo(bellhop, typed[1]!)).toEqual([])
  })

  test('causes the same work in the request whether or not the address is known: one job, no query', async () => {
    const unknownAddress = `${randomUUID()}@example.com`
    await askForReset(anna.email)
    await askForReset(unknownAddress)
    const jobs = await bellhop.db.sql<{ email: string }[]>`
      select payload->>'email' as email from graphile_worker._private_jobs`
    expect(jobs.map(({ email }) => email)).toEqual(expect.arrayContaining([anna.email, unknownAddress]))
    const links = () => bellhop.db.sql`select from password_resets where employee_id = ${anna.employeeId}`
    expect(await links()).toHaveLength(0)
    await bellhop.drainJobs()
    expect(await links()).toHaveLength(1)
  })

  test('works for one hour and with the last link only', async () => {
    const first = await resetPath()
    const second = await resetPath()
    expect(second).not.toBe(first)
    expect((await newBrowser().get(first)).status).toBe(404)
    bellhop.clock.advance(HOUR_MS - 1)
    expect((await newBrowser().get(second)).status).toBe(200)
    bellhop.clock.advance(1)
    expect((await newBrowser().post(second, { password: NEW_PASSWORD })).status).toBe(404)
    expect(await signIn(newBrowser(), anna.email)).toBe(303)
  })

  test('has a link that becomes invalid when the address changes', async () => {
    const path = await resetPath()
    await anna.company.api.patch(`/employees/${anna.id}`, { email: `${randomUUID()}@example.com` })
    expect((await newBrowser().get(path)).status).toBe(404)
  })

  test('sends the invitation again to an employee who never had a password', async () => {
    const { email } = await invite()
    await askForReset(email)
    await bellhop.drainJobs()
    const messages = await emailsTo(bellhop, email)
    expect(messages).toHaveLength(2)
    expect(messages.every((text) => text.includes('/invitations/'))).toBe(true)
  })

  test('has a link that is stored as a hash and never logged', async () => {
    const token = (await resetPath()).split('/').at(-1)!
    const rows = await bellhop.db.sql<{ row: string }[]>`
      select encode(token_hash, 'escape') as row from password_resets`
    expect(rows.map(({ row }) => row).join()).not.toContain(token)
    expect(bellhop.logged.join('\n')).not.toContain(token)
  })

  test('does not flood anybody with e-mails: after three for one address there is a wait', async () => {
    for (let i = 0; i < 3; i++) await askForReset(anna.email)
    await newBrowser().post('/password-reset', { email: anna.email })
    const answer = await newBrowser().post('/password-reset', { email: anna.email.toUpperCase() })
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('is rate-limited for a client that names many addresses', async () => {
    const browser = newBrowser()
    const ask = () => browser.post('/password-reset', { email: `${randomUUID()}@example.com` })
    for (let i = 0; i < 10; i++) expect((await ask()).status).toBe(200)
    expect((await ask()).status).toBe(429)
  })
})

const change = (browser: FormBrowser, current: string, password: string) =>
  browser.submit('/account/password', '/account/password', { current_password: current, password })

describe('changing the password', () => {
  test('requires the current one, ends all other sessions, and keeps this browser signed in', async () => {
    const [here, there] = [newBrowser(), newBrowser()]
    await signIn(here, anna.email)
    await signIn(there, anna.email)
    const before = here.cookies.get('bellhop_session')
    expect((await change(here, PASSWORD, NEW_PASSWORD)).location).toBe('/account?notice=password-changed')
    expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([true, false])
    expect(here.cookies.get('bellhop_session')).not.toBe(before)
    expect(await signIn(newBrowser(), anna.email)).toBe(422)
    expect(await signIn(newBrowser(), anna.email, NEW_PASSWORD)).toBe(303)
  })

  test('is reported to the employee by e-mail, and only if it succeeded', async () => {
    const browser = newBrowser()
    await signIn(browser, anna.email)
    await change(browser, 'wrong', NEW_PASSWORD)
    expect(await emailsTo(bellhop, anna.email)).toEqual([])
    const at = bellhop.clock.now().toISOString()
    await change(browser, PASSWORD, NEW_PASSWORD)
    const messages = await emailsTo(bellhop, anna.email)
    expect(messages).toHaveLength(1)
    expect(messages[0]).toContain('Adgangskoden til din telefon er ændret')
    expect(messages[0]).toContain(`${at.slice(0, 10)} kl. ${at.slice(11, 16)} UTC`)
    expect(messages[0]).toContain(`${bellhop.url}/password-reset\n`)
  })

  test('is refused with a wrong current one, and rate-limited after five', async () => {
    const browser = newBrowser()
    await signIn(browser, anna.email)
    for (let i = 0; i < 5; i++) expect((await change(browser, 'wrong', NEW_PASSWORD)).status).toBe(422)
    const slow = await change(browser, PASSWORD, NEW_PASSWORD)
    expect([slow.status, slow.headers.get('retry-after')]).toEqual([429, '1'])
    expect(await signIn(newBrowser(), anna.email)).toBe(303)
  })

  test('is refused with a short new one', async () => {
    const browser = newBrowser()
    await signIn(browser, anna.email)
    expect((await change(browser, PASSWORD, 'short')).text).toContain('at least 12 characters')
    expect(await signIn(newBrowser(), anna.email)).toBe(303)
  })

  test('invalidates an open reset link', async () => {
    const path = await resetPath()
    const browser = newBrowser()
    await signIn(browser, anna.email)
    await change(browser, PASSWORD, NEW_PASSWORD)
    expect((await newBrowser().get(path)).status).toBe(404)
  })
})

test('a form that was loaded in one session is refused in another', async () => {
  const bo = await newSignInEmployee(bellhop)
  const [annas, bos] = [newBrowser(), newBrowser()]
  await signIn(annas, anna.email)
  await signIn(bos, bo.email)
  const fields = hiddenFields(await bos.get('/account/password'), '/account/password')
  const answer = await annas.post('/account/password', {
    ...fields,
    current_password: PASSWORD,
    password: NEW_PASSWORD,
  })
  expect(answer.status).toBe(403)
  expect(await signIn(newBrowser(), anna.email)).toBe(303)
})
