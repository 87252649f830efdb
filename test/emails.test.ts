import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { resetTwoFactor } from '../server/modules/sign-in/index.ts'
import { apiClient } from './harness/api-client.ts'
import { formBrowser } from './harness/browser/form-browser.ts'
import { newSignInEmployee, PASSWORD, type SignInEmployee } from './harness/browser/sign-in.ts'
import { type Harness, harness, type TestCompany } from './harness/index.ts'
import { LINK, type ParsedEmail, parseEmail } from './harness/texts/email.ts'

let bellhop: Harness
let anna: SignInEmployee

beforeAll(async () => {
  bellhop = await harness()
})

beforeEach(async () => {
  anna = await newSignInEmployee(bellhop)
  bellhop.clock.advance(1000)
})

const newEmail = () => `${randomUUID()}@example.com`

async function sentEmails(): Promise<ParsedEmail[]> {
  await bellhop.drainJobs()
  const dir = join(bellhop.dataDir, 'mail')
  return Promise.all(
    (await readdir(dir)).map(async (name) => parseEmail(await readFile(join(dir, name), 'utf8'))),
  )
}

test('no e-mail of any kind contains a link from a tenant, whatever is in the database', async () => {
  const { sql } = bellhop.db
  const evil = 'evil.com\r\n\r\nhttps://evil.example/ \u202e'
  const { companyId, api } = anna.company
  await sql`update companies set name = ${evil} where id = ${companyId}`
  await sql`update employees set name = ${evil} where company_id = ${companyId}`
  const invited = await api.post('/employees', { name: 'Bo', email: newEmail() })
  expect(invited.status).toBe(201)
  await sql`update employees set name = ${evil} where company_id = ${companyId}`
  await sentEmails()

  const browser = formBrowser(bellhop.url)
  await browser.post('/sign-in', { email: anna.email, password: PASSWORD })
  await browser.submit('/account/password', '/account/password', {
    current_password: PASSWORD,
    password: 'another long password',
  })
  await browser.post('/password-reset', { email: anna.email })
  await bellhop.drainJobs()
  const reset = (await sentEmails()).map(({ text }) => /\/password-resets\/\S+/.exec(text)?.[0]).find(Boolean)
  await browser.submit(reset!, reset!, { password: 'a third long password' })
  await sql`
    insert into two_factors (company_id, employee_id, secret_sealed, last_step, created_at)
    values (${companyId}, ${anna.employeeId}, '', 0, now())`
  await bellhop.db.tx((tx) => resetTwoFactor(tx, anna.employeeId, bellhop.clock.now()))
  await api.patch(`/employees/${anna.id}`, { email: newEmail() })

  const messages = await sentEmails()
  expect(new Set(messages.map((message) => message.header('subject'))).size).toBe(6)
  for (const message of messages) {
    const written = `${message.header('subject')}\n${message.text}`.replaceAll(
      /http:\/\/127\.0\.0\.1:\S+/g,
      '',
    )
    const times = /\d\d:\d\d UTC/g
    expect(written.replaceAll(times, '').match(LINK)).toBeNull()
    expect(message.headers.map(({ name }) => name)).not.toContain('bcc')
  }
})

const sentTo = async (...addresses: string[]) =>
  (await sentEmails()).filter((message) => addresses.includes(message.header('to')!))

/** What somebody whose account changes in every way gets, in order. */
async function subjectsOfEveryKind({ email, employeeId, id, company }: SignInEmployee): Promise<string[]> {
  const { api, companyId } = company
  const browser = formBrowser(bellhop.url)
  const elsewhere = newEmail()
  await browser.post('/sign-in', { email, password: PASSWORD })
  await browser.submit('/account/password', '/account/password', {
    current_password: PASSWORD,
    password: 'another long password',
  })
  await browser.post('/password-reset', { email })
  const reset = (await sentTo(email))
    .map(({ text }) => /\/password-resets\/\S+/.exec(text)?.[0])
    .find(Boolean)
  await browser.submit(reset!, reset!, { password: 'a third long password' })
  await bellhop.db.sql`
    insert into two_factors (company_id, employee_id, secret_sealed, last_step, created_at)
    values (${companyId}, ${employeeId}, '', 0, now())`
  await bellhop.db.tx((tx) => resetTwoFactor(tx, employeeId, bellhop.clock.now()))
  const colleague = newEmail()
  await api.post('/employees', { name: 'Bo', email: colleague })
  await api.patch(`/employees/${id}`, { email: elsewhere })
  const all = await sentTo(email, elsewhere, colleague)
  return [...new Set(all.map((message) => message.header('subject')!))].toSorted((a, b) => a.localeCompare(b))
}

