import { expect, test } from 'vitest'

import { callIs, followCallEvents, lastCall } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'

const { bellhop, hire, callee } = await openPhoneSystem({
  BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1',
  OUTBOUND_COUNTRIES: 'DK',
  OUTBOUND_PER_MINUTE: '3',
})

async function officeOfOne(country = 'DK') {
  const company = await bellhop.newCompany({ country })
  const anna = await hire(company, 'Anna', 700)
  const flow = { type: 'TransferConfig', employee_ids: [anna.id] }
  const first = await numberWith(bellhop, company, flow)
  const second = await numberWith(bellhop, company, flow)
  return { company, anna, first, second }
}

test('an employee places a call: both hear each other, and the call names the employee', async () => {
  const { company, anna, first } = await officeOfOne()
  const told = await followCallEvents(bellhop, company)
  const phone = await anna.dial('20112233')
  const other = await callee()
  expect(other.call.uri).toMatchObject({ user: '+4520112233' })
  expect(other.call.from.uri).toMatchObject({ user: first.number, host: '127.0.0.1' })
  expect(await lastCall(company)).toMatchObject({ state: 'initiated', answered_at: null })
  expect((await anna.api.get('/calls/active')).body.call).toMatchObject({
    direction: 'outbound',
    to: '+4520112233',
  })
  await other.answer()
  await phone.answered()
  await Promise.all([phone.hears(500), other.hears(700)])
  const call = await callIs(company, 'bridged')
  expect(call).toMatchObject({
    direction: 'outbound',
    from: first.number,
    to: '+4520112233',
    initiated_by: { id: anna.id, name: 'Anna' },
    employees: [{ id: anna.id, name: 'Anna' }],
  })
  phone.hangUp()
  await other.ended()
  await callIs(company, 'ended')
  const events = await told()
  expect(events.map(({ event }) => event)).toEqual(['call.initiated', 'call.answered', 'call.ended'])
  expect(events[0]!.data.initiated_by).toEqual({ id: anna.id, name: 'Anna' })
})

test('the caller ID is the number requested by header or prefix, or else the last one used', async () => {
  const { anna, first, second } = await officeOfOne()
  const shown = async (dialled: string, headers: Record<string, string> = {}) => {
    const phone = await anna.dial(dialled, headers)
    const other = await callee()
    phone.hangUp()
    await other.ended()
    return (other.call.from.uri as { user: string }).user
  }
  expect(await shown('20112233', { 'x-bellhop-number': second.id })).toBe(second.number)
  expect(await shown('20112233')).toBe(second.number)
  expect(await shown('*1*20112233')).toBe(first.number)
})

test('the phone is notified of a busy callee, and the call is unanswered', async () => {
  const { company, anna } = await officeOfOne()
  const phone = await anna.dial('+4520112233')
  const other = await callee()
  other.call.reject(486)
  expect(await phone.ended()).toMatchObject({ why: 'refused', status: 486 })
  expect(await callIs(company, 'ended')).toMatchObject({ answered_at: null, duration: 0 })
})

test('a callee who does not answer within two minutes is no longer rung, and the call is lost', async () => {
  const { company, anna } = await officeOfOne()
  const told = await followCallEvents(bellhop, company)
  const phone = await anna.dial('+4520112233')
  const other = await callee()
  bellhop.clock.advance(119_999)
  expect(other.call.isOver).toBe(false)
  bellhop.clock.advance(1)
  expect(await other.ended()).toEqual({ why: 'cancelled' })
  expect(await phone.ended()).toMatchObject({ why: 'refused', status: 480 })
  await callIs(company, 'ended')
  const names = (await told()).map(({ event }) => event)
  expect(names).toEqual(['call.initiated', 'call.ended', 'call.lost'])
})

test('expensive calls are refused: other countries, invalid numbers, and too many calls in a minute', async () => {
  const { anna } = await officeOfOne()
  const refusal = async (dialled: string) => (await anna.dial(dialled)).ended()
  expect(await refusal('+12125550123')).toMatchObject({ status: 403 })
  expect(await refusal('112233')).toMatchObject({ status: 484 })
  for (let placed = 0; placed < 3; placed++) {
    const phone = await anna.dial('20112233')
    const other = await callee()
    phone.hangUp()
    await other.ended()
  }
  expect(await refusal('20112233')).toMatchObject({ status: 503 })
  const forHelp = await anna.dial('112')
  expect((await callee()).call.uri).toMatchObject({ user: '112' })
  forHelp.hangUp()
  bellhop.clock.advance(61_000)
  const phone = await anna.dial('20112233')
  await callee()
  phone.hangUp()
})

