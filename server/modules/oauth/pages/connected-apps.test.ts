import { beforeAll, expect, test } from 'vitest'

import { type FormBrowser, formBrowser } from '../../../../test/harness/browser/form-browser.ts'
import { newSignInEmployee, PASSWORD, type SignInEmployee } from '../../../../test/harness/browser/sign-in.ts'
import { type Harness, harness } from '../../../../test/harness/index.ts'
import { openCable } from '../../../../test/harness/peers/cable-socket.ts'
import { oauthApplication, PATIENTLY } from '../../../../test/harness/peers/oauth.ts'

const PATH = '/account/connected-apps'
const HOUR_MS = 60 * 60 * 1000

let bellhop: Harness
let app: ReturnType<typeof oauthApplication>

beforeAll(async () => {
  bellhop = await harness()
  app = oauthApplication(bellhop)
})

const personOf = ({ company, employeeId }: SignInEmployee) => ({ companyId: company.companyId, employeeId })

async function browserFor({ email }: SignInEmployee): Promise<FormBrowser> {
  const browser = formBrowser(bellhop.url)
  await browser.submit('/sign-in', '/sign-in', { email, password: PASSWORD })
  return browser
}

test('shows each application once: its name, host, start and last use', async () => {
  const employee = await newSignInEmployee(bellhop)
  const browser = await browserFor(employee)
  expect((await browser.get(PATH)).text).toContain('You have not given any application access.')
  const { clientId } = await app.newTokens(personOf(employee))
  bellhop.clock.advance(3 * HOUR_MS)
  expect((await browser.get(PATH)).text).toMatch(/Sundial app\.example 3 hours ago never/)
  const { accessToken } = await app.newTokens(personOf(employee), clientId)
  expect(await app.statusWith(accessToken)).toBe(200)
  bellhop.clock.advance(HOUR_MS / 2)
  const { text } = await browser.get(PATH)
  expect(text).toMatch(/Sundial app\.example 3 hours ago 30 minutes ago/)
  expect(text.match(/Sundial/g)).toHaveLength(1)
})

test('ends all access of the application at once, and what other employees granted stays', async () => {
  const employee = await newSignInEmployee(bellhop)
  const coworker = await newSignInEmployee(bellhop, employee.company)
  const mine = await app.newTokens(personOf(employee))
  const again = await app.newTokens(personOf(employee), mine.clientId)
  const theirs = await app.newTokens(personOf(coworker), mine.clientId)
  const headers = { authorization: `Bearer ${mine.accessToken}` }
  const cable = await openCable(bellhop.url, { headers })
  const browser = await browserFor(employee)
  const ended = await browser.submit(PATH, `${PATH}/${mine.clientId}/end`)
  expect([ended.status, ended.location]).toEqual([303, `${PATH}?notice=ended`])
  expect(await cable.closed).toEqual({ code: 1008, reason: 'unauthorized' })
  for (const { accessToken, refreshToken } of [mine, again]) {
    await expect.poll(() => app.statusWith(accessToken), PATIENTLY).toBe(401)
    expect((await app.refresh(mine.clientId, refreshToken)).body).toMatchObject({ error: 'invalid_grant' })
  }
  expect(await app.statusWith(theirs.accessToken)).toBe(200)
  expect((await app.refresh(mine.clientId, theirs.refreshToken)).status).toBe(200)
  expect((await browser.get(PATH)).text).toContain('You have not given any application access.')
})

test('requires a session, and ends nothing without its CSRF token', async () => {
  const employee = await newSignInEmployee(bellhop)
  const { clientId, accessToken } = await app.newTokens(personOf(employee))
  const nobody = await formBrowser(bellhop.url).get(PATH)
  expect([nobody.status, nobody.location]).toEqual([303, '/sign-in?return_to=%2Faccount%2Fconnected-apps'])
  const browser = await browserFor(employee)
  expect((await browser.post(`${PATH}/${clientId}/end`, {})).status).toBe(403)
  expect(await app.statusWith(accessToken)).toBe(200)
})
