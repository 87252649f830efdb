import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'

import { encodeId } from '../../server/platform/ids.ts'
import { faultsInEveryLook } from '../harness/browser/axe.ts'
import { openDashboard } from '../harness/browser/dashboard.ts'
import { newCall } from '../harness/calls/telephony.ts'
import { type Harness, harness } from '../harness/index.ts'
import { newShowcase, type Showcase } from '../harness/showcase.ts'
import { newRecordedVoicemail } from '../harness/sound/recorded-voicemail.ts'

// A browser takes long to start, and to do anything, on a busy machine.
const PATIENCE_MS = 60_000
const MINUTE_MS = 60_000
const within = { timeout: PATIENCE_MS }

let bellhop: Harness
let company: Showcase
let page: Page

beforeAll(async () => {
  bellhop = await harness()
  company = await newShowcase(bellhop)
  page = (await openDashboard(bellhop, company, '/contacts')).page
  page.setDefaultTimeout(PATIENCE_MS)
})

const go = (path: string) => page.goto(bellhop.url + path)
const dialog = () => page.getByRole('dialog')
/** All fields of a contact that importing it again must not change. */
const kept = (contact: Record<string, unknown>) => ({ ...contact, updated_at: undefined })
const contactWith = async (phone: string) =>
  (await company.api.get(`/contacts?phone=${encodeURIComponent(phone)}`)).body[0]

/** Up to the button that starts the import. */
async function importFile(name: string, content: string | Buffer) {
  const file = join(bellhop.dataDir, name)
  await writeFile(file, content)
  await page.getByRole('button', { name: 'Import CSV' }).click()
  await dialog().getByLabel('Choose a file').setInputFiles(file)
  return dialog().getByRole('button', { name: 'Import' })
}

