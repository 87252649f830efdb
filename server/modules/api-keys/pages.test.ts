import { beforeAll, beforeEach, expect, test } from 'vitest'

import { apiClient } from '../../../test/harness/api-client.ts'
import { type FormBrowser, formBrowser, hiddenFields } from '../../../test/harness/browser/form-browser.ts'
import { newSignInEmployee, PASSWORD, type SignInEmployee } from '../../../test/harness/browser/sign-in.ts'
import { type Harness, harness } from '../../../test/harness/index.ts'

const PATH = '/account/api-keys'

let bellhop: Harness
let anna: SignInEmployee
let browser: FormBrowser

beforeAll(async () => {
  bellhop = await harness()
})

beforeEach(async () => {
  anna = await newSignInEmployee(bellhop)
  browser = await signedIn(anna)
})

async function signedIn({ email }: SignInEmployee): Promise<FormBrowser> {
  const browser = formBrowser(bellhop.url)
  await browser.post('/sign-in', { email, password: PASSWORD })
  return browser
}

const make = (name: string, by = browser) => by.submit(PATH, PATH, { name })

async function newKey(name: string) {
  const { html } = await make(name)
  const key = /id="new-key"[^>]*>([^<]+)</.exec(html)![1]!
  return { key, api: apiClient(bellhop.url, key) }
}

const revokePaths = async () =>
  [...(await browser.get(PATH)).html.matchAll(/action="([^"]+\/revoke)"/g)].map(([, path]) => path!)

test('a key is shown once, in the response that creates it, and acts for the employee who created it', async () => {
  const answer = await make('CRM')
  expect(answer.status).toBe(201)
  expect(answer.text).toContain('The key “CRM” has been created.')
  const key = /id="new-key"[^>]*>([^<]+)</.exec(answer.html)![1]!
  expect(key).toMatch(/^bh_[0-9a-z]{26}_[A-Za-z0-9_-]{43}$/)
  const secret = key.slice(-43)
  const { html, text } = await browser.get(PATH)
  expect(text).toContain('CRM')
  expect(html).not.toContain(secret)

  const api = apiClient(bellhop.url, key)
  expect((await api.get(`/employees/${anna.id}`)).body.email).toBe(anna.email)
  const own = await api.delete(`/employees/${anna.id}`)
  expect([own.status, own.body.error]).toEqual([403, 'creator_of_key_in_use'])
  expect(bellhop.logged.join('\n')).not.toContain(secret)
})

test('keys are listed with when they were last used, to the minute', async () => {
  const { api } = await newKey('CRM')
  expect((await browser.get(PATH)).text).toMatch(/CRM \S+( minutes ago| now) never/)
  await api.get('/company')
  expect((await browser.get(PATH)).text).toMatch(/CRM \S+( minutes ago| now) just now/)
  bellhop.clock.advance(59_000)
  await api.get('/company')
  bellhop.clock.advance(3 * 60_000 + 1_000)
  expect((await browser.get(PATH)).text).toMatch(/CRM \d minutes ago 4 minutes ago/)
  await api.get('/company')
  expect((await browser.get(PATH)).text).toMatch(/CRM \d minutes ago just now/)
})

test('a wrong secret does not count as a use of the key', async () => {
  const { key } = await newKey('CRM')
  const guess = `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`
  expect((await apiClient(bellhop.url, guess).get('/company')).status).toBe(401)
  expect((await browser.get(PATH)).text).toMatch(/CRM \S+( minutes ago| now) never/)
})

test('a revoked key is refused and no longer listed, and the others stay valid', async () => {
  const [revoked, kept] = [await newKey('Revoked'), await newKey('Kept')]
  expect((await revoked.api.get('/company')).status).toBe(200)
  const [first] = await revokePaths()
  const answer = await browser.submit(PATH, first!)
  expect(answer.location).toBe(`${PATH}?notice=revoked`)
  await expect.poll(async () => (await revoked.api.get('/company')).status).toBe(401)
  expect((await kept.api.get('/company')).status).toBe(200)
  const { text } = await browser.get(answer.location!)
  expect(text).toContain('The key has been revoked')
  expect(text).not.toMatch(/Revoked \S+( minutes ago| now)/)
  expect(text).toContain('Kept')
})

test('nobody sees or revokes the keys of a coworker, or of another company', async () => {
  const { api } = await newKey('Mine')
  const [path] = await revokePaths()
  const others = [await newSignInEmployee(bellhop, anna.company), await newSignInEmployee(bellhop)]
  for (const other of others) {
    const browser = await signedIn(other)
    const page = await browser.get(PATH)
    expect(page.text).not.toContain('Mine')
    const answer = await browser.post(path!, hiddenFields(page, PATH))
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  }
  expect((await api.get('/company')).status).toBe(200)
})

test.each(['nothing', 'key_', 'key_01h455vb4pex5vsknk084sn02q', '%00', 'x'.repeat(200)])(
  'revoking an unknown key is not found',
  async (id) => {
    const fields = hiddenFields(await browser.get(PATH), PATH)
    expect((await browser.post(`${PATH}/${id}/revoke`, fields)).status).toBe(404)
  },
)

test('a name is required: blank, too long or unstorable ones are refused with an explanation', async () => {
  for (const [name, word] of [
    ['', "can't be blank"],
    ['   ', "can't be blank"],
    ['x'.repeat(129), 'is too long'],
    ['\0', 'cannot be stored'],
  ] as const) {
    const answer = await make(name)
    expect(answer.status).toBe(422)
    expect(answer.text).toContain(word)
  }
  expect((await browser.get(PATH)).text).toContain('You have none yet.')
})

test('an employee has at most a hundred keys', async () => {
  await bellhop.db.sql`
    insert into api_keys (company_id, employee_id, name, secret_hash)
    select company_id, id, 'many', '' from employees, generate_series(1, 99) where id = ${anna.employeeId}`
  expect((await make('Last')).status).toBe(201)
  const refused = await make('One more')
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('Revoke one first.')
})

test('nobody creates keys without signing in', async () => {
  const signedOut = formBrowser(bellhop.url)
  expect((await signedOut.get(PATH)).location).toBe('/sign-in?return_to=%2Faccount%2Fapi-keys')
  expect((await signedOut.post(PATH, { name: 'x' })).location).toBe('/sign-in')
  expect(await bellhop.db.sql`select from api_keys where name = 'x'`).toHaveLength(0)
})
