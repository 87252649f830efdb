import type { Locator, Page, WebSocket } from 'playwright-core'
import { beforeAll, describe, expect, test, vi } from 'vitest'

import { setMessaging } from '../../server/modules/company/index.ts'
import { encodeId } from '../../server/platform/ids.ts'
import { openDashboard } from '../harness/browser/dashboard.ts'
import { newCall } from '../harness/calls/telephony.ts'
import { type Harness, harness } from '../harness/index.ts'
import { type ContextServer, contextServer } from '../harness/peers/context-server.ts'
import { newShowcase, type Showcase } from '../harness/showcase.ts'
import { newRecordedVoicemail } from '../harness/sound/recorded-voicemail.ts'
import { callBack, incoming, numberOf, sendText } from '../harness/texts/texting.ts'

// A browser takes long to start, and to do anything, on a busy machine.
const PATIENCE_MS = 60_000
const within = { timeout: PATIENCE_MS }

const MIKKEL = '+4520304050'

let bellhop: Harness
let company: Showcase
let crm: ContextServer
let page: Page
let complaints: string[]

beforeAll(async () => {
  bellhop = await harness({ BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' })
  company = await newShowcase(bellhop)
  crm = await contextServer()
  await company.api.post('/integrations', { provider: 'custom', label: 'CRM', url: crm.url })
  const opened = await openDashboard(bellhop, company, '/inbox')
  page = opened.page
  complaints = opened.complaints
  page.setDefaultTimeout(PATIENCE_MS)
  // Wide enough to show the customer beside the thread.
  await page.setViewportSize({ width: 1500, height: 850 })
})

const open = (phone: string) => page.goto(`${bellhop.url}/inbox/${phone}`)
const threads = () => page.getByRole('region', { name: 'Conversations' })
const timeline = () => page.getByRole('log')
const person = () => page.getByRole('complementary', { name: 'Contact' })
const context = () => person().getByRole('region', { name: 'From your other systems' })
const choose = async (language: string) => {
  await page.getByRole('button', { name: 'Anna Holm' }).click()
  await page.getByRole('menuitemradio', { name: language }).click()
}
const startText = async (phone: string) => {
  await page.getByRole('button', { name: 'New text' }).click()
  await page.getByLabel('To whom?').fill(phone)
  await page.getByRole('button', { name: 'Start' }).click()
}
const values = async () =>
  (await context().locator('dd').allTextContents()).map((text) => text.replaceAll(/\s/g, ' '))
const shown = () => threads().getByRole('link').allTextContents()
const sinceNewest = (box: Locator) =>
  box.evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight)

const BIKES = Array.from({ length: 7 }, (_, index) => ({
  url: `https://crm.example/bikes/${index}`,
  values: { frame: `WBK ${index}`, service: '2026-12-01' },
}))
const KNOWN = {
  url: 'https://crm.example/people/7',
  sections: [
    {
      type: 'fields',
      label: 'Subscription',
      fields: [
        { label: 'Plan', value: 'Gold', format: 'badge' },
        { label: 'Owes', value: { amount: '1299.5', currency: 'DKK' }, format: 'money', bold: true },
        { label: 'Since', value: '2024-03-01', format: 'date' },
        { label: 'Mail', value: 'post@dahl.example', format: 'email' },
        { label: 'Home', value: '+4533445566', format: 'phone' },
        { label: 'File', value: 'Open it', url: 'https://crm.example/files/7' },
      ],
    },
    {
      type: 'table',
      label: 'Bikes',
      columns: [
        { key: 'frame', label: 'Frame' },
        { key: 'service', label: 'Next service', format: 'date' },
      ],
      rows: BIKES,
    },
  ],
}

describe('beside a thread', () => {
  test('the contact and the caller context are shown, each value in its format', async () => {
    crm.answer = () => KNOWN
    await open(MIKKEL)
    await person().getByText('Rides a red cargo bike.').waitFor()
    await context().getByRole('heading', { name: 'Subscription' }).waitFor()
    expect(await values()).toEqual([
      'Gold',
      'DKK 1,299.50',
      '1 Mar 2024',
      'post@dahl.example',
      '+45 33 44 55 66',
      'Open it',
    ])
    const bikes = context().getByRole('region', { name: 'Bikes' })
    expect(await bikes.getByRole('row').count()).toBe(1 + 5)
    await context().getByRole('button', { name: 'Show all 7' }).click()
    const link = bikes.getByRole('link', { name: 'WBK 6' })
    expect(await link.getAttribute('href')).toBe('https://crm.example/bikes/6')
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer')
    expect(await bikes.getByRole('row').last().allTextContents()).toEqual(['WBK 61 Dec 2026'])
    expect(await context().getByRole('link', { name: 'Open in CRM' }).getAttribute('href')).toBe(KNOWN.url)
  })

  test('money and dates are formatted in the language of the reader', async () => {
    await choose('Dansk')
    const danish = page.getByRole('complementary', { name: 'Kontakt' }).locator('dd')
    await danish.first().waitFor()
    expect((await danish.nth(1).textContent())!.replaceAll(/\s/g, ' ')).toBe('1.299,50 kr.')
    expect(await danish.nth(2).textContent()).toBe('1. mar. 2024')
    await choose('English')
    await context().waitFor()
  })

  test('no link leads to a script, whatever is stored', async () => {
    await bellhop.db.sql`
      update caller_lookups
      set contexts = replace(contexts::text, 'https://crm.example/files/7', 'javascript:alert(1)')::jsonb`
    await open(MIKKEL)
    await context().getByText('Open it').waitFor()
    expect(await context().getByRole('link', { name: 'Open it' }).count()).toBe(0)
  })

  test('a customer whom another system knows gets a name everywhere after a look-up', async () => {
    const phone = '+4527384950'
    crm.answer = () => ({ contact: { name: 'Freja Lind', company_name: 'Lind Huse' } })
    await page.goto(`${bellhop.url}/inbox`)
    await threads().getByText('Er I åbent på lørdag?').click()
    await page.getByRole('heading', { name: 'Freja Lind' }).waitFor()
    await threads().getByText('Freja Lind').waitFor()
    await person().getByText('Lind Huse').first().waitFor()
    expect((await company.api.get(`/contacts?phone=${encodeURIComponent(phone)}`)).body).toMatchObject([
      { name: 'Freja Lind', company_name: 'Lind Huse' },
    ])
  })

  test('a system that fails is named, and everything else still works', async () => {
    crm.answer = (_, response) => void response.writeHead(500).end()
    await open('+4560606060')
    await context().getByText('CRM did not respond.').waitFor()
    await person().getByRole('button', { name: 'Add as contact' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Name').fill('Åse Ørsted')
    await form.getByLabel('Company').fill('Ørsted & Søn')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Åse Ørsted' }).waitFor()
    await person().getByRole('button', { name: 'Edit contact' }).click()
    await form.getByLabel('Note').fill('Calls on Fridays.')
    await form.getByRole('button', { name: 'Save' }).click()
    await person().getByText('Calls on Fridays.').waitFor()
    await page.getByLabel('Write a text').fill('Hello Åse')
    await page.getByRole('button', { name: 'Send' }).click()
    await timeline().getByText('Hello Åse').waitFor()
  })

  test('on a small screen, the caller context opens with one tap', async () => {
    crm.answer = () => KNOWN
    await page.setViewportSize({ width: 390, height: 780 })
    await open(MIKKEL)
    expect(await person().isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Contact' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Rides a red cargo bike.').waitFor()
    await dialog.getByRole('heading', { name: 'Subscription' }).waitFor()
    await page.keyboard.press('Escape')
    // Nothing covers what is needed to reply: each element receives the click itself.
    await page.getByLabel('Write a text').fill('On my way')
    await page.getByRole('button', { name: 'Send' }).click({ trial: true })
    await page.setViewportSize({ width: 1500, height: 850 })
  })
})

describe('the list of threads', () => {
  test('counts unseen items, and filters by name, number, business number and unseen', async () => {
    crm.answer = () => ({})
    const workshop = await numberOf(company, company.numbers.workshop)
    for (const text of ['First', 'Second'])
      await callBack(bellhop, 'messages', incoming(workshop, { from: '+4571727374', text }))
    await page.goto(`${bellhop.url}/inbox`)
    const row = threads().getByRole('link').filter({ hasText: 'Second' })
    await row.getByLabel('2 unseen').waitFor()
    // Threads, not texts, are counted for each number and in the navigation.
    const counted = (await company.api.get('/activity/unseen')).body
    const ofWorkshop = counted.main_numbers.find(({ name }: { name: string }) => name === 'Workshop')
    expect(ofWorkshop.unseen_count).toBeLessThan(counted.total)
    await page
      .getByRole('navigation')
      .getByRole('link', { name: `Inbox ${counted.total} unseen` })
      .waitFor()
    const option = page.getByRole('option', { name: `Workshop (${ofWorkshop.unseen_count} unseen)` })
    await option.waitFor({ state: 'attached' })

    await page.getByLabel('Search people and numbers').fill('7273')
    await expect.poll(shown, within).toEqual([expect.stringContaining('Second')])
    await page.getByLabel('Search people and numbers').fill('krogh')
    await expect.poll(shown, within).toEqual([expect.stringContaining('Sofie Krogh')])
    await page.getByLabel('Search people and numbers').fill('nobody at all')
    await threads().getByText('Nothing found').waitFor()
    await page.getByLabel('Search people and numbers').fill('')

    const filter = page.getByLabel('Business number')
    await filter.selectOption(encodeId('num', company.numbers.workshop))
    await threads().getByText('Mikkel Dahl').waitFor({ state: 'detached' })
    await row.waitFor()
    const unseen = page.getByRole('button', { name: 'Unseen only' })
    await unseen.click()
    await row.click()
    await page.waitForURL('**/inbox/+4571727374')
    // Once read it is seen, and leaves the list of unseen threads by itself.
    await row.waitFor({ state: 'detached' })
    await unseen.click()
    await row.waitFor()
    await row.getByLabel('2 unseen').waitFor({ state: 'detached' })
    await option.waitFor({ state: 'detached' })
    await page
      .getByRole('navigation')
      .getByRole('link', { name: `Inbox ${counted.total - 1} unseen` })
      .waitFor()
  })

  test('loads more on scrolling', async () => {
    const at = Date.now() - 86_400_000
    for (let index = 0; index < 70; index++) {
      const started_at = new Date(at - index * 60_000)
      const remote_number = `+4561${String(index).padStart(6, '0')}`
      await newCall(company, {
        business_number_id: company.numbers.workshop,
        remote_number,
        started_at,
        ended_at: started_at,
      })
    }
    await page.goto(`${bellhop.url}/inbox`)
    await threads().getByText('+45 61 00 00 69').waitFor()
    const oldest = threads().getByText('Mikkel Dahl')
    expect(await oldest.count()).toBe(0)
    await threads()
      .getByRole('link')
      .last()
      .evaluate((row) => row.scrollIntoView({ block: 'start' }))
    await oldest.waitFor()
  })
})

describe('the timeline', () => {
  test('shows calls, a voicemail with player and transcript, and texts with their status', async () => {
    // The simulated provider reports nothing by itself on a text to this number.
    const phone = '+4551520003'
    const business_number_id = company.numbers.shop
    await newCall(company, { business_number_id, remote_number: phone, summary: 'Asks about a saddle.' })
    const voicemail = await newRecordedVoicemail(bellhop, company, {
      business_number_id,
      from_number: phone,
      transcription: 'Please call me back about the saddle.',
    })
    await sendText(company, business_number_id, { to: phone, text: 'We call you at noon.' })
    await open(phone)
    await timeline().getByText('Asks about a saddle.').waitFor()
    await timeline().getByText('Please call me back about the saddle.').waitFor()
    const text = timeline().locator('li', { hasText: 'We call you at noon.' })
    await text.getByText('Sent', { exact: true }).waitFor()
    await reportDelivery(phone)
    await text.getByText('Delivered', { exact: true }).waitFor()

    const player = timeline().getByLabel('Listen to the voicemail').locator('audio')
    await player.evaluate((audio: HTMLAudioElement) => audio.play())
    await expect.poll(() => player.evaluate((audio: HTMLAudioElement) => audio.duration), within).toBe(2)
    await expect
      .poll(
        async () => (await company.api.get(`/voicemails/${encodeId('voi', voicemail)}`)).body.listened_at,
        within,
      )
      .not.toBeNull()
  })

  test('an open thread notices that texting is switched off, and on again', async () => {
    await open('+4551525355')
    const composer = page.getByLabel('Write a text')
    await composer.waitFor()
    for (const enabled of [false, true]) {
      // After a new connection everything is read again, which would hide that the message was ignored.
      const reconnected = vi.fn()
      // Not the softphone's, which has no edge here and keeps trying.
      const connected = (socket: WebSocket) => socket.url().endsWith('/cable') && reconnected()
      page.on('websocket', connected)
      await bellhop.db.tx((tx) => setMessaging(tx, company.companyId, enabled))
      await page.getByText('Texting is not switched on').waitFor({ state: enabled ? 'detached' : 'visible' })
      await composer.waitFor({ state: enabled ? 'visible' : 'detached' })
      expect(reconnected).not.toHaveBeenCalled()
      page.off('websocket', connected)
    }
  })

  test('a refused text is shown with the reason, and need not be typed again', async () => {
    const phone = '+4520200001'
    await open(phone)
    await page.getByLabel('Write a text').fill('Can you hear me?')
    await page.getByRole('button', { name: 'Send' }).click()
    const text = timeline().locator('li', { hasText: 'Can you hear me?' })
    await text.getByText('Not delivered').waitFor()
    await text.getByText('The network refused it. Check the number.').waitFor()
    expect(await page.getByLabel('Write a text').inputValue()).toBe('')
    expect(await text.getByRole('button', { name: 'Try again' }).count()).toBe(1)
  })

  test('a failed text is retried from its place in the thread', async () => {
    // The simulated provider reports nothing by itself on a text to this number.
    const phone = '+4520200003'
    await sendText(company, company.numbers.shop, { to: phone, text: 'Your tyre is here.' })
    const { sql } = bellhop.db
    for (const table of ['messages', 'message_attempts'])
      await sql`
        update ${sql(table)} set status = 'failed', failure_code = 'provider_rejected' where status = 'accepted'`
    await open(phone)
    const text = timeline().locator('li', { hasText: 'Your tyre is here.' })
    await text.getByRole('button', { name: 'Try again' }).click()
    await text.getByText('Sent', { exact: true }).waitFor()
    expect(await text.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  })

  test('opens at the newest item, loads earlier ones without losing the position, and follows new ones only at the end', async () => {
    const phone = '+4581828384'
    const to = await numberOf(company, company.numbers.shop)
    for (let index = 0; index < 110; index++)
      await newCall(company, {
        business_number_id: company.numbers.shop,
        remote_number: phone,
        summary: `Call number ${index}.`,
      })
    await open(phone)
    await timeline().getByText('Call number 109.').waitFor()
    await page.getByLabel('Write a text').waitFor()
    await expect.poll(() => sinceNewest(timeline()), within).toBeLessThan(2)
    expect(await timeline().getByText('Call number 59.').count()).toBe(0)

    await timeline().evaluate((box) => box.scrollTo({ top: 0 }))
    await timeline().getByText('Call number 59.').waitFor()
    // The item that was at the top is still visible.
    expect(await timeline().getByText('Call number 60.').boundingBox()).toMatchObject({
      y: expect.closeTo((await timeline().boundingBox())!.y, -2.7),
    })
    await timeline().evaluate((box) => box.scrollTo({ top: 0 }))
    await timeline().getByText('Call number 9.').waitFor()
    const before = await sinceNewest(timeline())

    await callBack(bellhop, 'messages', incoming(to, { from: phone, text: 'Are you there?' }))
    await timeline().getByText('Are you there?').waitFor()
    expect(await sinceNewest(timeline())).toBeGreaterThan(before - 1)
    await page.getByRole('button', { name: 'Newest' }).click()
    await expect.poll(() => sinceNewest(timeline()), within).toBeLessThan(2)
    await callBack(bellhop, 'messages', incoming(to, { from: phone, text: 'Hello?' }))
    await timeline().getByText('Hello?').waitFor()
    await expect.poll(() => sinceNewest(timeline()), within).toBeLessThan(2)
  })
})

describe('the thread of somebody without a number', () => {
  test('names a withheld number in the language of the reader, and offers neither a call nor a text', async () => {
    await newCall(company, { remote_number: 'anonymous' })
    await page.goto(`${bellhop.url}/inbox`)
    await threads().getByText('Withheld number').click()
    await page.getByRole('heading', { name: 'Withheld number' }).waitFor()
    await timeline().getByText('Missed call').waitFor()
    await page.getByText('They have no number that you can text.').first().waitFor()
    const thread = page.getByRole('main')
    expect(await thread.getByRole('button', { name: 'Call', exact: true }).count()).toBe(0)
    expect(await thread.getByRole('button', { name: 'Add as contact' }).count()).toBe(0)
    await choose('Dansk')
    await page.getByRole('heading', { name: 'Skjult nummer' }).waitFor()
    await page.getByRole('region', { name: 'Samtaler' }).getByText('Ubesvaret opkald').first().waitFor()
    await choose('English')
  })

  test('shows a sender by the name, and short codes can be called', async () => {
    const [number] = await bellhop.db.sql<{ number: string }[]>`
      select number from business_numbers where company_id = ${company.companyId} and sms_capable limit 1`
    for (const from of ['DSB Info', '1272'])
      await callBack(bellhop, 'messages', incoming(number!.number, { from, text: `By ${from}` }))
    await page.goto(`${bellhop.url}/inbox`)
    await threads().getByText('By DSB Info').click()
    await page.getByRole('heading', { name: 'DSB Info' }).waitFor()
    await timeline().getByText('By DSB Info').waitFor()
    await threads().getByText('By 1272').click()
    await page.getByRole('button', { name: 'Call', exact: true }).waitFor()
  })
})

describe('the composer', () => {
  test('counts the segments of a text by its alphabet, and inserts snippets', async () => {
    await open(MIKKEL)
    const box = page.getByLabel('Write a text')
    await box.fill('æ'.repeat(160))
    await page.getByText('1 text · 0 left').waitFor()
    await box.fill('æ'.repeat(161))
    await page.getByText('2 texts · 145 left').waitFor()
    await box.fill('👋')
    await page.getByText('1 text · 68 left · has characters that make it longer').waitFor()
    await box.fill('Hi!')
    await page.getByRole('button', { name: 'Snippets' }).click()
    await page.getByRole('menuitem', { name: /The way here/ }).click()
    const written = 'Hi! You find us at Havnegade 12, behind the station.'
    expect(await box.inputValue()).toBe(written)

    // The draft is kept while another thread is open.
    await startText('+4531415161')
    await page.getByRole('heading', { name: 'Sofie Krogh' }).waitFor()
    await expect.poll(() => box.inputValue(), within).toBe('')
    await page.goBack()
    await page.getByRole('heading', { name: 'Mikkel Dahl' }).waitFor()
    await expect.poll(() => box.inputValue(), within).toBe(written)
  })

  test('a new text goes to a contact found by name while typing', async () => {
    await page.getByRole('button', { name: 'New text' }).click()
    const start = page.getByRole('button', { name: 'Start' })
    await page.getByLabel('To whom?').fill('nobody at all')
    expect(await start.isDisabled()).toBe(true)
    await page.getByLabel('To whom?').fill('sof kro')
    await page.getByRole('list', { name: 'Contacts' }).getByText('Sofie Krogh').waitFor()
    await page.getByLabel('To whom?').press('Enter')
    await page.waitForURL('**/inbox/+4531415161')

    await page.getByRole('button', { name: 'New text' }).click()
    await page.getByLabel('To whom?').fill('20 30 40')
    await page
      .getByRole('list', { name: 'Contacts' })
      .getByRole('button', { name: /Mikkel Dahl/ })
      .click()
    await page.waitForURL(`**/inbox/${MIKKEL}`)
  })

  test('a number typed in national format opens the thread of the full number', async () => {
    await startText('20 30 40 50')
    await page.waitForURL(`**/inbox/${MIKKEL}`)
    await page.getByRole('heading', { name: 'Mikkel Dahl' }).waitFor()
    await open('kaffebar')
    await page.getByText('“kaffebar” is not a phone number').waitFor()
  })
})

/** The network shows that the newest text has arrived. */
async function reportDelivery(to: string): Promise<void> {
  const [attempt] = await bellhop.db.sql<{ provider_message_id: string }[]>`
    select provider_message_id from message_attempts where company_id = ${company.companyId} order by id desc`
  await callBack(bellhop, 'delivery_reports', {
    type: 'message.report',
    id: attempt!.provider_message_id,
    from: await numberOf(company, company.numbers.shop),
    to,
    status: 'delivered',
    error_code: null,
    at: new Date().toISOString(),
  })
}

test('there were no errors', () => {
  // Browsers report the text that was refused on purpose, that there is no edge for the softphone, and that there are no
  // snippets if they are asked for in the moment in which texting is switched off.
  const expected = /status of 422|WebSocket|status of 404.*\/text_snippets$/
  expect(complaints.filter((text) => !expected.test(text))).toEqual([])
})
