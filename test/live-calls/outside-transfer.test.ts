import { expect, test } from 'vitest'

import { setOutsideTransfers } from '../../server/modules/company/index.ts'
import { callIs, eventually, followCallEvents } from '../harness/calls/call-events.ts'
import { type Employee, numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import type { TestCompany } from '../harness/index.ts'
import { expectNoLiveRows } from '../harness/processes/no-live-rows.ts'
import { transferWith } from '../harness/sip/transfer-with.ts'
import { channelsOf, findTonePair } from '../harness/sound/audio-analysis.ts'
import { hearsMusic } from '../harness/sound/hears-all.ts'

const PER_MINUTE = 3
const OUTSIDE = '+4520998877'
const { bellhop, carrier, callee, dial, hire, edge } = await openPhoneSystem({
  BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1',
  OUTBOUND_COUNTRIES: 'DK,ZA',
  OUTBOUND_PER_MINUTE: String(PER_MINUTE),
})

const uriOf = (user: string) => `sip:${encodeURIComponent(user)}@127.0.0.1:${edge.port}`

const statusOf = async (company: TestCompany, { id }: Employee) =>
  (await company.api.get(`/employees/${id}`)).body.status

const outsideRows = ({ companyId }: TestCompany) => bellhop.db.sql`
  select state, number, employee_id from outside_transfers where company_id = ${companyId} order by id`

/** A customer talks to Anna, whose company allows transfers to numbers outside. */
async function conversation({ isAllowed = true, country = 'DK' } = {}) {
  const company = await bellhop.newCompany()
  await bellhop.db.sql`update companies set country = ${country} where id = ${company.companyId}`
  if (isAllowed) await bellhop.db.tx((tx) => setOutsideTransfers(tx, company.companyId, true))
  const anna = await hire(company, 'Anna', 700)
  const flow = { type: 'TransferConfig', employee_ids: [anna.id] }
  const { number } = await numberWith(bellhop, company, flow, { recording_enabled: true })
  const told = await followCallEvents(bellhop, company)
  const customer = await dial(number)
  await customer.connected()
  const phone = await anna.rings()
  await phone.answer()
  await Promise.all([customer.hears(700), phone.hears(440)])
  const { id } = await callIs(company, 'bridged')
  return { company, anna, number, customer, phone, told, id: id as string }
}

test('a phone transfers its customer to a number outside: the same call goes on without the employee, and is recorded', async () => {
  for (const hangsUp of ['customer', 'outside'] as const) {
    const scene = await conversation()
    const { company, anna, number, customer, phone, told, id } = scene
    const bob = await hire(company, 'Bob', 800)
    const { status, outcome } = await transferWith(phone.call, uriOf('20998877'))
    expect(status).toBe(202)
    const outside = await callee()
    expect(outside.call.uri).toMatchObject({ user: OUTSIDE })
    expect(outside.call.from.uri).toMatchObject({ user: number })
    expect(outside.call.request.headers.get('x-bellhop-call')).toBeUndefined()
    await Promise.all([hearsMusic(scene.customer, 500, 700), phone.hears(425), callIs(company, 'answered')])
    const second = await anna.api.post(`/calls/${id}/transfers`, { employee_id: bob.id })
    expect(second).toMatchObject({ status: 409, body: { error: 'transfer_in_progress' } })
    await outside.answer()
    expect(await outcome()).toBe(200)
    await phone.ended()
    await Promise.all([customer.hears(500), outside.hears(440)])
    expect(await callIs(company, 'bridged')).toMatchObject({ id })
    await eventually(async () => expect(await statusOf(company, anna)).toBe('available'))
    expect((await anna.api.get('/calls/active')).status).toBe(204)
    if (hangsUp === 'customer') customer.hangUp()
    else outside.hangUp()
    await (hangsUp === 'customer' ? outside : customer).ended()
    const call = await callIs(company, 'ended')
    expect(call).toMatchObject({ id, employees: [{ name: 'Anna' }] })
    expect((await told()).map(({ event }) => event)).toEqual([
      'call.initiated',
      'call.queued',
      'call.answered',
      'call.ended',
    ])
    const [left, right] = channelsOf(Buffer.from(await (await fetch(call.recording_url)).arrayBuffer()))
    const withAnna = findTonePair(left!, 440, right!, 700)
    expect(withAnna).toBeGreaterThanOrEqual(0)
    expect(findTonePair(left!, 440, right!, 500)).toBeGreaterThan(withAnna)
    expect(await outsideRows(company)).toEqual([
      { state: 'completed', number: OUTSIDE, employee_id: anna.uuid },
    ])
    await expectNoLiveRows(bellhop)
  }
})

test('a customer returns to the employee if the number outside is busy or does not answer, even if the phone has hung up', async () => {
  const scene = await conversation()
  const { company, anna, customer, phone } = scene
  const busy = await transferWith(phone.call, uriOf(OUTSIDE))
  ;(await carrier.calls.take()).reject(486)
  expect(await busy.outcome()).toBe(603)
  await Promise.all([customer.hears(700), phone.hears(440), callIs(company, 'bridged')])

  expect((await transferWith(phone.call, uriOf(OUTSIDE))).status).toBe(202)
  const outside = await callee()
  phone.hangUp()
  await hearsMusic(scene.customer, 500, 700)
  bellhop.clock.advance(30_000)
  expect(await outside.ended()).toEqual({ why: 'cancelled' })
  const again = await anna.rings()
  await again.answer()
  await Promise.all([customer.hears(700), again.hears(440)])
  await callIs(company, 'bridged')
  expect(await outsideRows(company)).toMatchObject([{ state: 'failed' }, { state: 'failed' }])
  again.hangUp()
  await customer.ended()
  await expectNoLiveRows(bellhop)
})

test('a customer who hangs up while the number outside rings ends that call too', async () => {
  const { company, customer, phone } = await conversation()
  await transferWith(phone.call, uriOf(OUTSIDE))
  const outside = await callee()
  customer.hangUp()
  expect(await outside.ended()).toEqual({ why: 'cancelled' })
  await phone.ended()
  await callIs(company, 'ended')
  expect(await outsideRows(company)).toMatchObject([{ state: 'failed' }])
  await expectNoLiveRows(bellhop)
})

test('a number outside is refused as a target unless the company allows it, and by the rules for dialling it', async () => {
  const strict = await conversation({ isAllowed: false })
  expect((await transferWith(strict.phone.call, uriOf(OUTSIDE))).status).toBe(403)
  const { company, customer, phone, number } = await conversation()
  const refused: [string, number][] = [
    // Another country, a premium-rate number, a number of the company, and calls for help.
    ['+46701234567', 403],
    ['+4590123456', 403],
    [number, 403],
    ['112', 404],
    ['+45112', 404],
  ]
  for (const [user, status] of refused)
    expect({ user, status: (await transferWith(phone.call, uriOf(user))).status }).toEqual({ user, status })
  for (let placed = 0; placed < PER_MINUTE; placed++) {
    const { status, outcome } = await transferWith(phone.call, uriOf(OUTSIDE))
    expect(status).toBe(202)
    ;(await carrier.calls.take()).reject(486)
    await outcome()
  }
  expect((await transferWith(phone.call, uriOf(OUTSIDE))).status).toBe(503)
  await Promise.all([customer.hears(700), strict.customer.hears(700), callIs(company, 'bridged')])
  expect(carrier.calls.waiting).toEqual([])
})

test('nobody is transferred to an emergency number, even where it has the length of a national one', async () => {
  const { phone } = await conversation({ country: 'ZA' })
  // That of the police, which is as long as some national numbers.
  for (const user of ['10111', '+2710111'])
    expect({ user, status: (await transferWith(phone.call, uriOf(user))).status }).toEqual({
      user,
      status: 403,
    })
  expect(carrier.calls.waiting).toEqual([])
})

test('the API transfers a customer to a number outside by the same rules, shows it while it rings, and cancels it', async () => {
  const { company, anna, customer, phone, id, number } = await conversation()
  const bob = await hire(company, 'Bob', 800)
  await bellhop.db.sql`update employees set phone = '+4520445566' where id = ${bob.uuid}`
  const path = `/calls/${id}/outside_transfers`
  const refused: [string, string][] = [
    ['+46701234567', 'number_not_callable'],
    ['+4590123456', 'number_not_callable'],
    [number, 'number_not_callable'],
    ['112', 'number_not_callable'],
    ['nobody', 'number_not_callable'],
    ['20445566', 'number_not_callable'],
  ]
  for (const [to, error] of refused)
    expect({ to, ...(await anna.api.post(path, { number: to })) }).toMatchObject({
      to,
      status: 422,
      body: { error },
    })
  expect(await bob.api.post(path, { number: OUTSIDE })).toMatchObject({
    status: 403,
    body: { error: 'not_call_controller' },
  })
  expect((await anna.api.get('/calls/active')).body).toMatchObject({
    outside_transfer: null,
    can_transfer_outside: true,
  })

  const started = await anna.api.post(path, { number: '20 99 88 77' })
  expect(started).toMatchObject({
    status: 201,
    body: { outside_transfer: { state: 'ringing', number: OUTSIDE } },
  })
  const { id: transferId } = started.body.outside_transfer
  const rung = await callee()
  expect((await anna.api.get('/calls/active')).body.outside_transfer).toEqual(started.body.outside_transfer)
  expect(await anna.api.post(path, { number: OUTSIDE })).toMatchObject({
    status: 409,
    body: { error: 'transfer_in_progress' },
  })
  expect((await bob.api.delete(`${path}/${transferId}`)).status).toBe(403)
  const cancelled = await anna.api.delete(`${path}/${transferId}`)
  expect(cancelled).toMatchObject({
    status: 200,
    body: { outside_transfer: { id: transferId, state: 'failed' } },
  })
  expect(await rung.ended()).toEqual({ why: 'cancelled' })
  await Promise.all([customer.hears(700), phone.hears(440), callIs(company, 'bridged')])
  expect(await anna.api.delete(`${path}/${transferId}`)).toMatchObject({
    status: 409,
    body: { error: 'transfer_not_open' },
  })

  expect((await anna.api.post(path, { number: OUTSIDE })).status).toBe(201)
  const outside = await callee()
  await outside.answer()
  await phone.ended()
  await Promise.all([customer.hears(500), outside.hears(440), callIs(company, 'bridged')])
  expect((await anna.api.post(path, { number: OUTSIDE })).status).toBe(403)
  outside.hangUp()
  await customer.ended()
  await expectNoLiveRows(bellhop)

  const strict = await conversation({ isAllowed: false })
  expect((await strict.anna.api.get('/calls/active')).body.can_transfer_outside).toBe(false)
  expect(
    await strict.anna.api.post(`/calls/${strict.id}/outside_transfers`, { number: OUTSIDE }),
  ).toMatchObject({
    status: 403,
    body: { error: 'outside_transfers_off' },
  })
})