describe('contacts', () => {
  test('that are double are shown, and merged by choosing what remains', async () => {
    const add = async (fields: object) => (await company.api.post('/contacts', fields)).body
    const main = await add({ phone: '+4520998801', name: 'Inge Holst', note: 'Prefers mornings.' })
    const other = await add({ phone: '+4520998802', name: 'inge holst', email: 'inge@holst.example' })
    await go('/contacts')
    await page.getByRole('link', { name: 'Doubles' }).click()
    await page.getByRole('button', { name: 'Merge Inge Holst' }).click()
    expect(await faultsInEveryLook(page)).toEqual([])
    await dialog().getByLabel('+45 20 99 88 02').check()
    await dialog().getByLabel('Inge Holst', { exact: true }).check()
    await dialog().getByLabel('Note').fill('Prefers evenings.')
    await dialog().getByRole('button', { name: 'Merge' }).click()
    await page.getByText('No doubles').waitFor()
    expect(await faultsInEveryLook(page)).toEqual([])
    expect(await contactWith(main.phone)).toMatchObject({
      id: other.id,
      phone: other.phone,
      name: 'Inge Holst',
      email: 'inge@holst.example',
      note: 'Prefers evenings.',
    })

    await page.getByRole('link', { name: 'All contacts' }).click()
    await page.getByLabel('Search contacts').fill('20998801')
    await page.getByText('1 found').waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await dialog().getByRole('button', { name: 'Remove +45 20 99 88 01' }).click()
    await page.getByText('Number removed.').waitFor()
    expect(await contactWith(main.phone)).toBeUndefined()
    await page.keyboard.press('Escape')
    await company.api.delete(`/contacts/${other.id}`)
  })

  test('are imported from a spreadsheet file; refused lines are listed with their line numbers', async () => {
    await go('/contacts')
    const lines = [
      '\uFEFFNavn;Telefon;E-mail;Firma;Note',
      '"Søren ""Smeden"" Ågård";20 11 22 33;soren@smeden.example;"Smeden; Ågård & Co";"Ringer',
      'om fredagen"',
      '',
      'Forkert Nummer;12;;;',
      // An existing contact, with its number in national format.
      ';20304050;;Dahl ApS;',
      'Ingen Nummer;;;;',
    ]
    await (await importFile('from-excel.csv', lines.join('\r\n'))).click()
    await dialog().getByText('1 added, 1 changed.').waitFor()
    expect(await dialog().getByRole('listitem').allTextContents()).toEqual([
      expect.stringMatching(/^Line 5: Phone: This is not a phone number/),
      expect.stringMatching(/^Line 7: Phone: ./),
    ])
    await dialog().getByRole('button', { name: 'Close' }).last().click()
    await page.getByText('Søren "Smeden" Ågård').waitFor()
    expect(await contactWith('+4520112233')).toMatchObject({
      name: 'Søren "Smeden" Ågård',
      email: 'soren@smeden.example',
      company_name: 'Smeden; Ågård & Co',
      note: expect.stringMatching(/^Ringer\r?\nom fredagen$/),
    })
    expect(await contactWith('+4520304050')).toMatchObject({ name: 'Mikkel Dahl', company_name: 'Dahl ApS' })
  })

  test('of a file in an older encoding keep their special characters', async () => {
    const text = 'name,phone\nBjørn Ærø,+4520112244\n'
    await (await importFile('older.csv', Buffer.from(text, 'latin1'))).click()
    await dialog().getByText('1 added, 0 changed.').waitFor()
    await dialog().getByRole('button', { name: 'Close' }).last().click()
    expect(await contactWith('+4520112244')).toMatchObject({ name: 'Bjørn Ærø' })
  })

  test('a file without phone numbers is refused before anything is changed', async () => {
    const start = await importFile('wrong.csv', 'first,last\nA,B\n')
    await dialog().getByText('There is no column named phone.').waitFor()
    expect(await start.isDisabled()).toBe(true)
    await page.keyboard.press('Escape')
  })

  test('are exported to a file that can be imported again, unchanged', async () => {
    await company.api.post('/contacts', { phone: '+4520112255', name: '=1+1', note: 'a\n"b";c' })
    await go('/contacts')
    await page.getByText('=1+1').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    const file = await readFile(await download.path(), 'utf8')
    expect(file.startsWith('\uFEFFphone,name,email,company,note')).toBe(true)
    expect(file).toContain('"Søren ""Smeden"" Ågård"')
    // A spreadsheet must not interpret it as a formula.
    expect(file).toContain("'=1+1")

    const before = (await company.api.get('/contacts')).body as { id: string }[]
    await (await importFile('again.csv', file)).click()
    await dialog().getByText(`0 added, ${before.length} changed.`).waitFor()
    const after = (await company.api.get('/contacts')).body as { id: string }[]
    expect(after.map(kept)).toEqual(before.map(kept))
    await dialog().getByRole('button', { name: 'Close' }).last().click()
  })

  test('of 4,900 are counted, sorted and loaded on scrolling, and found while typing, without reading all', async () => {
    const { db, companyId } = company
    await db.sql`
      insert into contacts (company_id, phone, phone_formatted, name)
      select ${companyId}, '+4590' || lpad(n::text, 6, '0'), '+45 90' || lpad(n::text, 6, '0'),
        'Person ' || lpad(n::text, 4, '0')
      from generate_series(1, 4900) n`
    const [{ total }] = (await db.sql`
      select count(*)::integer as total from contacts where company_id = ${companyId}`) as [{ total: number }]
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await go('/contacts')
    await page.getByText(`${total.toLocaleString('en')} contacts`).waitFor()
    const person = (name: string) => page.getByText(`Person ${name}`, { exact: true })
    await person('0001').waitFor()
    expect(await person('0060').count()).toBe(0)
    await page.getByRole('main').getByRole('listitem').last().scrollIntoViewIfNeeded()
    await person('0060').waitFor()

    await page.getByLabel('Order').selectOption('Newest first')
    await person('4900').waitFor()
    expect(await person('0001').count()).toBe(0)

    await page.getByLabel('Search contacts').fill('PERS')
    await page.getByText('4,900 found').waitFor()
    await page.getByLabel('Search contacts').fill('90 00 12 34')
    await page.getByText('1 found').waitFor()
    await person('1234').waitFor()
    await page.getByLabel('Search contacts').fill('smeden')
    await person('1234').waitFor({ state: 'detached' })
    expect(await page.getByRole('main').getByRole('listitem').count()).toBe(1)
    await page.getByLabel('Search contacts').fill('99 99 99 99')
    await page.getByText('Nobody found').waitFor()
    expect(asked).not.toContain('/api/v1/contacts')
  })
})

