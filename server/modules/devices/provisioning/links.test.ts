import { beforeAll, expect, test } from 'vitest'

import { formBrowser } from '../../../../test/harness/browser/form-browser.ts'
import { newSignInEmployee, PASSWORD } from '../../../../test/harness/browser/sign-in.ts'
import { type Harness, harness } from '../../../../test/harness/index.ts'

const PATH = '/account/phones'
const HOUR_MS = 3_600_000

let bellhop: Harness
beforeAll(async () => {
  bellhop = await harness({ SIP_DOMAIN: 'phone.example.com' })
})

async function newPhone() {
  const { email } = await newSignInEmployee(bellhop)
  const browser = formBrowser(bellhop.url)
  await browser.post('/sign-in', { email, password: PASSWORD })
  const { html } = await browser.submit(PATH, PATH, { name: 'Desk' })
  const shown = (id: string) => new RegExp(`id="${id}"[^>]*>([^<]+)<`).exec(html)![1]!
  const link = (format: string) => shown(`phone-link-${format}`)
  return { browser, html, link, username: shown('phone-username'), password: shown('phone-password') }
}

test('a phone fetches its settings once, whoever made it', async () => {
  const { link, username, password, html } = await newPhone()
  expect(html).toContain('class="qr"')
  expect((await fetch(`${link('yealink')}/y000000000065.cfg`)).status).toBe(404)
  const got = await fetch(`${link('yealink')}/001565aabbcc.cfg`)
  expect(got.status).toBe(200)
  expect(got.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(got.headers.get('cache-control')).toBe('no-store')
  const text = await got.text()
  expect(text).toContain(`account.1.user_name = ${username}\n`)
  expect(text).toContain(`account.1.password = ${password}\n`)
  expect(text).toContain('account.1.sip_server.1.address = phone.example.com\n')
  for (const format of ['yealink', 'snom', 'grandstream', 'fanvil', 'linphone'])
    expect((await fetch(link(format))).status).toBe(404)
})

test('of phones that ask for the same link at once, one gets the settings', async () => {
  const { link } = await newPhone()
  const answers = await Promise.all(Array.from({ length: 8 }, () => fetch(link('snom'))))
  const count = (status: number) => answers.filter((answer) => answer.status === status).length
  expect([count(200), count(404)]).toEqual([1, 7])
})

test('a link ends after a day, and with its phone', async () => {
  const late = await newPhone()
  bellhop.clock.advance(24 * HOUR_MS)
  expect((await fetch(late.link('linphone'))).status).toBe(404)
  const removed = await newPhone()
  const action = /action="([^"]+\/remove)"/.exec((await removed.browser.get(PATH)).html)![1]!
  await removed.browser.submit(PATH, action, {})
  expect((await fetch(removed.link('linphone'))).status).toBe(404)
})

test('the secret of a link is stored as a hash only', async () => {
  const { link } = await newPhone()
  const token = link('snom').split('/').at(-2)!
  const rows = await bellhop.db.sql`select * from provisioning_links`
  expect(JSON.stringify(rows)).not.toContain(token)
  expect(rows.length).toBeGreaterThan(0)
})

test('passwords have twenty characters, and none that look alike', async () => {
  const passwords = [await newPhone(), await newPhone()].map(({ password }) => password)
  expect(new Set(passwords).size).toBe(2)
  for (const password of passwords) expect(password).toMatch(/^[a-hjkmnp-zA-HJ-NP-Z2-9]{20}$/)
})
