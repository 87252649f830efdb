import { randomUUID } from 'node:crypto'

import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { type FormBrowser, formBrowser } from '../../../../test/harness/browser/form-browser.ts'
import {
  emailsTo,
  linkTo,
  newSignInEmployee,
  PASSWORD,
  type SignInEmployee,
} from '../../../../test/harness/browser/sign-in.ts'
import { type Harness, harness } from '../../../../test/harness/index.ts'

const DAY_MS = 24 * 60 * 60 * 1000

let bellhop: Harness
let anna: SignInEmployee
let places = 0

beforeAll(async () => {
  bellhop = await harness()
})

beforeEach(async () => {
  anna = await newSignInEmployee(bellhop)
  // E-mails are distinguished by their time.
  bellhop.clock.advance(1000)
})

const newEmail = () => `${randomUUID()}@example.com`
const newBrowser = () => formBrowser(bellhop.url, { address: `2001:db8:${(++places).toString(16)}::1` })
const readAnna = async () => (await anna.company.api.get(`/employees/${anna.id}`)).body

const signsIn = async (email: string) =>
  (await newBrowser().post('/sign-in', { email, password: PASSWORD })).status === 303

async function change(email = newEmail(), of = anna) {
  const { status, body } = await of.company.api.patch(`/employees/${of.id}`, { email })
  expect({ status, body }).toMatchObject({ status: 200, body: { email } })
  return email
}

/** The password reset e-mails to this address. */
async function resetLettersTo(email: string): Promise<string[]> {
  bellhop.clock.advance(1000)
  expect((await newBrowser().post('/password-reset', { email })).status).toBe(200)
  return (await emailsTo(bellhop, email)).filter((text) => text.includes('/password-resets/'))
}

const pathIn = async (email: string) => new URL(await linkTo(bellhop, email)).pathname

const confirm = (path: string, password = PASSWORD, browser: FormBrowser = newBrowser()) =>
  browser.submit(path, path, { password })

