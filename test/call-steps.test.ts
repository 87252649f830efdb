import { beforeAll, beforeEach, expect, test } from 'vitest'

import { followCompany, listenLive } from '../server/live.ts'
import { openPubSub } from '../server/platform/db/pubsub.ts'
import { encodeId } from '../server/platform/ids.ts'
import { afterFile } from './harness/after-file.ts'
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
