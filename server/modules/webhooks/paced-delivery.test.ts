import { beforeAll, expect, test } from 'vitest'

import { afterFile } from '../../../test/harness/after-file.ts'
import { type Harness, harness } from '../../../test/harness/index.ts'
import { type WebhookSink, webhookSink } from '../../../test/harness/peers/webhook-sink.ts'
import { openPubSub } from '../../platform/db/pubsub.ts'
import { wireJobs } from '../../roles/jobs.ts'
import { WEBHOOK_LIMITS } from './limits.ts'

const { pacedBurst, pacedAtOnce, pacedMs } = WEBHOOK_LIMITS
const QUEUED = 2 * pacedBurst

let bellhop: Harness

// A worker whose time passes only as the tests let it.
beforeAll(async () => {
  bellhop = await harness({ BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' })
  const { parts, url } = bellhop
  const { webhooks, close } = await wireJobs({ ...parts, baseUrl: url, apiUrl: url })
  const pubsub = openPubSub(parts.db.address, parts.log, 'worker')
  await webhooks.start(pubsub)
  afterFile(async () => {
    await close()
    await pubsub.close()
  })
})

let serial = 30_000_000

async function newSubscriber() {
  const company = await bellhop.newCompany()
  const sink = await webhookSink()
  const webhook = { name: 'CRM', url: sink.url, events: ['contact.created'] }
  const { body } = await company.api.post('/webhooks', webhook)
  const newContact = () => company.api.post('/contacts', { phone: `+45${serial++}` })
  const activate = (active: boolean) => company.api.patch(`/webhooks/${body.id}`, { active })
  return { company, sink, newContact, activate }
}

const receives = (sink: WebhookSink, count: number) =>
  expect.poll(() => sink.received.length, { timeout: 30_000 }).toBe(count)

const receivesMore = (sink: WebhookSink, than: number) =>
  expect.poll(() => sink.received.length, { timeout: 30_000 }).toBeGreaterThan(than)

/** A company with many deliveries, of which it has had the first. */
async function newNoisy() {
  const noisy = await newSubscriber()
  await noisy.newContact()
  await receives(noisy.sink, 1)
  await noisy.activate(false)
  await bellhop.db.sql`
    insert into webhook_deliveries (company_id, subscription_id, event_id, event_name)
    select company_id, subscription_id, event_id, event_name from webhook_deliveries
    cross join generate_series(1, ${QUEUED}) where company_id = ${noisy.company.companyId}`
  return noisy
}

test('a company that is alone gets all of its deliveries at once', async () => {
  const noisy = await newNoisy()
  bellhop.clock.advance(60_000)
  await noisy.activate(true)
  await receives(noisy.sink, QUEUED + 1)
})

test('a company with many deliveries is paced while another has some, and the other is not', async () => {
  const noisy = await newNoisy()
  const neighbour = await newSubscriber()
  await neighbour.newContact()
  await receives(neighbour.sink, 1)
  await noisy.activate(true)
  // What is left of the burst is not read if it is too little.
  await receivesMore(noisy.sink, pacedBurst - pacedAtOnce)
  await neighbour.newContact()
  await receives(neighbour.sink, 2)
  expect(noisy.sink.received.length).toBeLessThanOrEqual(pacedBurst)
  bellhop.clock.advance(pacedMs)
  await receivesMore(noisy.sink, pacedBurst)
  await neighbour.newContact()
  await receives(neighbour.sink, 3)
  expect(noisy.sink.received.length).toBeLessThanOrEqual(pacedBurst + pacedAtOnce)
})
