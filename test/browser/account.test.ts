import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import * as openid from 'openid-client'
import { generate } from 'otplib'
import type { Page } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { beforeAll, describe, expect, test, vi } from 'vitest'

import { encodeId } from '../../server/platform/ids.ts'
import { afterFile } from '../harness/after-file.ts'
import { faultsInEveryLook, seriousFaults } from '../harness/browser/axe.ts'
import { openDashboard } from '../harness/browser/dashboard.ts'
import { type Harness, harness } from '../harness/index.ts'
import { webhookSink } from '../harness/peers/webhook-sink.ts'
import { newShowcase, type Showcase } from '../harness/showcase.ts'

/** The settings of a company, and those of an employee: all by one person in one window. */

const PATIENTLY = { timeout: 60_000 }

let bellhop: Harness
let company: Showcase
let page: Page
let complaints: string[]

beforeAll(async () => {
  bellhop = await harness({ BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' })
  company = await newShowcase(bellhop)
  const opened = await openDashboard(bellhop, company, '/company')
  page = opened.page
  complaints = opened.complaints
  page.setDefaultTimeout(60_000)
})

const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()

const button = (name: string) => page.getByRole('main').getByRole('button', { name, exact: true })

/** On a page outside of the dashboard. */
async function press(name: string): Promise<void> {
  await Promise.all([page.waitForEvent('load'), button(name).click()])
}

async function openFromMenu(name: string, path: string): Promise<void> {
  await page.getByRole('button', { name: /Anna Holm/ }).click()
  await page.getByRole('menuitem', { name }).click()
  await page.waitForURL(bellhop.url + path)
}

const read = async () => (await company.api.get('/company')).body

test('the name, address and country of the company are changed', async () => {
  const before = await read()
  await page.getByLabel('City').fill('Skagen')
  await page.getByLabel('Country').selectOption('Sweden')
  await page.getByLabel('Name').fill('Nordlys & Søn')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(read, PATIENTLY)
    .toEqual({ ...before, name: 'Nordlys & Søn', city: 'Skagen', country: 'SE' })
  await heading('Nordlys & Søn')
  await page.getByRole('button', { name: 'Anna Holm Nordlys & Søn' }).waitFor()
  await page.getByLabel('Name').fill('x'.repeat(300))
  await page.getByRole('button', { name: 'Save' }).click()
  await page.locator('[aria-invalid]').waitFor()
  await page.getByLabel('Name').fill(before.name)
  await page.getByLabel('Country').selectOption('Denmark')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(read, PATIENTLY).toEqual({ ...before, city: 'Skagen' })
})

test('an invitation is sent again; an employee is removed only by typing their name, and nobody removes themselves', async () => {
  await company.api.post('/employees', { name: 'Dorte Bech', email: 'dorte@nordlys.example' })
  await page.goto(`${bellhop.url}/employees`)
  const choose = async (employee: string, name: string) => {
    await page.getByRole('button', { name: `More: ${employee}` }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await choose('Dorte Bech', 'Send the invitation again')
  await page.getByText('Dorte Bech gets a new invitation.').waitFor()

  await choose('Dorte Bech', 'Remove')
  const dialog = page.getByRole('dialog')
  const remove = dialog.getByRole('button', { name: 'Remove' })
  await dialog.getByLabel('Type “Dorte Bech” to confirm').fill('Dorte')
  expect(await remove.isDisabled()).toBe(true)
  await dialog.getByLabel('Type “Dorte Bech” to confirm').fill('dorte bech')
  expect(await seriousFaults(page)).toEqual([])
  await remove.click()
  await page.getByText('Employee removed.').waitFor()
  await page.getByText('Dorte Bech', { exact: true }).waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'More: Anna Holm' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Remove' }).count()).toBe(0)
  await page.keyboard.press('Escape')
})

test('the automatic reply of a number is sent as it was configured here', async () => {
  await page.goto(`${bellhop.url}/texting`)
  const workshop = page.locator('section', { hasText: 'Workshop' }).last()
  const enabled = workshop.getByRole('switch', { name: 'Reply automatically' })
  if ((await enabled.getAttribute('aria-checked')) === 'false') await enabled.click()
  await workshop.getByLabel('The reply').fill('We write back in the morning.')
  await workshop.getByLabel('To the same person at most once in').selectOption('8 hours')
  await workshop.getByRole('button', { name: 'Save' }).click()
  const path = `/business_numbers/${encodeId('num', company.numbers.workshop)}/texting_settings`
  await expect
    .poll(async () => (await company.api.get(path)).body, PATIENTLY)
    .toMatchObject({
      auto_reply_enabled: true,
      auto_reply_text: 'We write back in the morning.',
      auto_reply_cooldown_minutes: 480,
    })
})

describe('with the keyboard only', () => {
  test('a webhook is added: a skip link leads to the content, and a dialog traps the focus and returns it', async () => {
    const sink = await webhookSink()
    await page.goto(`${bellhop.url}/webhooks`)
    await page.getByRole('button', { name: 'Add webhook' }).waitFor()
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Skip to the content')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Add webhook')

    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    for (let tabs = 0; tabs < 25; tabs++) {
      await page.keyboard.press('Tab')
      expect(await isInDialog()).toBe(true)
    }
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(focused, PATIENTLY).toBe('Add webhook')

    await page.keyboard.press('Enter')
    await page.getByLabel('Name').focus()
    await page.keyboard.type('Archive')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Control+a')
    await page.keyboard.type(sink.url)
    await page.keyboard.press('Enter')
    await page.getByText(/^whsec_/).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(focused, PATIENTLY).toBe('Add webhook')
    expect((await company.api.get('/webhooks')).body).toMatchObject([
      { name: 'Archive', url: sink.url, events: ['call.ended'], active: true },
    ])
  })

  test('the account menu leads to the phones', async () => {
    await page.getByRole('button', { name: /Anna Holm/ }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(focused, PATIENTLY).toBe('Your account')
    await page.keyboard.press('ArrowDown')
    await expect.poll(focused, PATIENTLY).toBe('Phones')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/account/phones')
    await page.getByLabel('Name of the phone').focus()
    await page.keyboard.type('Desk')
    await page.keyboard.press('Enter')
    await page.getByText('“Desk” can be connected now.').waitFor()
  })
})

test('what is shown once can be copied', async () => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${bellhop.url}/account/api-keys`)
  await page.locator('#name').fill('CRM')
  await button('Create key').click()
  const key = await page.locator('#new-key').textContent()
  await button('Copy').click()
  await button('Copied').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key)
  // What has been revealed is gone with a reload, which leads back to the page and not to the form.
  await page.reload()
  await heading('API keys')
  expect(await page.locator('#new-key').count()).toBe(0)
})

test('the account is part of the dashboard: links and forms do not load the document again', async () => {
  await page.goto(`${bellhop.url}/account`)
  await heading('Your account')
  await page.evaluate("window.isTheSame = 'yes'")
  await page.getByRole('main').getByRole('link', { name: 'Phones' }).click()
  await page.waitForURL('**/account/phones')
  await heading('Phones')
  await page.locator('#name').fill('Kitchen')
  await button('Add phone').click()
  await page.getByText('“Kitchen” can be connected now.').waitFor()
  await button('Remove Kitchen').click()
  await page.getByText('The phone is removed.').waitFor()
  await page.locator('#name').fill('   ')
  await button('Add phone').click()
  await page.getByText("The name can't be blank.").waitFor()
  expect(await page.title()).toContain('Phones')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Inbox' }).click()
  await heading('Inbox')
  await page.goBack()
  await heading('Phones')
  expect(await page.evaluate('window.isTheSame')).toBe('yes')
})

test('a webhook gets a new secret, which signs its deliveries; it is paused, and deleted', async () => {
  const sink = await webhookSink()
  const added = await company.api.post('/webhooks', { name: 'CRM', url: sink.url, events: ['call.ended'] })
  const hook = async () => (await company.api.get(`/webhooks/${added.body.id}`)).body
  const choose = async (name: string) => {
    await page.getByRole('main').getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await page.goto(`${bellhop.url}/webhooks/${added.body.id}`)
  await choose('New secret')
  await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click()
  const secret = (await page.getByText(/^whsec_/).textContent())!
  expect(secret).not.toBe(added.body.signing_secret)
  await page.getByRole('button', { name: 'I have saved it' }).click()
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText('On its way', { exact: true }).waitFor()
  await bellhop.deliverWebhooks()
  await page.getByText('Delivered', { exact: true }).waitFor()
  const { raw, headers } = sink.received[0]!
  // The service's clock stands still; the library's does not.
  vi.setSystemTime(bellhop.clock.now())
  expect(() => new Webhook(secret).verify(raw, headers as Record<string, string>)).not.toThrow()
  vi.useRealTimers()

  await choose('Switch off')
  await expect.poll(async () => (await hook()).active, PATIENTLY).toBe(false)
  await page.getByText('Off', { exact: true }).waitFor()
  await choose('Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.waitForURL('**/webhooks')
  await page.getByRole('link', { name: /CRM/ }).waitFor({ state: 'detached' })
  expect((await company.api.get(`/webhooks/${added.body.id}`)).status).toBe(404)
})

test('an application is allowed by the signed-in employee, listed, and revoked', async () => {
  const application = createServer((_, response) => response.end('You may close this window.'))
  await new Promise<void>((resolve) => application.listen(0, '127.0.0.1', resolve))
  afterFile(() => application.close())
  const redirectUri = `http://127.0.0.1:${(application.address() as AddressInfo).port}/callback`
  const config = await openid.dynamicClientRegistration(
    new URL(bellhop.url),
    { client_name: 'Sundial', redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' },
    openid.None(),
    { algorithm: 'oauth2', execute: [openid.allowInsecureRequests] },
  )
  const pkceCodeVerifier = openid.randomPKCECodeVerifier()
  const expectedState = openid.randomState()
  const address = openid.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'api',
    state: expectedState,
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  })

  await page.goto(address.href)
  await heading('Allow access?')
  await page.getByText(company.email).waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL((url) => url.href.startsWith(redirectUri))
  const back = new URL(page.url())
  const tokens = await openid.authorizationCodeGrant(config, back, { pkceCodeVerifier, expectedState })
  const statusWithToken = async () => {
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    return (await fetch(`${bellhop.url}/api/v1/session`, { headers })).status
  }
  expect(await statusWithToken()).toBe(200)

  await page.goto(`${bellhop.url}/inbox`)
  await openFromMenu('Connected apps', '/account/connected-apps')
  await page.getByRole('cell', { name: 'Sundial', exact: true }).waitFor()
  await button('End access of Sundial').click()
  await page.getByText('You have not given any application access.').waitFor()
  await expect.poll(statusWithToken, PATIENTLY).toBe(401)
  await expect(openid.refreshTokenGrant(config, tokens.refresh_token!)).rejects.toMatchObject({
    error: 'invalid_grant',
  })
})

test('two-factor is set up with an app, its recovery codes are replaced, and it is switched off', async () => {
  await page.goto(`${bellhop.url}/company`)
  await openFromMenu('Security', '/account/two-factor')
  await page.getByText('Set it up').click()
  await page.getByText('I cannot scan it').click()
  const secret = (await page.textContent('.secret'))!.replaceAll(' ', '')
  /** Each code works once: the next one is half a minute later. */
  const nextCode = () => {
    bellhop.clock.advance(30_000)
    return generate({ secret, epoch: Math.floor(bellhop.clock.now().getTime() / 1000) })
  }
  await page.getByLabel('Code that the app shows').fill(await nextCode())
  await button('Switch it on').click()
  await page.locator('.codes').waitFor()
  expect(await page.locator('.codes li').count()).toBe(10)
  await button('Copy all').waitFor()
  const kept = await page.locator('.codes li').first().textContent()

  await page.goto(`${bellhop.url}/account/two-factor`)
  await page.fill('#renew-code', kept!)
  await button('Make new ones').click()
  await page.locator('.codes').waitFor()
  expect(await page.locator('.codes li').allTextContents()).not.toContain(kept)
  await page.goto(`${bellhop.url}/account/two-factor`)
  await page.fill('#off-code', kept!)
  await button('Switch off').click()
  await page.getByText('That code is not right.').waitFor()
  await page.fill('#off-code', await nextCode())
  await button('Switch off').click()
  await page.getByRole('heading', { name: 'It is off' }).waitFor()
})

test('on a phone-sized screen axe finds nothing serious on the account pages, and nothing overflows', async () => {
  const below = [
    '',
    '/phones',
    '/api-keys',
    '/connected-apps',
    '/two-factor',
    '/two-factor/setup',
    '/password',
  ]
  for (const path of ['/sign-out', ...below.map((end) => `/account${end}`)]) {
    await page.goto(bellhop.url + path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect([path, await faultsInEveryLook(page, ['phone'])]).toEqual([path, []])
  }
})

test('Danish and the dark theme, once chosen, apply to the dashboard and the account, after a reload and a sign-out', async () => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.emulateMedia({ colorScheme: 'light' })
  const { body: webhooks } = await company.api.get('/webhooks')
  await company.api.post(`/webhooks/${webhooks[0].id}/test`, {})
  await page.goto(`${bellhop.url}/webhooks/${webhooks[0].id}`)
  await page.getByText('On its way', { exact: true }).waitFor()
  expect(await timesShown()).toEqual({ english: true, danish: false })
  for (const choice of ['Dansk', 'Mørkt']) {
    await page.getByRole('button', { name: /Anna Holm/ }).click()
    await page.getByRole('menuitemradio', { name: choice }).click()
  }
  await page.getByText('På vej', { exact: true }).waitFor()
  await page.reload()
  await page.getByText('På vej', { exact: true }).waitFor()
  expect(await timesShown()).toEqual({ english: false, danish: true })
  expect(await shownAs()).toEqual({ lang: 'da', theme: 'dark' })

  await openFromMenu('Telefoner', '/account/phones')
  await heading('Telefoner')
  expect(await shownAs()).toEqual({ lang: 'da', theme: 'dark' })
  await page.goto(`${bellhop.url}/sign-out`)
  await press('Log ud')
  await page.getByText('Du er logget ud.').waitFor()
  expect(await shownAs()).toEqual({ lang: 'da', theme: 'dark' })
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'English' }).click()])
  await heading('Sign in')
})

test('the content security policy of the pages blocked nothing', () => {
  expect(complaints.filter((text) => /Content.Security.Policy/i.test(text))).toEqual([])
})

/** The text of the element that has the focus. */
const focused = () =>
  page.evaluate(() => {
    const { activeElement, body } = (globalThis as any).document
    return activeElement === body ? 'nothing' : (activeElement.textContent as string).trim()
  })

const isInDialog = () =>
  page.evaluate(() => (globalThis as any).document.activeElement.closest('[role=dialog]') !== null)

const shownAs = () =>
  page.evaluate(() => {
    const { lang, dataset } = (globalThis as any).document.documentElement
    return { lang, theme: dataset.theme }
  })

/** `14:05` in one language is `14.05` in the other. */
async function timesShown() {
  const text = await page.getByRole('main').innerText()
  return { english: /\b\d\d:\d\d\b/.test(text), danish: /\b\d\d\.\d\d\b/.test(text) }
}
