import { expect, test } from 'vitest'

import { eventually, followCallEvents, lastCall } from '../harness/calls/call-events.ts'
import { CUSTOMER, numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { allRows } from '../harness/routes/rows.ts'

const { bellhop, dial, hire } = await openPhoneSystem({
  BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1',
  SIP_DOMAIN: 'phone.example.com:5070',
})

const ASSERTED = '+4531445566'
const IDENTITY = { 'p-asserted-identity': `"Anna Holm" <sip:${ASSERTED}@carrier.test>` }

async function callFrom(caller: { from?: string; host?: string; headers?: Record<string, string> }) {
  const company = await bellhop.newCompany()
  const { number } = await numberWith(bellhop, company, { type: 'RejectConfig', message: 'Closed.' })
  const phone = await dial(number, caller)
  await phone.connected()
  await eventually(async () => expect(await lastCall(company)).toBeDefined())
  return { company, from: (await lastCall(company)).from as string }
}

test.each([
  ['id', CUSTOMER, 'carrier.test', { privacy: 'id' }],
  ['user', CUSTOMER, 'carrier.test', { privacy: 'user' }],
  ['header', CUSTOMER, 'carrier.test', { privacy: 'header' }],
  ['id and critical', CUSTOMER, 'carrier.test', { privacy: 'Id;Critical' }],
  ['a caller who is anonymous', 'anonymous', 'anonymous.invalid', {}],
  ['a host that is anonymous', CUSTOMER, 'Anonymous.Invalid', {}],
  ['a user that is anonymous', 'Anonymous', 'carrier.test', { privacy: 'none' }],
  ['a user that is restricted', 'Restricted', 'carrier.test', {}],
  [
    'Remote-Party-ID',
    CUSTOMER,
    'carrier.test',
    { 'remote-party-id': `<sip:${ASSERTED}@carrier.test>;party=calling;privacy=full` },
  ],
])('a withheld number is stored nowhere: %s', async (_, from, host, headers) => {
  const { company, from: shown } = await callFrom({ from, host, headers: { ...IDENTITY, ...headers } })
  expect(shown).toBe('anonymous')
  // The inbox may have a call a moment later than the list of calls.
  await eventually(async () => {
    const { body } = await company.api.get('/inbox/anonymous/activity')
    expect(body.items).toMatchObject([{ type: 'call', from: 'anonymous' }])
  })
  const rows = JSON.stringify(await allRows(bellhop.db.sql))
  expect(rows).toContain('anonymous')
  expect(rows).not.toContain(ASSERTED.slice(3))
  expect(rows).not.toContain(CUSTOMER.slice(3))
  expect(rows).not.toContain('Anna Holm')
})

test('a phone shows the name of the contact, and an address that it can redial', async () => {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const rings = async () => {
    const caller = await dial(number)
    await caller.connected()
    const { call, ended } = await anna.rings()
    caller.hangUp()
    await ended()
    return call.from
  }
  const domain = { user: CUSTOMER, host: 'phone.example.com', port: 5070 }
  expect(await rings()).toMatchObject({ uri: domain })
  await company.api.post('/contacts', { phone: CUSTOMER, company_name: 'Lilac Ltd' })
  expect(await rings()).toMatchObject({ name: 'Lilac Ltd', uri: domain })
  const [contact] = (await company.api.get(`/contacts?phone=${CUSTOMER.replace('+', '%2B')}`)).body
  await company.api.patch(`/contacts/${contact.id}`, { name: 'Bodil "Bo" Dahl' })
  expect(await rings()).toMatchObject({ name: 'Bodil "Bo" Dahl', uri: domain })
})

test('a withheld number rings as anonymous, and webhooks do not have it either', async () => {
  const company = await bellhop.newCompany()
  const told = await followCallEvents(bellhop, company)
  const anna = await hire(company, 'Anna', 700)
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const caller = await dial(number, { headers: { ...IDENTITY, privacy: 'id' } })
  await caller.connected()
  const ring = await anna.rings()
  expect(ring.call.from.uri).toMatchObject({ user: 'anonymous' })
  const received = ring.call.request.headers.all('p-asserted-identity')
  expect(received).toEqual([])
  caller.hangUp()
  await ring.ended()
  const events = await eventually(async () => {
    const events = await told()
    expect(events.map(({ event }) => event)).toContain('call.ended')
    return events
  })
  const text = JSON.stringify(events)
  expect(text).not.toContain(ASSERTED.slice(3))
  expect(text).not.toContain(CUSTOMER.slice(3))
})

test.each([
  ['without a wish for privacy, the asserted one', CUSTOMER, IDENTITY, ASSERTED],
  ['with privacy of none, the asserted one', CUSTOMER, { ...IDENTITY, privacy: 'none' }, ASSERTED],
  [
    'with privacy of the media alone, the asserted one',
    CUSTOMER,
    { ...IDENTITY, privacy: 'session' },
    ASSERTED,
  ],
  [
    'of From, if the asserted one is no number',
    CUSTOMER,
    { 'p-asserted-identity': '<sip:pbx@x.test>' },
    CUSTOMER,
  ],
  ['asserted as a tel URI', 'unavailable', { 'p-asserted-identity': `<tel:${ASSERTED}>` }, ASSERTED],
  [
    'of the two identities in the example of RFC 3325 §9.1 the one with a number',
    'unavailable',
    { 'p-asserted-identity': '"Cullen Jennings" <sip:fluffy@cisco.com>, tel:+14085264000' },
    '+14085264000',
  ],
  ['in national form', '20112233', {}, CUSTOMER],
  ['in international form without its plus', '4520112233', {}, CUSTOMER],
  ['a short code', '1272', {}, '1272'],
  ['a name', 'DSB Info', {}, 'DSB Info'],
  ['nobody', 'unavailable', {}, 'anonymous'],
])('the calling number is %s', async (_, from, headers, shown) => {
  expect((await callFrom({ from, headers })).from).toBe(shown)
})

test('a name that is no number rings a phone', async () => {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const caller = await dial(number, { from: 'A/B & Søn' })
  await caller.connected()
  expect((await anna.rings()).call.from.uri).toMatchObject({ user: 'A/B & Søn' })
})
