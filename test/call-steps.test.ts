import { beforeAll, beforeEach, expect, test } from 'vitest'

import { followCompany, listenLive } from '../server/live.ts'
import { openTransfer } from '../server/modules/calls/index.ts'
import { openPubSub } from '../server/platform/db/pubsub.ts'
import { encodeId } from '../server/platform/ids.ts'
import { afterFile } from './harness/after-file.ts'
import { newSignInEmployee } from './harness/browser/sign-in.ts'
import { openQueueFixture, type QueueFixture } from './harness/calls/queue-fixture.ts'
import { type Harness, harness } from './harness/index.ts'

// The steps of a call commit with their statements if nobody has subscribed to its events.

let bellhop: Harness
let fixture: QueueFixture
beforeAll(async () => {
  bellhop = await harness()
})
beforeEach(async () => {
  fixture = await openQueueFixture(bellhop)
  await (await fixture.newPhone(fixture.anna.employeeId)).register()
})

const subscribe = async () => {
  const events = ['call.initiated', 'call.queued', 'call.answered', 'call.ended', 'employee.status.changed']
  const webhook = { name: 'Sink', url: 'https://sink.example/hook', events }
  const { status, body } = await fixture.company.api.post('/webhooks', webhook)
  expect(status).toBe(201)
  return body.id as string
}

async function recorded(): Promise<string[]> {
  const rows = await bellhop.db.sql<{ event_name: string }[]>`
    select event_name from webhook_deliveries where company_id = ${fixture.company.companyId} order by id`
  return rows.map(({ event_name }) => event_name)
}

test('every step is published to those who follow the company', async () => {
  const { company, anna } = fixture
  const heard: string[] = []
  const pubsub = openPubSub(bellhop.db.address, bellhop.parts.log)
  afterFile(() => pubsub.close())
  await listenLive(pubsub, {
    onMessage: (companyId, json) => void (companyId === company.companyId && heard.push(json)),
    onGap() {},
  })
  const unfollow = await followCompany(pubsub, company.companyId)
  const presence = JSON.stringify({ type: 'presence_update', employee_id: anna.id })
  const expectHeard = async (messages: string[]) => {
    await expect.poll(() => heard.toSorted()).toEqual(messages)
    heard.length = 0
  }

  const callId = await fixture.newCall()
  const call = JSON.stringify({ type: 'call_update', id: encodeId('cal', callId) })
  await expectHeard([call, '{"type":"unseen_update"}'])
  await fixture.waitFor(callId, [anna.employeeId])
  await expectHeard([call, presence])
  await fixture.answer(callId, anna.employeeId)
  await expectHeard([call, presence])
  await fixture.end(callId)
  await expectHeard([call, presence])
  unfollow()
})

test('whoever subscribes during a call receives the events of all later steps', async () => {
  const { employeeId } = fixture.anna
  const callId = await fixture.newCall()
  await subscribe()
  await fixture.waitFor(callId, [employeeId])
  expect(await recorded()).toEqual(['call.queued', 'employee.status.changed'])
  await fixture.answer(callId, employeeId)
  await fixture.end(callId)
  expect(await recorded()).toEqual([
    'call.queued',
    'employee.status.changed',
    'call.answered',
    'employee.status.changed',
    'call.ended',
    'employee.status.changed',
  ])
})

test('a subscription receives the events of calls from their start, until it is deleted', async () => {
  const { employeeId } = fixture.anna
  const id = await subscribe()
  await fixture.end(await fixture.newCall())
  await fixture.end(await fixture.newCall())
  expect(await recorded()).toEqual(['call.initiated', 'call.ended', 'call.initiated', 'call.ended'])
  expect((await fixture.company.api.delete(`/webhooks/${id}`)).status).toBe(204)
  for (let serial = 0; serial < 2; serial++) {
    const callId = await fixture.newCall()
    expect(await fixture.waitFor(callId, [employeeId])).toEqual([employeeId])
    await fixture.end(callId)
  }
  await subscribe()
  await fixture.newCall()
  expect((await recorded()).at(-1)).toBe('call.initiated')
})

// What the edge knows of a call makes its steps shorter. It may be wrong, as when a notification is late.

async function hireBo() {
  const bo = await newSignInEmployee(bellhop, fixture.company)
  await (await fixture.newPhone(bo.employeeId)).register()
  return bo
}

/** What is published of these employees, and whom the calls are offered. */
async function presence(...employeeIds: string[]) {
  const rows = await bellhop.db.sql<{ told_status: string; call_id: string | null }[]>`
    select told_status, call_id from employees
    left join call_offers on call_offers.employee_id = employees.id
    where employees.id = any(${employeeIds}::uuid[]) order by array_position(${employeeIds}::uuid[], employees.id)`
  return rows.map(({ told_status, call_id }) => [told_status, call_id])
}

test.each([true, false])(
  'whoever rang for a call that somebody else answers is offered the next one (rung alone: %s)',
  async (wasRungAlone) => {
    const anna = fixture.anna.employeeId
    const bo = (await hireBo()).employeeId
    const [first, second] = [await fixture.newCall(), await fixture.newCall()]
    await fixture.waitFor(first, [anna, bo])
    await fixture.waitFor(second, [bo])
    expect(await presence(anna, bo)).toEqual([
      ['ringing', first],
      ['ringing', first],
    ])
    await fixture.answer(first, anna, { wasRungAlone })
    expect(await presence(anna, bo)).toEqual([
      ['on_call', null],
      ['ringing', second],
    ])
  },
)

test.each([true, false])(
  'the employee of a call that ends is offered the caller who waits (answered: %s)',
  async (wasAnswered) => {
    const { employeeId } = fixture.anna
    const [first, second] = [await fixture.newCall(), await fixture.newCall()]
    await fixture.waitFor(first, [employeeId])
    await fixture.answer(first, employeeId, { wasRungAlone: true })
    expect(await fixture.waitFor(second, [employeeId])).toEqual([])
    expect(await presence(employeeId)).toEqual([['on_call', null]])
    await fixture.end(first, { wasAnswered })
    expect(await presence(employeeId)).toEqual([['ringing', second]])
  },
)

test.each([true, false])(
  'a call that ends while it is transferred frees both employees (answered: %s)',
  async (wasAnswered) => {
    const { employeeId } = fixture.anna
    const bo = (await hireBo()).employeeId
    const callId = await fixture.newCall()
    await fixture.waitFor(callId, [employeeId])
    await fixture.answer(callId, employeeId, { wasRungAlone: true })
    const { companyId } = fixture.company
    await bellhop.db.tx((tx) =>
      openTransfer(tx, { companyId, employeeId }, callId, { toEmployeeId: bo, isBlind: false }),
    )
    expect(await presence(employeeId, bo)).toEqual([
      ['on_call', null],
      ['ringing', null],
    ])
    await fixture.end(callId, { wasAnswered })
    expect(await presence(employeeId, bo)).toEqual([
      ['available', null],
      ['available', null],
    ])
    const transfers = await bellhop.db.sql`select state from transfers where call_id = ${callId}`
    expect(transfers).toEqual([{ state: 'failed' }])
  },
)

test.each([true, false])(
  'a call that ends while it waits leaves the queue (answered: %s)',
  async (wasAnswered) => {
    const { employeeId } = fixture.anna
    const callId = await fixture.newCall()
    await fixture.waitFor(callId, [employeeId])
    await fixture.end(callId, { wasAnswered })
    expect(await presence(employeeId)).toEqual([['available', null]])
    const queued = await bellhop.db.sql`select from call_queue where call_id = ${callId}`
    expect(queued).toHaveLength(0)
  },
)
