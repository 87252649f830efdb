import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'

import { faultsInEveryLook } from '../harness/browser/axe.ts'
import { startCompleteBrowser } from '../harness/browser/browser.ts'
import { addSession } from '../harness/browser/dashboard.ts'
import { newSignInEmployee, PASSWORD } from '../harness/browser/sign-in.ts'
import { type BrowserEmployee, newBrowserEmployee } from '../harness/browser/softphone.ts'
import { callIs, eventually } from '../harness/calls/call-events.ts'
import { CUSTOMER, numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { openPushService, type PushedBrowser } from '../harness/peers/push-service.ts'

// Notifications need the complete browser.
startCompleteBrowser('--use-fake-device-for-media-stream')

const PATIENCE = { timeout: 30_000 }
const { bellhop, dial } = await openPhoneSystem({ BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' })
const service = await openPushService()
const company = await bellhop.newCompany()
const newAnna = () =>
  newBrowserEmployee(bellhop, company, 'Anna', 700, { permissions: ['microphone', 'notifications'] })

const switchOf = (page: Page, state = {}) =>
  page.getByRole('switch', { name: 'Ring when Bellhop is closed', ...state })

async function openSettings({ page, press, is }: BrowserEmployee): Promise<void> {
  await is('ready')
  await press(/Open the phone/)
  await press('Phone settings')
  await switchOf(page).waitFor(PATIENCE)
}

/** On a slow machine, calls may have waited too long to be announced. */
async function runJobs(): Promise<void> {
  await bellhop.db.sql`
    update graphile_worker._private_jobs set payload = jsonb_set(payload::jsonb, '{since}', to_jsonb(now() + interval '1 hour'))::json
    where payload->>'since' is not null`
  await bellhop.drainJobs()
}

const isGone = ({ id }: { id: string }) =>
  eventually(async () => {
    expect((await company.api.get(`/employees/${id}`)).body.status).toBe('logged_out')
  })

const rungBrowsers = async () => (await bellhop.db.sql`select from push_subscriptions`).length

/** Runs in the page: a browser that has subscribed at this push service. The one of Chromium is in the internet. */
const subscribingAt = ({ subscription: { endpoint, ...keys } }: PushedBrowser) => `
  const KEY = 'test.subscribed'
  const decode = (text) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0)).buffer
  const subscription = {
    get options() { return { applicationServerKey: decode(localStorage.getItem(KEY)) } },
    toJSON: () => (${JSON.stringify({ endpoint, keys })}),
    unsubscribe: async () => localStorage.removeItem(KEY),
  }
  PushManager.prototype.getSubscription = async () => localStorage.getItem(KEY) ? subscription : null
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    localStorage.setItem(KEY, applicationServerKey)
    return subscription
  }`

/** The service worker of a browser. DevTools deliver messages to it as a push service does. */
async function workerOf(page: Page) {
  const context = page.context()
  const devTools = await context.newCDPSession(await context.newPage())
  const registered = new Promise<string>((resolve) =>
    devTools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [known] }) => {
      if (known) resolve(known.registrationId)
    }),
  )
  await devTools.send('ServiceWorker.enable')
  // The browser reports them. Asked by getNotifications() while it stores one, it would drop that one.
  const shown = new Map<string, string>()
  devTools.on('BackgroundService.backgroundServiceEventReceived', ({ backgroundServiceEvent: event }) => {
    const title = event.eventMetadata.find(({ key }) => key === 'Title')?.value
    if (event.eventName === 'Notification displayed') shown.set(event.instanceId, title!)
    if (event.eventName === 'Notification closed') shown.delete(event.instanceId)
  })
  await devTools.send('BackgroundService.startObserving', { service: 'notifications' })
  await devTools.send('BackgroundService.setRecording', { service: 'notifications', shouldRecord: true })
  const registrationId = await registered
  const worker = context.serviceWorkers()[0]!
  return {
    /** Passes on what the push service has received. */
    async deliver() {
      for (const { alert } of service.received.splice(0))
        await devTools.send('ServiceWorker.deliverPushMessage', {
          origin: bellhop.url,
          registrationId,
          data: JSON.stringify(alert),
        })
    },
    /** Waits until the browser shows these notifications, and no others. */
    shows: (...titles: string[]) => eventually(() => expect([...shown.values()]).toEqual(titles)),
    /** Clicks the notification. Returns which window is opened: without a real click, the browser would not do it. */
    click: () =>
      worker.evaluate(`new Promise(async (resolve) => {
        clients.openWindow = async (path) => resolve(path)
        const [notification] = await registration.getNotifications()
        dispatchEvent(new NotificationEvent('notificationclick', { notification }))
      })`),
  }
}

