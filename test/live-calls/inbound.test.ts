import { expect, test } from 'vitest'

import { setRegistration, setRetired } from '../../server/modules/numbers/index.ts'
import { callIs, eventually, followCallEvents, lastCall } from '../harness/calls/call-events.ts'
import { CUSTOMER, numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { DEADLINE, messagesOf, openCable } from '../harness/peers/cable-socket.ts'

const { bellhop, callee, connectCarrier, dial, edge, hire } = await openPhoneSystem({
  BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1',
})

test('a caller and the employee who answers hear each other, and the call is published from start to end', async () => {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const number = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const cable = await openCable(bellhop.url, company)
  const caller = await dial(number.number)
  await caller.connected()
  const ring = await anna.rings()
  await expect.poll(() => messagesOf(cable), DEADLINE).toContainEqual({ type: 'unseen_update' })
  expect((await anna.api.get(`/employees/${anna.id}`)).body.status).toBe('ringing')
  await ring.answer()
  await Promise.all([caller.hears(700), ring.hears(440)])
  const call = await callIs(company, 'bridged')
  expect(call).toMatchObject({ direction: 'inbound', employees: [{ id: anna.id }] })
  expect((await anna.api.get(`/employees/${anna.id}`)).body.status).toBe('on_call')
  caller.hangUp()
  await ring.ended()
  expect(await callIs(company, 'ended')).toMatchObject({ id: call.id, duration: expect.any(Number) })
  expect((await anna.api.get(`/employees/${anna.id}`)).body.status).toBe('available')
})

test('subscribers receive every change of a call, in its state at that time, and of the status of its employees', async () => {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const { id, number } = await numberWith(bellhop, company, {
    type: 'TransferConfig',
    employee_ids: [anna.id],
  })
  const told = await followCallEvents(bellhop, company, [
    'call.initiated',
    'call.queued',
    'call.answered',
    'call.ended',
    'call.lost',
    'employee.status.changed',
  ])
  const before = (await company.api.get(`/employees/${anna.id}`)).body
  const startedAt = bellhop.clock.now().toISOString()
  const caller = await dial(number)
  await caller.connected()
  const ring = await anna.rings()
  bellhop.clock.advance(12_000)
  const answeredAt = bellhop.clock.now().toISOString()
  await ring.answer()
  await ring.hears(440)
  const call = await callIs(company, 'bridged')
  bellhop.clock.advance(125_000)
  caller.hangUp()
  await callIs(company, 'ended')

  const initiated = {
    id: call.id,
    from: CUSTOMER,
    to: number,
    direction: 'inbound',
    state: 'initiated',
    started_at: startedAt,
    answered_at: null,
    duration: null,
    summary: null,
    transcription: null,
    transcription_segments: null,
    main_number_id: id,
    main_number_name: 'Fixture',
    main_number_number: number,
    main_number_number_formatted: call.main_number_formatted,
    recording_url: null,
    employees: [],
    call_control_id: expect.any(String),
    initiated_by: null,
  }
  const answered = {
    ...initiated,
    state: 'answered',
    answered_at: answeredAt,
    employees: [{ id: anna.id, name: 'Anna' }],
  }
  const events = (await told()).map(({ event, data }) => ({ event, data }))
  const presence = events.filter(({ event }) => event === 'employee.status.changed')
  expect(events.filter((each) => !presence.includes(each))).toEqual([
    { event: 'call.initiated', data: initiated },
    { event: 'call.queued', data: { ...initiated, state: 'queued' } },
    { event: 'call.answered', data: answered },
    { event: 'call.ended', data: { ...answered, state: 'ended', duration: 125 } },
  ])
  expect(presence.map(({ data }) => data)).toEqual(
    ['ringing', 'on_call', 'available'].map((status) => ({ employee: { ...before, status } })),
  )
})

const national = { style: 'national', nationalPrefix: '', internationalPrefix: '00' } as const

test.each([
  ['with a plus', { style: 'e164' } as const],
  ['without a plus', { style: 'plain' } as const],
  ['as it is dialled from abroad', { ...national, countryCode: '46' }],
  ['as it is dialled at home', { ...national, countryCode: '45' }],
])('a number is found when the carrier formats it as %s', async (_, numberFormat) => {
  const company = await bellhop.newCompany()
  const { number } = await numberWith(bellhop, company, { type: 'RejectConfig', message: 'Closed.' })
  connectCarrier('writer', edge.port, { numberFormat })
  const caller = await dial(number, { over: 'writer' })
  await caller.connected()
  await eventually(async () => expect(await lastCall(company)).toMatchObject({ to: number }))
})

test.each([
  { status: 'pending', due_at: '2026-12-31T12:00:00Z' },
  { status: 'submitted' },
  { status: 'rejected', reason: 'The address does not match.' },
  { status: 'failed' },
] as const)('a number whose registration is $status takes calls', async (registration) => {
  const company = await bellhop.newCompany()
  const { uuid, number } = await numberWith(bellhop, company, { type: 'RejectConfig', message: 'Closed.' })
  await bellhop.db.tx((tx) => setRegistration(tx, uuid, registration))
  const caller = await dial(number)
  await caller.connected()
  await eventually(async () => expect(await lastCall(company)).toMatchObject({ to: number }))
})

const to = (employee: { id: string }) => ({ type: 'TransferConfig', employee_ids: [employee.id] })

test('a change of a number counts from its next call on, although an edge remembers the number', async () => {
  const company = await bellhop.newCompany()
  const [anna, bob] = [await hire(company, 'Anna', 700), await hire(company, 'Bob', 900)]
  const { id, uuid, number } = await numberWith(bellhop, company, to(anna))
  const rings = async (employee: typeof anna) => {
    const caller = await dial(number)
    const ring = await employee.rings()
    caller.hangUp()
    await ring.ended()
  }
  await rings(anna)
  await rings(anna)
  await company.api.put(`/business_numbers/${id}/incoming_call_config`, to(bob))
  await rings(bob)
  await bellhop.db.tx((tx) => setRetired(tx, uuid, true))
  expect(await (await dial(number)).ended()).toMatchObject({ why: 'refused', status: 404 })
  await bellhop.db.tx((tx) => setRetired(tx, uuid, false))
  await rings(bob)
  // The country decides how the number of a caller is read.
  expect((await dial(number, { from: '70123456' })).call).toBeDefined()
  await eventually(async () => expect(await lastCall(company)).toMatchObject({ from: '+4570123456' }))
  await bellhop.db.sql`update companies set country = 'SE' where id = ${company.companyId}`
  expect((await dial(number, { from: '70123456' })).call).toBeDefined()
  await eventually(async () => expect(await lastCall(company)).toMatchObject({ from: '+4670123456' }))
})

test('a number out of service takes no calls, and outbound calls show another one', async () => {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const flow = { type: 'TransferConfig', employee_ids: [anna.id] }
  const retired = await numberWith(bellhop, company, flow)
  const other = await numberWith(bellhop, company, flow)
  await bellhop.db.tx((tx) => setRetired(tx, retired.uuid, true))
  expect(await (await dial(retired.number)).ended()).toMatchObject({ why: 'refused', status: 404 })
  const phone = await anna.dial(CUSTOMER)
  await callee()
  expect(await lastCall(company)).toMatchObject({ direction: 'outbound', main_number_id: other.id })
  phone.hangUp()
})

test.each([
  ['P-Called-Party-ID', (number: string) => ({ 'p-called-party-id': `<sip:${number}@carrier.test>` })],
  [
    'History-Info',
    (number: string) => ({
      'history-info': `<sip:${number}@carrier.test?Reason=SIP%3Bcause%3D302>;index=1, <sip:+4599000001@carrier.test>;index=1.1`,
    }),
  ],
  [
    'Diversion',
    (number: string) => ({
      diversion: `"Front desk" <sip:${number}@carrier.test;user=phone>;reason=unconditional;counter=1`,
    }),
  ],
])('a call to a number of the carrier reaches the one that %s has', async (_, headersFor) => {
  const company = await bellhop.newCompany()
  const { number } = await numberWith(bellhop, company, { type: 'RejectConfig', message: 'Closed.' })
  const caller = await dial('+4599000001', { headers: headersFor(number) })
  await caller.connected()
  await eventually(async () => expect(await lastCall(company)).toMatchObject({ to: number }))
})