describe('e-mails are in the language of the employee', () => {
  test.each([
    [
      'en',
      [
        'Choose a new password for Bellhop',
        'Confirm your new e-mail address for Bellhop',
        'Two-factor sign-in was switched off',
        'Your e-mail address for Bellhop was changed',
        'Your password for Bellhop was changed',
        'Your phone at Test company',
      ],
    ],
    [
      'de',
      [
        'Bestätige deine neue E-Mail-Adresse für Bellhop',
        'Dein Passwort für Bellhop wurde geändert',
        'Dein Telefon bei Test company',
        'Deine E-Mail-Adresse für Bellhop wurde geändert',
        'Die Zwei-Faktor-Anmeldung wurde ausgeschaltet',
        'Neues Passwort für Bellhop',
      ],
    ],
    [
      'sv',
      [
        'Bekräfta din nya e-postadress för Bellhop',
        'Din e-postadress för Bellhop har ändrats',
        'Din telefon hos Test company',
        'Ditt lösenord för Bellhop har ändrats',
        'Tvåstegsinloggningen har stängts av',
        'Välj ett nytt lösenord för Bellhop',
      ],
    ],
  ])('%s, whatever the country, and those whom they invite get the same', async (language, subjects) => {
    const { api } = await bellhop.keyFor(anna.employeeId)
    expect((await api.get('/session')).body).toMatchObject({ language: null })
    expect((await api.patch('/session', { language })).body).toMatchObject({ language })
    const own = { ...anna, company: { ...anna.company, api } }
    expect(await subjectsOfEveryKind(own)).toEqual(subjects)
  })

  test('the language of the company’s country, until theirs is known', async () => {
    expect((await anna.company.api.patch('/session', { language: 'xx' })).status).toBe(422)
    const subjects = await subjectsOfEveryKind(anna)
    expect(subjects).toHaveLength(6)
    expect(subjects).toContain('Din adgangskode til Bellhop er ændret')
    expect(subjects).toContain('Din telefon hos Test company')
    const german = await bellhop.newCompany({ country: 'AT' })
    const email = newEmail()
    await german.api.post('/employees', { name: 'Max', email })
    const [invitation] = await sentTo(email)
    expect(invitation!.header('subject')).toBe('Dein Telefon bei Test company')
  })
})

test('a browser in which no language was chosen takes on that of whoever signs in', async () => {
  const { api } = await bellhop.keyFor(anna.employeeId)
  await api.patch('/session', { language: 'sv' })
  const fresh = formBrowser(bellhop.url)
  await fresh.post('/sign-in', { email: anna.email, password: PASSWORD })
  expect(fresh.cookies.get('bellhop_language')).toBe('sv')
  expect((await fresh.get('/account', { 'accept-language': 'da' })).text).toContain('Ditt konto')
  const chosen = formBrowser(bellhop.url)
  chosen.cookies.set('bellhop_language', 'de')
  await chosen.post('/sign-in', { email: anna.email, password: PASSWORD })
  expect(chosen.cookies.get('bellhop_language')).toBe('de')
})

const invite = (email = newEmail(), of = anna) => of.company.api.post('/employees', { name: 'New', email })
const employees = async () => (await anna.company.api.get('/employees')).body.employees.length
const change = async (email: string) =>
  (await anna.company.api.patch(`/employees/${anna.id}`, { email })).status
const inviteFrom = async ({ api }: TestCompany, address: string) => {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': address }
  const body = JSON.stringify({ name: 'New', email: newEmail() })
  return (await api.request('/employees', { method: 'POST', headers, body })).status
}

describe('e-mails are rate-limited', () => {
  test('for each company: sixty concurrent invitations do not cause sixty e-mails', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => invite()))
    const refused = answers.filter(({ status }) => status === 429)
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(30)
    expect(refused).toHaveLength(30)
    expect(refused[0]!.headers.get('retry-after')).toBe('120')
    expect(refused[0]!.body).toEqual({
      error: 'rate_limited',
      message: 'Too many e-mails were requested. Try again in 2 minutes.',
    })
    expect(await employees()).toBe(32)
    bellhop.clock.advance(119_000)
    expect((await invite()).status).toBe(429)
    bellhop.clock.advance(1_000)
    expect([(await invite()).status, (await invite()).status]).toEqual([201, 429])
  })

  test('for each company: two hundred employees can be invited within a day', async () => {
    let invited = 0
    for (let hour = 0; hour < 8; hour++) {
      while ((await invite()).status === 201) invited++
      bellhop.clock.advance(60 * 60_000)
    }
    expect(invited).toBeGreaterThanOrEqual(200)
  })

  test('for each recipient: repeated invitations do not fill a mailbox, whichever company sends them', async () => {
    const email = newEmail()
    for (let i = 0; i < 5; i++) {
      const bo = await newSignInEmployee(bellhop)
      const { status, body } = await invite(i % 2 ? email : email.toUpperCase(), bo)
      expect(status).toBe(201)
      await bo.company.api.delete(`/employees/${body.id}`)
    }
    const refused = await invite(email)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '7200'])
  })

  test('for each recipient: nor do addresses that are changed back and forth', async () => {
    const victim = newEmail()
    const answers: number[] = []
    for (let i = 0; i < 6; i++) answers.push(await change(victim), await change(anna.email))
    expect(answers.filter((status) => status === 429)).toHaveLength(1)
    expect(answers.lastIndexOf(429)).toBe(10)
  })

  test('for each company: corrections of the address of an invited employee count too', async () => {
    const { body } = await invite()
    const statuses: number[] = []
    for (let i = 0; i < 31; i++) {
      await bellhop.drainJobs()
      statuses.push((await anna.company.api.patch(`/employees/${body.id}`, { email: newEmail() })).status)
    }
    expect(statuses.slice(0, 29).every((status) => status === 200)).toBe(true)
    expect(statuses.slice(29)).toEqual([429, 429])
  })

  test('for each network: several companies on one network share one limit', async () => {
    for (let i = 0; i < 8; i++) {
      const company = await bellhop.newCompany()
      const sent = Array.from({ length: 25 }, (_, n) => inviteFrom(company, `2001:db8:7::${n}`))
      expect(new Set(await Promise.all(sent))).toEqual(new Set([201]))
    }
    const company = await bellhop.newCompany()
    expect(await inviteFrom(company, '2001:db8:7::ffff')).toBe(429)
    expect(await inviteFrom(company, '2001:db8:8::1')).toBe(201)
  })

  test('across all processes together', async () => {
    const other = await bellhop.startAnotherApi()
    const { key } = anna.company
    const apis = [anna.company.api, apiClient(other, key)]
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        apis[i % 2]!.post('/employees', { name: 'New', email: newEmail() }),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(30)
  })
})
