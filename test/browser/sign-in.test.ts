import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { generate } from 'otplib'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'

import { afterFile } from '../harness/after-file.ts'
import { apiClient } from '../harness/api-client.ts'
import { openPage } from '../harness/browser/browser.ts'
import { linkTo, newSignInEmployee, PASSWORD } from '../harness/browser/sign-in.ts'
import { type Harness, harness } from '../harness/index.ts'
import { newFolder } from '../harness/processes/bellhop-process.ts'

let bellhop: Harness

beforeAll(async () => {
  bellhop = await harness()
})

/** Here no edge takes phones, and browsers report as errors the 401 and 403 that lead from the dashboard to the sign-in. */
const EXPECTED = /\/sip' failed|status of 40[13]/

/** A page that reports every violation of its content security policy and every error. */
async function watchedPage(open: () => Promise<Page> = openPage) {
  const page = await open()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (!EXPECTED.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  return { page, complaints }
}

const heading = (page: Page) => page.textContent('h1')

async function press(page: Page, name: string): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.click(`main button:text-is("${name}")`)])
}

async function signIn(page: Page, url: string, email: string, password: string): Promise<void> {
  await page.goto(`${url}/sign-in`)
  await page.fill('#email', email)
  await page.fill('#password', password)
  await press(page, 'Sign in')
}

const codeOf = (secret: string, steps = 0) =>
  generate({ secret, epoch: Math.floor(bellhop.clock.now().getTime() / 1000) + steps * 30 })

test('from the invitation to the last sign-out, as a new employee sees it', async () => {
  const company = await bellhop.newCompany()
  const email = `${randomUUID()}@example.com`
  await company.api.post('/employees', { name: 'Clara Friis', email })
  const { page, complaints } = await watchedPage()

  await page.goto(await linkTo(bellhop, email))
  expect(await heading(page)).toBe('Welcome')
  await page.fill('#password', PASSWORD)
  await press(page, 'Set password and start')
  expect(await heading(page)).toBe('Inbox')

  await page.goto(`${bellhop.url}/account/two-factor`)
  await page.click('text=Set it up')
  const drawn = await page.locator('svg.qr').boundingBox()
  expect(drawn!.width).toBeGreaterThan(150)
  await page.click('summary')
  const secret = (await page.textContent('.secret'))!.replaceAll(' ', '')
  await page.fill('#code', await codeOf(secret))
  await page.click('text=Switch it on')
  await page.waitForSelector('.codes')
  expect(await page.locator('.codes li').count()).toBe(10)
  const recoveryCode = await page.locator('.codes li').first().textContent()

  await page.goto(`${bellhop.url}/account/api-keys`)
  await page.fill('#name', 'CRM')
  await page.click('text=Create key')
  const key = await page.textContent('#new-key')
  const api = apiClient(bellhop.url, key!)
  expect((await api.get('/company')).status).toBe(200)
  await page.goto(`${bellhop.url}/account/api-keys`)
  await page.getByRole('button', { name: 'Revoke' }).waitFor()
  expect(await page.getByRole('main').innerText()).not.toContain(key!.slice(-43))
  await page.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('You have none yet.').waitFor()
  await expect.poll(async () => (await api.get('/company')).status).toBe(401)

  const cookies = await page.context().cookies()
  await page.goto(`${bellhop.url}/sign-out`)
  await press(page, 'Sign out')
  expect(await page.textContent('main')).toContain('You are signed out.')
  await page.context().addCookies(cookies)
  await page.goto(`${bellhop.url}/account`)
  expect(await heading(page)).toBe('Sign in')

  await signIn(page, bellhop.url, email, PASSWORD)
  expect(await heading(page)).toBe('Enter your code')
  await page.click('summary')
  await page.fill('#recovery-code', recoveryCode!)
  await press(page, 'Use the recovery code')
  expect(await heading(page)).toBe('Inbox')
  expect(complaints).toEqual([])
})