test('calls and voicemails come with the names of contacts', async () => {
  const phone = '+4531223344'
  await newCall(company, { business_number_id: company.numbers.shop, remote_number: phone })
  await company.api.post('/contacts', { phone, company_name: 'Kloster & Søn' })
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const failed: string[] = []
  page.on('requestfailed', (request) => failed.push(request.url()))
  for (const path of ['/calls', '/voicemails', '/live']) {
    await go(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    // Requests of the page before were cut off.
    failed.length = 0
    await page.waitForLoadState('networkidle')
    // A response that is not read keeps a connection until the request is given up.
    expect(failed).toEqual([])
    if (path === '/calls') await page.getByText('Kloster & Søn').first().waitFor()
  }
  expect(asked).not.toContain('/api/v1/contacts')
})

test('a voicemail is played, marked and deleted', async () => {
  const voicemail = await newRecordedVoicemail(bellhop, company, {
    business_number_id: company.numbers.shop,
    from_number: '+4542526272',
    transcription: 'It is the coffee bar again.',
  })
  const read = () => company.api.get(`/voicemails/${encodeId('voi', voicemail)}`)
  await go('/voicemails')
  const row = page.getByRole('listitem').filter({ hasText: 'It is the coffee bar again.' })
  await row.getByText('New', { exact: true }).waitFor()
  const player = row.getByLabel('Voicemail from Havnens Kaffebar').locator('audio')
  await player.evaluate((audio: HTMLAudioElement) => audio.play())
  await row.getByText('New', { exact: true }).waitFor({ state: 'detached' })
  expect((await read()).body.listened_at).not.toBeNull()
  // Marking it does not stop playback.
  await expect.poll(() => player.evaluate((audio: HTMLAudioElement) => audio.ended), within).toBe(true)

  await row.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: /new/i }).click()
  await row.getByText('New', { exact: true }).waitFor()
  expect((await read()).body.listened_at).toBeNull()
  await row.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await dialog().getByRole('button', { name: 'Delete' }).click()
  await row.waitFor({ state: 'detached' })
  expect((await read()).status).toBe(404)
})

test('an employee is invited, set to do not disturb for an hour, and removed', async () => {
  await go('/employees')
  await page.getByRole('button', { name: /Invite/ }).click()
  await dialog().getByLabel('Name').fill('Dorte Ø. Bach')
  await dialog().getByLabel('E-mail').fill('dorte@nordlys.example')
  await dialog().getByRole('button', { name: /invit/i }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'Dorte Ø. Bach' })
  await row.waitFor()
  const actions = row.getByRole('button', { name: /Dorte Ø. Bach/ })
  await actions.click()
  const before = Date.now()
  await page.getByRole('menuitem', { name: 'For an hour' }).click()
  await row.getByText('Do not disturb').first().waitFor()
  const { body } = await company.api.get('/employees')
  const dorte = body.employees.find(({ name }: { name: string }) => name === 'Dorte Ø. Bach')
  const until = Date.parse(dorte.do_not_disturb_expires_at)
  expect(until).toBeGreaterThanOrEqual(before + 60 * MINUTE_MS)
  expect(until).toBeLessThanOrEqual(Date.now() + 60 * MINUTE_MS)
  await actions.click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await dialog().getByLabel(/Type/).fill('Dorte Ø. Bach')
  await dialog().getByRole('button', { name: 'Remove' }).click()
  await row.waitFor({ state: 'detached' })

  // A call target cannot be removed until somebody else takes the calls.
  const bo = page.getByRole('listitem').filter({ hasText: 'Bo Lund' })
  await bo.getByRole('button', { name: /Bo Lund/ }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await dialog().getByLabel(/Type/).fill('Bo Lund')
  await dialog().getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('alert').getByRole('link', { name: 'Shop', exact: true }).waitFor()
})

/** The name of the element with the focus. */
const focused = () =>
  page.evaluate<string>(`(() => {
    const { labels, innerText } = document.activeElement
    return labels?.[0]?.innerText ?? innerText
  })()`)

const numberId = () => encodeId('num', company.numbers.workshop)
const stored = async () => (await company.api.get(`/business_numbers/${numberId()}`)).body

/** The hours of each day, or false if it is closed. */
const week = async () =>
  (await stored()).business_hours.map(
    ({ open, opening_at, closing_at }: { open: boolean; opening_at: string; closing_at: string }) =>
      open && `${opening_at}-${closing_at}`,
  )

