import { beforeAll, describe, expect, test } from 'vitest'

import { encodeId } from '../server/platform/ids.ts'
import { loadDictionary } from '../web/languages/index.ts'
import { refusalSentence } from '../web/refusals/reasons.ts'
import { newNumber } from './harness/calls/telephony.ts'
import { newEmployee } from './harness/employees.ts'
import { harness, type TestCompany } from './harness/index.ts'

let company: TestCompany
let number: string
/** A number that speaks Russian. */
let russian: string
let employee: string

beforeAll(async () => {
  const bellhop = await harness()
  company = await bellhop.newCompany()
  const add = async (language: string, greeting: string) => {
    const incoming = { type: 'VoicemailConfig', greeting } as const
    return `/business_numbers/${encodeId('num', await newNumber(company, { language, incoming }))}`
  }
  number = await add('da', 'Læg en besked til værkstedet.')
  russian = await add('ru', 'Спасибо за звонок.')
  employee = encodeId('emp', company.employeeId)
  await bellhop.db.tx((tx) => newEmployee(tx, company.companyId, { name: 'Bo', email: 'bo@nordlys.example' }))
  await company.api.post('/contacts', { phone: '+4520304050', name: 'Mikkel' })
})

type Send = () => Promise<{ status: number; body: { errors?: Record<string, string[]> } }>

const ring = (employee_ids: unknown) => ({ type: 'TransferConfig', employee_ids })
const option = (part: object) => ({
  digit: '1',
  action_type: 'VoicemailConfig',
  prompt: 'Læg en besked.',
  ...part,
})
const menu = (...menu_options: unknown[]) => ({ type: 'PhoneMenuConfig', welcome: 'Tast 1.', menu_options })
const settings = (part: object) => () => company.api.patch(number, part)
const incoming = (flow: object) => () => company.api.put(`${number}/incoming_call_config`, flow)
const hours = (day: object) => () =>
  company.api.put(`${number}/outside_business_hours_config`, {
    type: null,
    business_hours: [{ day_of_week: 0, open: true, ...day }],
  })
const preview = (text: unknown) => () =>
  company.api.post(`${number}/voice_previews`, { kind: 'greeting', text })

/** What the forms of the dashboard can send, as the API may refuse it: the field, and the reader's sentence in Danish. */
const REFUSALS: [string, string, Send, RegExp][] = [
  ['a number without a name', 'name', settings({ name: ' ' }), /^Udfyld feltet\.$/],
  ['a name with other letters', 'name', settings({ name: 'Værksted' }), /^Brug kun bogstaverne a til z/],
  ['a name that is too long', 'name', settings({ name: 'a'.repeat(129) }), /højst 128 tegn/],
  ['an unknown timezone', 'timezone', settings({ timezone: 'Mars' }), /^Vælg en tidszone fra listen/],
  ['an unknown language', 'language', settings({ language: 'xx' }), /^Vælg et sprog fra listen/],
  [
    'a language that cannot read a text',
    'language',
    () => company.api.patch(russian, { language: 'da' }),
    /“Спасибо за звонок/,
  ],
  ['a blank text', 'greeting', incoming({ type: 'VoicemailConfig', greeting: '' }), /^Udfyld feltet\.$/],
  ['a text without words', 'greeting', incoming({ type: 'VoicemailConfig', greeting: '…' }), /mindst ét ord/],
  [
    'a text in another script',
    'message',
    incoming({ type: 'RejectConfig', message: 'Спасибо' }),
    /taler dansk/,
  ],
  [
    'a text that is too long',
    'welcome',
    incoming({ ...menu(option({})), welcome: 'a'.repeat(4_001) }),
    /4000/,
  ],
  ['nobody to ring', 'employee_ids', incoming(ring([])), /^Vælg mindst én person\.$/],
  [
    'somebody who was removed',
    'employee_ids',
    incoming(ring([encodeId('emp', crypto.randomUUID())])),
    /er fjernet/,
  ],
  ['a menu without keys', 'menu_options', incoming(menu()), /^Tilføj mindst ét valg\.$/],
  ['a key twice', 'menu_options', incoming(menu(option({}), option({}))), /^To valg har samme tast/],
  ['no such key', 'menu_options.0.digit', incoming(menu(option({ digit: '0' }))), /fra 1 til 9/],
  ['a blank choice', 'menu_options.0.prompt', incoming(menu(option({ prompt: '' }))), /^Udfyld feltet\.$/],
  [
    'hours that end before',
    'business_hours',
    hours({ opening_at: '12:00', closing_at: '09:00' }),
    /^Lukketiden/,
  ],
  [
    'hours without a time',
    'business_hours.0.opening_at',
    hours({ opening_at: 'noon' }),
    /^Skriv et tidspunkt/,
  ],
  ['a blank preview', 'text', preview(' '), /^Der er ikke noget at sige/],
  ['a preview in another script', 'text', preview('Спасибо'), /taler dansk/],
  ['a preview that is too long', 'text', preview('a'.repeat(4_001)), /højst 4000 tegn/],
  [
    'a contact without a number',
    'phone',
    () => company.api.post('/contacts', { phone: 'Mikkel' }),
    /^Det er ikke et telefonnummer/,
  ],
  [
    'a contact that exists',
    'phone',
    () => company.api.post('/contacts', { phone: '+4520304050' }),
    /^En anden kontakt har nummeret/,
  ],
  [
    'an e-mail address without a domain',
    'email',
    () => company.api.patch(`/employees/${employee}`, { email: 'anna' }),
    /^Det er ikke en e-mailadresse/,
  ],
  [
    'the address of a coworker',
    'email',
    () => company.api.patch(`/employees/${employee}`, { email: 'bo@nordlys.example' }),
    /^En anden logger ind/,
  ],
  [
    'a name of two lines',
    'name',
    () => company.api.patch(`/employees/${employee}`, { name: 'Anna\nHolm' }),
    /på én linje/,
  ],
  [
    'a webhook without encryption',
    'url',
    () => company.api.post('/webhooks', { name: 'CRM', url: 'ftp://crm.example', events: ['call.ended'] }),
    /https:\/\/$/,
  ],
]

describe('the dashboard says in the language of the reader what to do about', () => {
  test.each(REFUSALS)('%s', async (_, field, send, sentence) => {
    const { status, body } = await send()
    expect({ status, fields: Object.keys(body.errors ?? {}) }).toEqual({ status: 422, fields: [field] })
    const danish = await loadDictionary('da')
    for (const message of body.errors![field]!)
      expect(refusalSentence(danish!.refusal, 'da', message)).toMatch(sentence)
  })
})