describe('a changed address of an employee who has a password', () => {
  test('gives no access, by sign-in or by reset, until it is confirmed', async () => {
    const thief = await change()
    expect(await resetLettersTo(thief)).toEqual([])
    expect(await signsIn(thief)).toBe(false)
    expect(await signsIn(anna.email)).toBe(true)
    expect(await resetLettersTo(anna.email)).toHaveLength(1)
    expect(await readAnna()).toMatchObject({ email: thief, email_confirmation_pending: true })
  })

  test('is reported to the old address: what, when, by whom, and how to undo it', async () => {
    const at = bellhop.clock.now().toISOString()
    const email = await change()
    const [message, ...more] = await emailsTo(bellhop, anna.email)
    expect(more).toEqual([])
    // The company is Danish.
    expect(message).toContain('Hej Åse Ørsted')
    expect(message).toContain(`er ændret til\n${email.replace('@', '@ ').replace('.', '. ')}\n`)
    expect(message).toContain(`${at.slice(0, 10)} ${at.slice(11, 16)} UTC`)
    expect(message).toContain('gjort af Owner eller et program')
    expect(message).toMatch(new RegExp(`${bellhop.url}/email-cancellations/[A-Za-z0-9_-]{43}\n`))
  })

  test.each([
    ['DE', 'von Owner oder einem Programm', 'Bestätige sie mit deinem Passwort'],
    ['AT', 'von Owner oder einem Programm', 'Bestätige sie mit deinem Passwort'],
    ['CH', 'von Owner oder einem Programm', 'Bestätige sie mit deinem Passwort'],
    ['SE', 'av Owner eller ett program', 'Bekräfta den med ditt lösenord'],
    // Finnish is not supported.
    ['FI', 'by Owner, or a program that acts for them', 'Confirm it with your password'],
  ])('is reported in the language of the country, or in English: %s', async (country, by, confirm) => {
    const company = await bellhop.newCompany({ country })
    const elin = await newSignInEmployee(bellhop, company)
    const email = await change(newEmail(), elin)
    expect((await emailsTo(bellhop, elin.email))[0]).toContain(by)
    expect((await emailsTo(bellhop, email))[0]).toContain(confirm)
  })

  test('takes effect when it is confirmed with the password, and replaces the old one', async () => {
    const email = await change()
    const path = await pathIn(email)
    for (let i = 0; i < 3; i++) expect((await newBrowser().get(path)).text).toContain(email)
    expect(await signsIn(email)).toBe(false)
    const wrong = await confirm(path, 'the password of a thief')
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('This is not your password.')])
    expect(await signsIn(email)).toBe(false)

    const right = await confirm(path)
    expect([right.status, right.location]).toEqual([303, '/sign-in?notice=email-confirmed'])
    expect(await readAnna()).toMatchObject({ email, email_confirmation_pending: false })
    expect([await signsIn(email), await signsIn(anna.email)]).toEqual([true, false])
    expect(await resetLettersTo(anna.email)).toEqual([])
    expect(await resetLettersTo(email)).toHaveLength(1)
    expect((await newBrowser().get(path)).status).toBe(404)
    expect((await newBrowser().post(path, { password: PASSWORD })).status).toBe(404)
  })

  test('is confirmed once even if the link is used four times concurrently', async () => {
    const path = await pathIn(await change())
    const tries = Array.from({ length: 4 }, () => newBrowser().post(path, { password: PASSWORD }))
    const answers = (await Promise.all(tries)).map(({ status }) => status)
    expect(answers.filter((status) => status === 303)).toHaveLength(1)
  })

  test('is rate-limited: after five wrong passwords there is a wait', async () => {
    const path = await pathIn(await change())
    for (let i = 0; i < 5; i++) expect((await confirm(path, 'wrong')).status).toBe(422)
    const slow = await confirm(path)
    expect([slow.status, slow.headers.get('retry-after')]).toEqual([429, '1'])
  })

  test('can be confirmed for seven days; the signed-in employee can have the e-mail sent again', async () => {
    const email = await change()
    const path = await pathIn(email)
    bellhop.clock.advance(7 * DAY_MS - 1)
    expect((await newBrowser().get(path)).status).toBe(200)
    bellhop.clock.advance(1)
    expect((await newBrowser().get(path)).status).toBe(404)
    expect((await newBrowser().post(path, { password: PASSWORD })).status).toBe(404)

    const browser = newBrowser()
    await browser.post('/sign-in', { email: anna.email, password: PASSWORD })
    const account = await browser.get('/account')
    expect(account.text).toContain(`New address, not confirmed yet ${email}`)
    await browser.submit('/account', '/account/email-confirmation/send')
    const again = await pathIn(email)
    expect(again).not.toBe(path)
    expect((await confirm(again)).status).toBe(303)
  })

  test('is undone from the e-mail to the old address, but not by opening the link alone', async () => {
    const email = await change()
    const toConfirm = await pathIn(email)
    const toCancel = await pathIn(anna.email)
    expect((await newBrowser().get(toCancel)).text).toContain(email)
    expect((await readAnna()).email).toBe(email)
    const taken = await newBrowser().submit(toCancel, toCancel)
    expect([taken.status, taken.text]).toEqual([200, expect.stringContaining('The change is undone')])
    expect(await readAnna()).toMatchObject({ email: anna.email, email_confirmation_pending: false })
    expect((await newBrowser().get(toConfirm)).status).toBe(404)
    expect((await newBrowser().post(toConfirm, { password: PASSWORD })).status).toBe(404)
    expect((await newBrowser().post(toCancel, {})).status).toBe(404)
  })

  test('that is confirmed cannot be undone by the e-mail', async () => {
    const email = await change()
    const toCancel = await pathIn(anna.email)
    await confirm(await pathIn(email))
    expect((await newBrowser().get(toCancel)).status).toBe(404)
    expect((await newBrowser().post(toCancel, {})).status).toBe(404)
    expect(await readAnna()).toMatchObject({ email, email_confirmation_pending: false })
  })

  test('is replaced by the next one, and cancelled by setting the old one again', async () => {
    const [first, second] = [await change(), newEmail()]
    const links = [await pathIn(first), await pathIn(anna.email)]
    bellhop.clock.advance(1000)
    await change(second)
    for (const path of links) expect((await newBrowser().get(path)).status).toBe(404)
    const later = [await pathIn(second), await pathIn(anna.email)]
    for (const path of later) expect((await newBrowser().get(path)).status).toBe(200)
    expect(await emailsTo(bellhop, anna.email)).toHaveLength(2)

    await change(anna.email)
    expect((await readAnna()).email_confirmation_pending).toBe(false)
    for (const path of later) expect((await newBrowser().get(path)).status).toBe(404)
    expect(await signsIn(anna.email)).toBe(true)
  })

  test('that is set again sends no second e-mail', async () => {
    const email = await change()
    await change(email)
    await change(email.toUpperCase())
    expect(await emailsTo(bellhop, email)).toHaveLength(1)
    expect(await emailsTo(bellhop, anna.email)).toHaveLength(1)
  })

  test('takes effect at once if only its letter case differs', async () => {
    const email = await change(anna.email.toUpperCase())
    expect(await readAnna()).toMatchObject({ email, email_confirmation_pending: false })
    expect(await emailsTo(bellhop, anna.email)).toEqual([])
    expect(await signsIn(anna.email)).toBe(true)
  })

  test('stores its links as hashes, and not in queues or logs', async () => {
    const email = await change()
    const tokens = [await pathIn(email), await pathIn(anna.email)].map((path) => path.split('/').at(-1)!)
    const rows = await bellhop.db.sql<{ row: string }[]>`
      select encode(confirm_hash, 'escape') || encode(cancel_hash, 'escape') as row from email_changes`
    for (const token of tokens) {
      expect(rows.map(({ row }) => row).join()).not.toContain(token)
      expect(bellhop.logged.join('\n')).not.toContain(token)
    }
  })

  test('is shown to the employee by /session and by the account pages', async () => {
    const browser = newBrowser()
    await browser.post('/sign-in', { email: anna.email, password: PASSWORD })
    const email = await change()
    const { html } = await browser.get('/api/v1/session')
    expect(JSON.parse(html).employee.email).toBe(email)
    expect((await browser.get('/account')).text).toContain(`You sign in as ${anna.email}`)
  })
})