test('if the company requires it, nothing is accessible between the password and two-factor', async () => {
  const { email, company } = await newSignInEmployee(bellhop)
  await company.api.patch('/company', { requires_two_factor: true })
  const { page, complaints } = await watchedPage()
  await page.goto(`${bellhop.url}/account/api-keys`)
  await page.fill('#email', email)
  await page.fill('#password', PASSWORD)
  await press(page, 'Sign in')
  expect(await heading(page)).toBe('Set up two-factor sign-in')
  await page.goto(`${bellhop.url}/account`)
  expect(await heading(page)).toBe('Set up two-factor sign-in')
  await page.goto(`${bellhop.url}/account/api-keys`)
  await page.click('summary')
  const secret = (await page.textContent('.secret'))!.replaceAll(' ', '')
  await page.fill('#code', await codeOf(secret))
  await press(page, 'Switch it on')
  await Promise.all([page.waitForEvent('load'), page.click('text=I have kept them')])
  expect(await heading(page)).toBe('API keys')
  expect(complaints).toEqual([])
})

test('a form on another site changes nothing, although the browser is signed in', async () => {
  const { email } = await newSignInEmployee(bellhop)
  const { page } = await watchedPage()
  await signIn(page, bellhop.url, email, PASSWORD)
  // 127.0.0.1 and localhost are different hosts, and so different sites, to the browser.
  const evil = bellhop.url.replace('127.0.0.1', 'localhost')
  await page.route(`${evil}/evil`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<form method="post" action="${bellhop.url}/account/api-keys"><input name="name" value="Stolen"><button>Win</button></form>
        <iframe src="${bellhop.url}/account/api-keys"></iframe>`,
    }),
  )
  await page.goto(`${evil}/evil`)
  const framed = page.frames().find((frame) => frame !== page.mainFrame())!
  expect(await framed.locator('form').count(), 'no page of ours can be put into a frame').toBe(0)
  await Promise.all([page.waitForEvent('load'), page.click('text=Win')])
  expect(await page.textContent('main')).toContain('This form was sent from another site.')
  expect(await bellhop.db.sql`select from api_keys where name = 'Stolen'`).toHaveLength(0)
})

describe('behind https', () => {
  let url: string
  let secure: Harness

  beforeAll(async () => {
    const proxy = await startTlsProxy()
    url = proxy.url
    secure = await harness({ BELLHOP_BASE_URL: url })
    proxy.pointAt(secure.url)
  })

  test('a real browser keeps the cookies with their prefix, and the session works', async () => {
    const { email } = await newSignInEmployee(secure)
    const { page, complaints } = await watchedPage(async () =>
      (await openPage()).context().browser()!.newPage({ ignoreHTTPSErrors: true }),
    )
    await page.goto(`${url}/account`)
    // Chromium complains if the focus was moved before it could focus the first field.
    await page.locator('#email:focus').fill(email)
    await page.fill('#password', PASSWORD)
    await press(page, 'Sign in')
    expect(await heading(page)).toBe('Your account')
    const cookies = await page.context().cookies()
    expect(cookies.map(({ name, secure, httpOnly }) => ({ name, secure, httpOnly }))).toEqual([
      { name: '__Host-bellhop_session', secure: true, httpOnly: true },
      { name: '__Host-bellhop_browser', secure: true, httpOnly: true },
    ])
    expect(complaints).toEqual([])
    await page.context().close()
  })
})

/** What stands in front of Bellhop in production: accepts https, forwards it as http, and adds the client's address. */
async function startTlsProxy() {
  const folder = await newFolder()
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  await promisify(execFile)('openssl', [...args, '-subj', '/CN=localhost', '-keyout', key, '-out', cert])
  let target = ''
  const server = createServer({ key: await readFile(key), cert: await readFile(cert) }, (incoming, reply) => {
    const headers = { ...incoming.headers, 'x-forwarded-for': '192.0.2.1', 'x-forwarded-proto': 'https' }
    const onward = request(`${target}${incoming.url}`, { method: incoming.method, headers }, (answer) => {
      reply.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(reply)
    })
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterFile(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `https://127.0.0.1:${port}`, pointAt: (to: string) => (target = to) }
}