test('a number of an expensive type is refused, and the log has the reason', async () => {
  const { company, anna } = await officeOfOne()
  expect(await (await anna.dial('90112233')).ended()).toMatchObject({ status: 403 })
  expect((await company.api.get('/calls')).body.calls).toEqual([])
  expect(bellhop.logged.join()).toContain('calls to numbers of that type are not allowed')
})

test.each([401, 407, 302])('a phone does not see the %s of a carrier', async (status) => {
  const { company, anna } = await officeOfOne()
  const phone = await anna.dial('20112233')
  const other = await callee()
  other.call.reject(status, {
    'www-authenticate': 'Digest realm="elsewhere", nonce="1"',
    'proxy-authenticate': 'Digest realm="elsewhere", nonce="1"',
    contact: '<sip:+4520112233@elsewhere.example>',
  })
  expect(await phone.ended()).toMatchObject({ why: 'refused', status: 503 })
  expect(await callIs(company, 'ended')).toMatchObject({ answered_at: null })
  expect(
    bellhop.logged.some((line) => line.includes('did not take a call') && line.includes(`${status}`)),
  ).toBe(true)
})

test('any possible number is called, also one that nobody has', async () => {
  const { company, anna } = await officeOfOne()
  const phone = await anna.dial('12345678')
  expect((await callee()).call.uri).toMatchObject({ user: '+4512345678' })
  expect(await lastCall(company)).toMatchObject({ to: '+4512345678' })
  phone.hangUp()
})

test.each(['112', '1813', '116117'])('the short number %s is called as it was dialled', async (dialled) => {
  const { company, anna, first } = await officeOfOne()
  const phone = await anna.dial(dialled)
  const other = await callee()
  expect(other.call.uri).toMatchObject({ user: dialled })
  expect(other.call.from.uri).toMatchObject({ user: first.number })
  expect(await lastCall(company)).toMatchObject({ to: dialled })
  const { body } = await company.api.get('/inbox')
  expect(body.threads).toMatchObject([
    { phone_number: dialled, contact: null, reply_business_number_id: null },
  ])
  phone.hangUp()
})

test.each([
  ['GB', '999'],
  ['GB', '118118'],
  ['FR', '118 218'],
  ['US', '911'],
  ['DE', '110'],
  ['IT', '113'],
  ['IT', '118'],
  ['ER', '124422'],
])(
  'in %s, the short number %s is called, also if the number to show is not there',
  async (country, dialled) => {
    const { company, anna, first } = await officeOfOne(country)
    const phone = await anna.dial(dialled, { 'x-bellhop-number': '+4512341234' })
    const other = await callee()
    const digits = dialled.replace(' ', '')
    expect(other.call.uri).toMatchObject({ user: digits })
    expect(other.call.from.uri).toMatchObject({ user: first.number })
    expect(await lastCall(company)).toMatchObject({ to: digits })
    phone.hangUp()
  },
)

test('a phone that withholds its number is anonymous to the callee, and known to the carrier', async () => {
  const { company, anna, first } = await officeOfOne()
  const phone = await anna.dial('20112233', { privacy: 'id' })
  const { call } = await callee()
  expect(call.from).toMatchObject({
    name: 'Anonymous',
    uri: { user: 'anonymous', host: 'anonymous.invalid' },
  })
  const { headers } = call.request
  expect(headers.get('privacy')).toBe('id')
  expect(headers.get('p-preferred-identity')).toBe(`<sip:${first.number}@127.0.0.1>`)
  expect(await lastCall(company)).toMatchObject({ from: first.number, to: '+4520112233' })
  phone.hangUp()
})

test('a number of another company cannot be the caller ID', async () => {
  const { anna } = await officeOfOne()
  const { first: foreign } = await officeOfOne()
  const phone = await anna.dial('20112233', { 'x-bellhop-number': foreign.number })
  expect(await phone.ended()).toMatchObject({ status: 403 })
})