describe('a number', () => {
  test('has greetings that can be previewed before callers hear them, and a menu whose branches are edited', async () => {
    // The fastest of the embedded voices.
    await company.api.patch(`/business_numbers/${numberId()}`, { language: 'da' })
    await company.api.put(`/business_numbers/${numberId()}/incoming_call_config`, {
      type: 'PhoneMenuConfig',
      welcome: 'Tast 1 eller 2.',
      menu_options: [
        { digit: '1', action_type: 'VoicemailConfig', prompt: 'Læg en besked.' },
        { digit: '2', action_type: 'PlayMessageConfig', prompt: 'Vi har åbent.' },
      ],
    })
    await go(`/numbers/${numberId()}`)
    const open = page.getByRole('region', { name: 'During business hours' })
    await open.getByRole('button', { name: /^Change: What is said/ }).click()
    await open.getByRole('button', { name: 'Listen' }).click()
    const player = open.getByRole('group', { name: 'Change: What is said' }).locator('audio')
    await player.evaluate((audio: HTMLAudioElement) => audio.play())
    const heard = await player.evaluate((audio: HTMLAudioElement) => [audio.duration, audio.error])
    expect(heard).toEqual([expect.any(Number), null])
    expect(heard[0]).toBeGreaterThan(0.5)

    // By keyboard alone: each node opens where it stands, and Escape leads back to it.
    const key = (digit: number) => open.getByRole('button', { name: new RegExp(`^Change: Press ${digit}`) })
    await key(1).press('Enter')
    expect(await focused()).toBe('Key')
    await page.keyboard.press('Escape')
    await expect.poll(focused, within).toMatch(/^Change: Press 1/)
    await key(2).click()
    await open.getByRole('button', { name: 'Remove this key' }).click()
    await key(2).waitFor({ state: 'detached' })
    await key(1).click()
    await open.getByLabel('Key', { exact: true }).selectOption('7')
    await open.getByRole('textbox').fill('Læg en besked til værkstedet.')
    expect(await faultsInEveryLook(page)).toEqual([])
    await open.getByRole('button', { name: 'Add a key' }).click()

    // What the API refuses is said beside the field, which gets the focus.
    await open.getByRole('button', { name: 'Save' }).click()
    await open.getByRole('alert').getByText('Choose at least one person.').waitFor()
    await expect.poll(focused, within).toBe('Anna Holm')
    await open.getByLabel('Bo Lund').check()
    await open.getByLabel('Key', { exact: true }).selectOption('7')
    await open.getByRole('button', { name: 'Done' }).click()
    await open.getByRole('button', { name: 'Save' }).click()
    await open.getByRole('alert').getByText('Two choices have the same key.').waitFor()
    await expect.poll(focused, within).toBe('Key')
    await open.getByLabel('Key', { exact: true }).selectOption('1')
    await open.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved. The next call follows it.').waitFor()
    await open.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
    expect((await stored()).incoming_call_config.menu_options).toMatchObject([
      { digit: '7', action_type: 'VoicemailConfig', prompt: 'Læg en besked til værkstedet.' },
      { digit: '1', action_type: 'TransferConfig', employee_ids: [expect.stringMatching(/^emp_/)] },
    ])
  })

  test('can be called in the browser: its caller hears the sounds of the service, and presses keys', async () => {
    await company.api.put(`/business_numbers/${numberId()}/incoming_call_config`, {
      type: 'PhoneMenuConfig',
      welcome: 'Tast 7.',
      menu_options: [{ digit: '7', action_type: 'VoicemailConfig', prompt: 'Læg en besked.' }],
    })
    await bellhop.drainJobs()
    await go(`/numbers/${numberId()}`)
    await page.getByRole('button', { name: 'Walk through a call' }).click()
    await dialog().getByLabel('When open').check()
    const captions = dialog().getByRole('list', { name: 'What the caller hears' })
    const audio = dialog().locator('audio')
    await captions.getByText('“Tast 7.”').waitFor()
    await expect
      .poll(() => audio.evaluate((each: HTMLAudioElement) => each.currentTime), within)
      .toBeGreaterThan(0)
    expect(await faultsInEveryLook(page)).toEqual([])
    await dialog().getByRole('button', { name: '7', exact: true }).click()
    // The greeting and the tone are played to their ends.
    await captions.getByText('Now they leave a message.').waitFor()
    expect(await captions.getByRole('listitem').allInnerTexts()).toEqual([
      '“Tast 7.”',
      'They press 7.',
      '“Læg en besked.”',
      'The tone.',
      'Now they leave a message.',
    ])
    await dialog().getByRole('button', { name: 'Hang up' }).click()
    await dialog().getByRole('button', { name: 'Call again' }).click()
    await page.keyboard.press('8')
    await captions.getByText('They press 8.').waitFor()
    await page.keyboard.press('Escape')
    // One branch, from the picture.
    await page.getByRole('button', { name: 'Hear key 7 as a caller' }).click()
    await captions.getByText('“Læg en besked.”').waitFor()
    await page.keyboard.press('Escape')
  })

  test('has a setting for how people learn that they are recorded, which says what they hear', async () => {
    const notice = async () =>
      (await company.api.get(`/business_numbers/${numberId()}/recording_notice`)).body.notice
    await company.api.patch(`/business_numbers/${numberId()}`, { language: 'da', recording_enabled: false })
    await go(`/numbers/${numberId()}`)
    const field = page.getByLabel('How people learn that they are recorded')
    const records = page.getByRole('switch', { name: 'Record calls' })
    await records.waitFor()
    expect(await field.count()).toBe(0)
    await records.click()
    await field.selectOption('An announcement')
    await page.getByText('“Samtalen bliver optaget.”').waitFor()
    const save = page.locator('form', { hasText: 'Record calls' }).getByRole('button', { name: 'Save' })
    await save.click()
    await expect.poll(notice, within).toBe('announcement')
    expect((await stored()).recording_enabled).toBe(true)
    await page.reload()
    await expect.poll(() => field.inputValue(), within).toBe('announcement')
    await field.selectOption('A short tone every 15 seconds')
    await save.click()
    await expect.poll(notice, within).toBe('beep')
  })

  test('has hours for each day of the week, and says what is wrong with them', async () => {
    await go(`/numbers/${numberId()}`)
    await page.getByLabel('Tuesday', { exact: true }).uncheck()
    await page.getByLabel('Wednesday: From').fill('10:30')
    await page.getByLabel('Wednesday: To').fill('09:00')
    const save = page.locator('form', { hasText: 'Wednesday' }).getByRole('button', { name: 'Save' })
    await page.getByRole('alert').filter({ hasText: 'It must close after it opens.' }).waitFor()
    expect(await save.isDisabled()).toBe(true)
    await page.getByLabel('Wednesday: To').fill('after lunch')
    await page.getByRole('alert').filter({ hasText: 'Write a time, for example 17:00.' }).waitFor()
    expect(await save.isDisabled()).toBe(true)
    // As people write it, in either language.
    await page.getByLabel('Monday: To').fill('24:00')
    await page.getByLabel('Wednesday: From').fill('9.30')
    await page.getByLabel('Wednesday: To').fill('6:15 pm')
    await page.getByLabel('Thursday: From').fill('11 pm')
    await page.getByLabel('Thursday', { exact: true }).uncheck()
    await page.getByLabel('Friday: To').fill('1800')
    await page.getByLabel('Friday: To').press('Enter')
    await expect
      .poll(async () => (await stored()).business_hours.slice(0, 5), within)
      .toMatchObject([
        { open: true, closing_at: '24:00' },
        { open: false },
        { open: true, opening_at: '09:30', closing_at: '18:15' },
        { open: false, opening_at: '08:00', closing_at: '16:00' },
        { open: true, closing_at: '18:00' },
      ])
    expect(await page.getByLabel('Wednesday: To').inputValue()).toBe('18:15')

    // The hours of the day that is edited are copied with one click, and can be taken back.
    const copies = page.getByRole('group', { name: 'Copy the hours of Wednesday to' })
    await page.getByLabel('Wednesday: From').focus()
    await copies.getByRole('button', { name: 'Every day' }).click()
    expect(await page.getByLabel('Sunday: To').inputValue()).toBe('18:15')
    await copies.getByRole('button', { name: 'Undo copy' }).click()
    expect(await page.getByLabel('Sunday', { exact: true }).isChecked()).toBe(false)
    await copies.getByRole('button', { name: 'Weekdays' }).click()
    await copies.getByRole('button', { name: 'Sat' }).click()
    await save.click()
    await expect.poll(week, within).toEqual([...Array.from({ length: 6 }, () => '09:30-18:15'), false])
  })

  test('says in the language of the reader what is wrong with its settings, beside the field', async () => {
    await page.context().addCookies([{ name: 'bellhop_language', value: 'da', url: bellhop.url }])
    await go(`/numbers/${numberId()}`)
    await page.getByLabel('Navn', { exact: true }).fill('Værksted')
    const form = page.locator('form', { hasText: 'Tidszone' })
    await form.getByRole('button', { name: 'Gem' }).click()
    await form.getByRole('alert').getByText('Brug kun bogstaverne a til z').waitFor()
    await expect.poll(focused, within).toBe('Navn')
    await page.context().clearCookies({ name: 'bellhop_language' })
  })
})

const titles = async () =>
  (await company.api.get('/text_snippets')).body.map((one: { title: string }) => one.title)

test('snippets are created, reordered and deleted', async () => {
  await go('/snippets')
  await page.getByRole('button', { name: 'Add snippet' }).click()
  await dialog().getByLabel('Title').fill('Closed')
  await dialog().getByLabel('Text', { exact: true }).fill('We are closed today.')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Move Closed up' }).click()
  await expect.poll(titles, within).toEqual(['Ready', 'Closed', 'The way here'])
  const row = page.getByRole('listitem').filter({ hasText: 'We are closed today.' })
  await row.getByRole('button', { name: 'Delete' }).click()
  await dialog().getByRole('button', { name: 'Delete' }).click()
  await expect.poll(titles, within).toEqual(['Ready', 'The way here'])
})