describe('an address of one employee', () => {
  test('is unique, whether in use or pending, across all companies', async () => {
    const bo = await newSignInEmployee(bellhop)
    const waiting = await change()
    const taken = { status: 422, body: { errors: { email: ['is already used by another employee'] } } }
    for (const email of [anna.email, anna.email.toUpperCase(), waiting, waiting.toUpperCase()]) {
      expect(await bo.company.api.patch(`/employees/${bo.id}`, { email })).toMatchObject(taken)
      expect(await bo.company.api.post('/employees', { name: 'Copy', email })).toMatchObject(taken)
    }
    await confirm(await pathIn(waiting))
    expect((await bo.company.api.patch(`/employees/${bo.id}`, { email: anna.email })).status).toBe(200)
  })

  test('goes to one of several concurrent requests', async () => {
    const others = await Promise.all(Array.from({ length: 4 }, () => newSignInEmployee(bellhop)))
    const email = newEmail()
    const asked = others.flatMap(({ id, company: { api } }) => [
      api.patch(`/employees/${id}`, { email }),
      api.post('/employees', { name: 'New', email }),
    ])
    const answers = (await Promise.all(asked)).map(({ status }) => status)
    expect(answers.filter((status) => status < 300)).toHaveLength(1)
    expect(answers.filter((status) => status === 422)).toHaveLength(answers.length - 1)
  })

  test('stays unique beside a process of the previous version, which knows no pending address', async () => {
    const { sql } = bellhop.db
    const waiting = await change()
    await expect(
      sql`insert into employees (company_id, name, email) values (${anna.company.companyId}, 'New', ${waiting})`,
    ).rejects.toMatchObject({ code: '23505', constraint: 'employees_email' })
    const email = newEmail()
    await sql`update employees set email = ${email} where id = ${anna.employeeId}`
    expect(await readAnna()).toMatchObject({ email, email_confirmation_pending: false })
    expect((await anna.company.api.post('/employees', { name: 'New', email: waiting })).status).toBe(201)
  })
})
