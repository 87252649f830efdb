import { beforeAll, expect, test } from 'vitest'

import { formBrowser, hiddenFields } from '../../../test/harness/browser/form-browser.ts'
import { newSignInEmployee, PASSWORD } from '../../../test/harness/browser/sign-in.ts'
import { openTestControl, startRegisteredPhone, startTestEdge } from '../../../test/harness/calls/edge.ts'
import { type Harness, harness } from '../../../test/harness/index.ts'

const PATH = '/account/phones'

let bellhop: Harness
let edge: Awaited<ReturnType<typeof startTestEdge>>
beforeAll(async () => {
  bellhop = await harness()
})

async function signedIn() {
  const employee = await newSignInEmployee(bellhop)
  const browser = formBrowser(bellhop.url)
  await browser.post('/sign-in', { email: employee.email, password: PASSWORD })
  return { employee, browser }
}

const shown = (html: string, id: string) => new RegExp(`id="${id}"[^>]*>([^<]+)<`).exec(html)![1]!

test('an employee adds a phone, which registers with the credentials shown once, and removes it', async () => {
  edge = await startTestEdge(bellhop)
  const { browser } = await signedIn()
  const added = await browser.submit(PATH, PATH, { name: 'Desk' })
  expect(added.status).toBe(201)
  const [username, password] = [shown(added.html, 'phone-username'), shown(added.html, 'phone-password')]
  expect(shown(added.html, 'phone-domain')).toBe(`127.0.0.1:${edge.port}`)
  expect((await browser.get(PATH)).html).not.toContain(password)
  expect((await browser.get(PATH)).text).toMatch(/Desk \w+ never/)

  const phone = await startRegisteredPhone({ username, password, port: edge.port })
  await phone.registered()
  expect((await browser.get(PATH)).text).toMatch(/Desk \w+ now/)
  const action = /action="([^"]+\/remove)"/.exec((await browser.get(PATH)).html)![1]!
  await browser.submit(PATH, action, {})
  expect((await browser.get(PATH)).text).toContain('You have none yet.')
  phone.registerAgain()
  expect(await phone.refused()).toMatchObject({ registration: { status: 401 } })
})

test('an employee sets the encryption of a phone, and sees that it refused', async () => {
  const { browser, employee } = await signedIn()
  await browser.submit(PATH, PATH, { name: 'Desk' })
  const refuse = () => bellhop.db.sql`
    update devices set encryption_refused_at = now() where employee_id = ${employee.employeeId}`
  await refuse()
  const page = await browser.get(PATH)
  expect(page.text).toContain('The phone refused it')
  const action = /action="([^"]+\/encryption)"/.exec(page.html)![1]!
  await browser.submit(PATH, action, { encryption: 'required' })
  const changed = await browser.get(PATH)
  expect(changed.html).toMatch(/<option value="required"\s+selected/)
  expect(changed.text).not.toContain('The phone refused it')

  const bo = await signedIn()
  const fields = hiddenFields(await bo.browser.get(PATH), PATH)
  expect((await bo.browser.post(action, { ...fields, encryption: 'off' })).status).toBe(404)
  expect((await browser.submit(PATH, action, { encryption: 'sometimes' })).status).toBe(422)
  expect((await browser.get(PATH)).html).toMatch(/<option value="required"\s+selected/)
})

test('employees cannot remove phones of others, and a phone needs a name', async () => {
  const anna = await signedIn()
  await anna.browser.submit(PATH, PATH, { name: 'Desk' })
  const action = /action="([^"]+\/remove)"/.exec((await anna.browser.get(PATH)).html)![1]!
  const bo = await signedIn()
  const fields = hiddenFields(await bo.browser.get(PATH), PATH)
  expect((await bo.browser.post(action, fields)).status).toBe(404)
  expect((await anna.browser.get(PATH)).text).toContain('Desk')
  const blank = await anna.browser.submit(PATH, PATH, { name: ' ' })
  expect([blank.status, blank.text]).toEqual([422, expect.stringContaining("The name can't be blank.")])
})

test('a browser gets credentials that work until they expire, and are then deleted', async () => {
  edge = await startTestEdge(bellhop, openTestControl().create)
  const company = await bellhop.newCompany()
  const { status, body } = await company.api.post('/softphone_credentials')
  expect(status).toBe(201)
  const { username, password, expires_at } = body as Record<string, string>
  expect(body).toEqual({
    username: expect.stringMatching(/^u[0-9a-f]+$/),
    password: expect.stringMatching(/^.{20,}$/),
    domain: `127.0.0.1:${edge.port}`,
    websocket_url: `${bellhop.url.replace('http', 'ws')}/sip`,
    expires_at: expect.stringMatching(/Z$/),
  })
  const hours = (new Date(expires_at!).getTime() - bellhop.clock.now().getTime()) / 3_600_000
  expect(hours).toBe(12)
  const phone = await startRegisteredPhone({ username: username!, password: password!, port: edge.port })
  await phone.registered()

  const { sql } = bellhop.db
  await sql`update devices set expires_at = now() where username = ${username!}`
  phone.registerAgain()
  expect(await phone.refused()).toMatchObject({ registration: { status: 401 } })
  await sql`select graphile_worker.add_job('devices.clean_up', '{}'::json)`
  await bellhop.drainJobs()
  expect(await sql`select from devices where username = ${username!}`).toHaveLength(0)
})

test('an employee has at most twenty browsers, and the oldest are removed first', async () => {
  const company = await bellhop.newCompany()
  const names: string[] = []
  for (let i = 0; i < 22; i++) {
    const { body } = await company.api.post('/softphone_credentials')
    names.push((body as { username: string }).username)
  }
  const kept = await bellhop.db.sql<{ username: string }[]>`
    select username from devices where employee_id = ${company.employeeId} order by id`
  expect(kept.map(({ username }) => username)).toEqual(names.slice(2))
})
