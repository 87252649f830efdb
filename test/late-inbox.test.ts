import { beforeAll, beforeEach, expect, test } from 'vitest'

import { followCompany, listenLive } from '../server/live.ts'
import { openPubSub } from '../server/platform/db/pubsub.ts'
import { encodeId } from '../server/platform/ids.ts'
import { deregisterEdge } from '../server/telephony/edge/reaper.ts'
import { afterFile } from './harness/after-file.ts'
import { openQueueFixture, type QueueFixture } from './harness/calls/queue-fixture.ts'
import { newVoicemail } from './harness/calls/telephony.ts'
import { type Harness, harness } from './harness/index.ts'

// A caller waits until the call is stored. Its place in the inbox is written once the call is answered.

const CALLER = '+4520112233'

let bellhop: Harness
let fixture: QueueFixture
beforeAll(async () => {
  bellhop = await harness()
})
beforeEach(async () => {
  fixture = await openQueueFixture(bellhop)
})

const get = async (path: string) => (await fixture.company.api.get(path)).body
const threads = async () => (await get('/inbox')).threads as { unseen_count: number }[]
const activity = async () =>
  (await get(`/inbox/${CALLER}/activity`)).items as { id: string; type: string; created_at: string }[]

test('a call that enters the inbox later is its newest item, whatever arrived meanwhile', async () => {
  const callId = await fixture.newUnansweredCall()
  expect(await threads()).toEqual([])
  const [call] = await bellhop.db.sql<{ business_number_id: string }[]>`
    select business_number_id from calls where id = ${callId}`
  const { business_number_id } = call!
  await newVoicemail(fixture.company, { business_number_id, from_number: CALLER })
  await fixture.enterInbox(callId)
  const items = await activity()
  expect(items.map(({ type }) => type)).toEqual(['call', 'voicemail'])
  expect(items[0]!.id).toBe(encodeId('cal', callId))
  const times = items.map(({ created_at }) => created_at)
  expect(times).toEqual(times.toSorted().toReversed())
  expect(await threads()).toMatchObject([{ unseen_count: 2, last_activity_at: expect.any(String) }])
})

test('it is published when it enters the inbox, and only once', async () => {
  const { companyId } = fixture.company
  const heard: string[] = []
  const pubsub = openPubSub(bellhop.db.address, bellhop.parts.log)
  afterFile(() => pubsub.close())
  await listenLive(pubsub, {
    onMessage: (company, json) => void (company === companyId && heard.push(JSON.parse(json).type)),
    onGap() {},
  })
  const unfollow = await followCompany(pubsub, companyId)
  const callId = await fixture.newUnansweredCall()
  await expect.poll(() => heard).toEqual(['call_update'])
  await fixture.enterInbox(callId)
  await expect.poll(() => heard).toEqual(['call_update', 'unseen_update'])
  await fixture.enterInbox(callId)
  // Heard after whatever the repetition has published.
  await fixture.end(callId)
  await expect.poll(() => heard).toEqual(['call_update', 'unseen_update', 'call_update'])
  unfollow()
})

test.each<[string, (callId: string) => Promise<unknown>]>([
  ['is queued', (callId) => fixture.waitFor(callId, [fixture.anna.employeeId])],
  ['ends', (callId) => fixture.end(callId)],
  ['is ended because its edge is lost', () => deregisterEdge(bellhop.db, fixture.edgeId)],
])('a call whose place in the inbox was not written gets it when it %s', async (_, happens) => {
  const callId = await fixture.newUnansweredCall()
  await happens(callId)
  expect(await threads()).toMatchObject([{ unseen_count: 1 }])
  await fixture.enterInbox(callId)
  expect(await threads()).toMatchObject([{ unseen_count: 1 }])
  expect(await activity()).toMatchObject([{ id: encodeId('cal', callId), type: 'call' }])
})
