import { expect, test } from 'vitest'

import { encodeId } from '../../server/platform/ids.ts'
import { callIs, eventually, followCallEvents } from '../harness/calls/call-events.ts'
import { startConversation } from '../harness/calls/conversation.ts'
import { openPhoneSystem } from '../harness/calls/phone-system.ts'

const phoneSystem = await openPhoneSystem({ BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' })
const { bellhop, hire } = phoneSystem

async function conversation() {
  const scene = await startConversation(phoneSystem)
  return { ...scene, path: `/calls/${scene.call.id}/transfers` }
}

type Scene = Awaited<ReturnType<typeof conversation>>

async function started(scene: Scene) {
  const { anna, bob, path } = scene
  const start = await anna.api.post(path, { employee_id: bob.id })
  expect(start).toMatchObject({ status: 201, body: { transfer: { state: 'ringing' } } })
  const transfer = start.body.transfer as { id: string }
  return { transfer, path: `${path}/${transfer.id}`, bobsPhone: await bob.rings() }
}

async function consulting(scene: Scene) {
  const begun = await started(scene)
  await begun.bobsPhone.answer()
  await scene.annasPhone.hears(800)
  await begun.bobsPhone.hears(700)
  await eventually(async () => {
    expect((await scene.anna.api.get('/calls/active')).body.transfer.state).toBe('consulting')
  })
  return begun
}

test('an attended transfer: the customer hears music, the two consult, then customer and coworker talk', async () => {
  const scene = await conversation()
  const { company, anna, bob, customer, annasPhone, call } = scene
  const told = await followCallEvents(bellhop, company)
  const { transfer, path, bobsPhone } = await started(scene)
  const owner = { id: encodeId('emp', company.employeeId), name: 'Owner', status: 'logged_out' }
  const carol = await hire(company, 'Carol', 900)
  expect(await bob.api.get('/calls/active')).toMatchObject({ status: 200 })
  expect((await bob.api.get('/calls/active')).body).toEqual({
    call: { id: call.id, state: 'answered', direction: 'inbound', from: '+4520112233', to: scene.number },
    transfer: {
      id: transfer.id,
      state: 'ringing',
      from_employee: { id: anna.id, name: 'Anna' },
      to_employee: { id: bob.id, name: 'Bob' },
      is_blind: false,
    },
    outside_transfer: null,
    can_transfer_outside: false,
    employees: [
      owner,
      { id: anna.id, name: 'Anna', status: 'on_call' },
      { id: carol.id, name: 'Carol', status: 'available' },
    ],
    available_employees: [{ id: carol.id, name: 'Carol' }],
  })
  expect(await anna.api.post(`${path}/completion`)).toMatchObject({
    status: 409,
    body: { error: 'transfer_not_consulting' },
  })
  await annasPhone.hears(425)
  await bobsPhone.answer()
  await Promise.all([annasPhone.hears(800), bobsPhone.hears(700)])
  const heard = customer.last(400)!
  expect(heard.some((sample) => Math.abs(sample) > 500)).toBe(true)
  await eventually(async () =>
    expect((await anna.api.get('/calls/active')).body.transfer.state).toBe('consulting'),
  )
  expect((await company.api.get(`/calls/${call.id}`)).body.state).toBe('answered')

  const done = await bob.api.post(`${path}/completion`)
  expect(done).toMatchObject({ status: 200, body: { transfer: { id: transfer.id, state: 'completed' } } })
  expect(await annasPhone.ended()).toEqual({ why: 'hungUp', by: 'peer' })
  await Promise.all([customer.hears(800), bobsPhone.hears(440)])
  expect(await anna.api.post(`${path}/completion`)).toMatchObject({
    status: 200,
    body: { transfer: { state: 'completed' } },
  })
  expect((await anna.api.get('/calls/active')).status).toBe(204)
  expect(await bob.api.get('/calls/active')).toMatchObject({
    body: { call: { state: 'bridged' }, transfer: null },
  })
  customer.hangUp()
  const ended = await callIs(company, 'ended')
  expect(ended.id).toBe(call.id)
  expect(ended.employees.map(({ name }: { name: string }) => name)).toEqual(['Anna', 'Bob'])
  expect((await told()).map(({ event }) => event)).toEqual(['call.ended'])
})

test('a coworker who wants no calls is listed as logged out, and not as available', async () => {
  const { anna, bob } = await conversation()
  await bob.api.put(`/employees/${bob.id}/do_not_disturb`, { enabled: true })
  const { employees, available_employees } = (await anna.api.get('/calls/active')).body
  expect(employees).toContainEqual({ id: bob.id, name: 'Bob', status: 'logged_out' })
  expect(available_employees).toEqual([])
})

test('a transfer that nobody answers in 30 seconds is cancelled, and the conversation continues', async () => {
  const scene = await conversation()
  const { company, anna, customer, annasPhone } = scene
  const { path, bobsPhone } = await started(scene)
  bellhop.clock.advance(29_999)
  expect(bobsPhone.call.isOver).toBe(false)
  bellhop.clock.advance(1)
  expect(await bobsPhone.ended()).toEqual({ why: 'cancelled' })
  await Promise.all([customer.hears(700), annasPhone.hears(440)])
  await callIs(company, 'bridged')
  expect((await anna.api.get('/calls/active')).body.transfer).toBeNull()
  expect(await anna.api.delete(path)).toMatchObject({
    status: 200,
    body: { transfer: { state: 'cancelled' } },
  })
})

test.each(['ringing', 'consulting'])(
  'a transfer is cancelled while %s: the customer is back with the controller',
  async (state) => {
    const scene = await conversation()
    const { path, bobsPhone } = state === 'ringing' ? await started(scene) : await consulting(scene)
    expect((await scene.bob.api.delete(path)).body.error).toBe('not_call_controller')
    expect(await scene.anna.api.delete(path)).toMatchObject({
      status: 200,
      body: { transfer: { state: 'cancelled' } },
    })
    await bobsPhone.ended()
    await Promise.all([scene.customer.hears(700), scene.annasPhone.hears(440)])
  },
)

test('the controller hangs up while the coworker is rung: the coworker who answers has the customer', async () => {
  const scene = await conversation()
  const { bobsPhone } = await started(scene)
  scene.annasPhone.hangUp()
  await eventually(async () => expect(scene.annasPhone.call.isOver).toBe(true))
  await bobsPhone.answer()
  await Promise.all([scene.customer.hears(800), bobsPhone.hears(440)])
  await callIs(scene.company, 'bridged')
  await eventually(async () => expect((await scene.anna.api.get('/calls/active')).status).toBe(204))
  expect((await scene.bob.api.get('/calls/active')).body).toMatchObject({ transfer: null })
})

test('the coworker declines: the transfer is cancelled, and the conversation continues', async () => {
  const scene = await conversation()
  const { path, bobsPhone } = await started(scene)
  bobsPhone.decline()
  await Promise.all([scene.customer.hears(700), scene.annasPhone.hears(440)])
  await eventually(async () =>
    expect((await scene.anna.api.delete(path)).body.transfer?.state).toBe('cancelled'),
  )
  await callIs(scene.company, 'bridged')
})

test('the controller hangs up while consulting: the coworker takes over', async () => {
  const scene = await conversation()
  const { bobsPhone } = await consulting(scene)
  scene.annasPhone.hangUp()
  await Promise.all([scene.customer.hears(800), bobsPhone.hears(440)])
  await callIs(scene.company, 'bridged')
  expect((await scene.bob.api.get('/calls/active')).body).toMatchObject({ transfer: null })
})

test('the coworker hangs up while consulting: the conversation continues', async () => {
  const scene = await conversation()
  const { path, bobsPhone } = await consulting(scene)
  bobsPhone.hangUp()
  await Promise.all([scene.customer.hears(700), scene.annasPhone.hears(440)])
  await eventually(async () =>
    expect((await scene.anna.api.delete(path)).body.transfer?.state).toBe('cancelled'),
  )
})

test('do not disturb of the coworker stops the ringing, and nothing that was answered', async () => {
  const scene = await conversation()
  const { path, bobsPhone } = await started(scene)
  const doNotDisturb = (enabled: boolean) =>
    scene.bob.api.put(`/employees/${scene.bob.id}/do_not_disturb`, { enabled })
  expect((await doNotDisturb(true)).body.status).toBe('do_not_disturb')
  expect((await scene.anna.api.get('/calls/active')).body).toMatchObject({
    employees: expect.arrayContaining([{ id: scene.bob.id, name: 'Bob', status: 'logged_out' }]),
    available_employees: [],
  })
  expect(await bobsPhone.ended()).toEqual({ why: 'cancelled' })
  await Promise.all([scene.customer.hears(700), scene.annasPhone.hears(440)])
  await eventually(async () =>
    expect((await scene.anna.api.delete(path)).body.transfer?.state).toBe('cancelled'),
  )
  await doNotDisturb(false)
  const { path: later } = await consulting(scene)
  expect((await doNotDisturb(true)).body.status).toBe('on_call')
  expect(await scene.anna.api.post(`${later}/completion`)).toMatchObject({
    status: 200,
    body: { transfer: { state: 'completed' } },
  })
})

test.each(['ringing', 'consulting'])(
  'the customer hangs up while %s: the transfer fails, and everybody is available again',
  async (state) => {
    const scene = await conversation()
    const { path, bobsPhone } = state === 'ringing' ? await started(scene) : await consulting(scene)
    scene.customer.hangUp()
    await Promise.all([scene.annasPhone.ended(), bobsPhone.ended()])
    await callIs(scene.company, 'ended')
    expect((await scene.anna.api.post(`${path}/completion`)).status).toBe(409)
    const { employees } = (await scene.company.api.get('/employees')).body
    const statuses = employees.map(({ status }: { status: string }) => status)
    expect(statuses.toSorted()).toEqual(['available', 'available', 'logged_out'])
  },
)

test('a transfer is refused for each reason with its status', async () => {
  const scene = await conversation()
  const { company, anna, bob, path } = scene
  const carol = await hire(company, 'Carol', 900)
  carol.leave()
  const away = (await company.api.get('/employees')).body.employees[0].id
  const other = await bellhop.newCompany()
  const cases: [{ api: { post: Scene['anna']['api']['post'] } }, unknown, number, string][] = [
    [anna, undefined, 400, 'invalid_request'],
    [anna, {}, 400, 'invalid_request'],
    [anna, { employee_id: null }, 400, 'invalid_request'],
    [anna, { employee_id: ' ' }, 400, 'invalid_request'],
    [anna, { employee_id: anna.id }, 422, 'invalid_target'],
    [anna, { employee_id: 'emp_00000000000000000000000000' }, 404, 'not_found'],
    [anna, { employee_id: away }, 409, 'target_unavailable'],
    [bob, { employee_id: carol.id }, 403, 'not_call_controller'],
    [other, { employee_id: bob.id }, 404, 'not_found'],
  ]
  for (const [{ api }, body, status, error] of cases)
    expect(await api.post(path, body)).toMatchObject({ status, body: { error } })
  expect((await anna.api.post(path, { employee_id: anna.id })).body.errors).toEqual({
    employee_id: ['must be another employee'],
  })
  const { path: begun } = await started(scene)
  expect(await anna.api.post(path, { employee_id: bob.id })).toMatchObject({
    status: 409,
    body: { error: 'transfer_in_progress' },
  })
  expect((await carol.api.post(`${begun}/completion`)).body.error).toBe('not_call_controller')
  scene.customer.hangUp()
  await callIs(company, 'ended')
  expect(await anna.api.post(path, { employee_id: bob.id })).toMatchObject({
    status: 409,
    body: { error: 'call_not_active' },
  })
})

test('a blind transfer: the coworker has the customer as soon as they answer, whether or not the controller waits', async () => {
  for (const waits of [true, false]) {
    const scene = await conversation()
    const { anna, bob, company, customer, annasPhone, call, path } = scene
    const start = await anna.api.post(path, { employee_id: bob.id, is_blind: true })
    expect(start).toMatchObject({ status: 201, body: { transfer: { state: 'ringing', is_blind: true } } })
    const bobsPhone = await bob.rings()
    await annasPhone.hears(425)
    if (!waits) annasPhone.hangUp()
    await bobsPhone.answer()
    await Promise.all([customer.hears(800), bobsPhone.hears(440), annasPhone.ended()])
    expect(await callIs(company, 'bridged')).toMatchObject({
      id: call.id,
      employees: [{ name: 'Anna' }, { name: 'Bob' }],
    })
    customer.hangUp()
    await callIs(company, 'ended')
  }
})

test('a blind transfer that is declined or cancelled gives the customer back', async () => {
  const { anna, bob, company, customer, annasPhone, path } = await conversation()
  await anna.api.post(path, { employee_id: bob.id, is_blind: true })
  ;(await bob.rings()).decline()
  await Promise.all([customer.hears(700), annasPhone.hears(440), callIs(company, 'bridged')])
  const { body } = await anna.api.post(path, { employee_id: bob.id, is_blind: true })
  const rung = await bob.rings()
  expect((await anna.api.delete(`${path}/${body.transfer.id}`)).body.transfer.state).toBe('cancelled')
  await rung.ended()
  await Promise.all([customer.hears(700), annasPhone.hears(440), callIs(company, 'bridged')])
})