test('the switch says if the browser cannot do it, does not allow it, or cannot reach its push service', async () => {
  const anna = await newAnna()
  const { page } = anna
  await openSettings(anna)
  await switchOf(page).click()
  await page.getByRole('alert').getByText('could not reach its push service').waitFor(PATIENCE)
  expect(await switchOf(page).getAttribute('aria-checked')).toBe('false')
  expect(await faultsInEveryLook(page, ['phone'])).toEqual([])
  expect(await rungBrowsers()).toBe(0)

  await page.context().clearPermissions()
  await page.context().grantPermissions(['microphone'])
  await page.reload()
  await openSettings(anna)
  await page.getByText('does not let Bellhop show notifications').waitFor(PATIENCE)
  expect(await switchOf(page).isDisabled()).toBe(true)

  await page.addInitScript('delete window.PushManager')
  await page.reload()
  await openSettings(anna)
  await page.getByText('This browser cannot do that.').waitFor(PATIENCE)
  expect(await switchOf(page).isDisabled()).toBe(true)
})

test('a closed browser shows a call that waits; a click opens Bellhop, and the call rings there', async () => {
  await company.api.post('/contacts', { phone: CUSTOMER, name: 'Mikkel Dahl' })
  const anna = await newAnna()
  const { page } = anna
  const { id, number } = await numberWith(bellhop, company, {
    type: 'TransferConfig',
    employee_ids: [anna.id],
  })
  const noAnswer = { type: 'VoicemailConfig', greeting: 'Nobody is here.', timeout_secs: 60 }
  await company.api.put(`/business_numbers/${id}/no_answer_config`, noAnswer)
  await page.addInitScript(subscribingAt(service.newBrowser()))
  await page.reload()
  await openSettings(anna)
  await switchOf(page).click()
  await switchOf(page, { checked: true }).waitFor(PATIENCE)
  const { deliver, shows, click } = await workerOf(page)

  await page.goto('about:blank')
  await isGone(anna)
  // Longer than a page takes that is reloaded.
  bellhop.clock.advance(Date.now() - bellhop.clock.now().getTime() + 15_000)
  const customer = await dial(number)
  await customer.connected()
  await callIs(company, 'queued')
  await runJobs()
  await deliver()
  await shows('Mikkel Dahl is calling')

  expect(await click()).toBe('/inbox')
  await shows()
  await page.goto(new URL('/inbox', bellhop.url).href)
  await anna.is('ringing')
  // The page shows it too, in place of what was pushed.
  await shows('Incoming call')
  await anna.press('Answer')
  await Promise.all([customer.hears(700), anna.hears(440)])
  await shows()
  await runJobs()
  expect(service.received.map(({ alert }) => alert.title)).toEqual(['You answered Mikkel Dahl'])
  await deliver()
  customer.hangUp()
  await callIs(company, 'ended')

  // Nobody sees the next one: what became of it takes its place.
  await page.goto('about:blank')
  const next = await dial(number)
  await next.connected()
  await callIs(company, 'queued')
  await runJobs()
  await deliver()
  await shows('Mikkel Dahl is calling')
  next.hangUp()
  await callIs(company, 'ended')
  await runJobs()
  await deliver()
  await shows('Missed call from Mikkel Dahl')
})

test('every page renews it, and it ends if somebody else signs in at the browser', async () => {
  const anna = await newAnna()
  const { page } = anna
  await page.addInitScript(subscribingAt(service.newBrowser()))
  await page.reload()
  await openSettings(anna)
  const before = await rungBrowsers()
  await switchOf(page).click()
  await switchOf(page, { checked: true }).waitFor(PATIENCE)
  expect(await rungBrowsers()).toBe(before + 1)
  await switchOf(page).click()
  await switchOf(page, { checked: false }).waitFor(PATIENCE)
  expect(await rungBrowsers()).toBe(before)
  await switchOf(page).click()
  await switchOf(page, { checked: true }).waitFor(PATIENCE)

  await bellhop.db.sql`delete from push_subscriptions`
  await page.reload()
  await anna.is('ready')
  await eventually(async () => expect(await rungBrowsers()).toBe(1))

  // The page would leave for the sign-in by itself.
  await page.goto('about:blank')
  // This statement locks nothing in the order in which a sign-out does, so the phone must be gone before it.
  await isGone(anna)
  await bellhop.db.sql`delete from sessions`
  expect(await rungBrowsers()).toBe(0)
  const bo = await newSignInEmployee(bellhop, company)
  await addSession(page, bellhop.url, { email: bo.email, password: PASSWORD })
  await page.goto(bellhop.url)
  await anna.is('ready')
  await eventually(async () =>
    expect(await page.evaluate(`localStorage.getItem('test.subscribed')`)).toBe(null),
  )
  expect(await rungBrowsers()).toBe(0)
})
