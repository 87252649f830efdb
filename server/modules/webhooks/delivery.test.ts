import { Webhook } from 'standardwebhooks'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { type Harness, harness, type TestCompany } from '../../../test/harness/index.ts'
import { type WebhookSink, webhookSink } from '../../../test/harness/peers/webhook-sink.ts'
import { decodeId } from '../../platform/ids.ts'
import { deleteEventsBefore } from './delivery/queries.ts'

let bellhop: Harness
/** As in production. */
let strictBellhop: Harness
let company: TestCompany
let sink: WebhookSink

beforeAll(async () => {
  bellhop = await harness({ BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' })
  strictBellhop = await harness()
})

beforeEach(async () => {
  company = await bellhop.newCompany()
  sink = await webhookSink()
})

// Retries left by one test would be due in another that moves the clock.
afterEach(async () => {
  const { body } = await company.api.get('/webhooks')
  for (const { id } of body) await company.api.delete(`/webhooks/${id}`)
})

interface Subscribed {
  id: string
  signing_secret: string
}

async function subscribe(events = ['contact.created'], url = sink.url): Promise<Subscribed> {
  const { status, body } = await company.api.post('/webhooks', { name: 'CRM', url, events })
  expect(status).toBe(201)
  return body
}

let serial = 30_000_000
const newContact = async () => (await company.api.post('/contacts', { phone: `+45${serial++}` })).body
const deliveriesOf = async (id: string) =>
  (await company.api.get(`/webhooks/${id}/deliveries`)).body.deliveries as any[]

const MINUTE = 60_000

/** The official library also checks the time, which stands still here; so it signs, and we compare. */
const verifies = (secret: string, index: number) => {
  const { raw, headers } = sink.received[index]!
  const timestamp = new Date(Number(headers['webhook-timestamp']) * 1000)
  const expected = new Webhook(secret).sign(headers['webhook-id'] as string, timestamp, raw)
  return (headers['webhook-signature'] as string).split(' ').includes(expected)
}

describe('a delivery', () => {
  test('has the event as its payload, signed according to Standard Webhooks', async () => {
    const { signing_secret } = await subscribe()
    const contact = await newContact()
    await bellhop.deliverWebhooks()

    const [{ headers, raw, body }, ...more] = sink.received as [any]
    expect(more).toEqual([])
    expect(body).toEqual({ event: 'contact.created', timestamp: expect.any(String), data: { contact } })
    expect(body.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Bellhop-Webhooks/1.0',
      'webhook-id': expect.stringMatching(/^del_/),
    })
    expect(new Webhook(signing_secret).verify(raw, headers)).toEqual(body)
    const forged = new Webhook(`whsec_${Buffer.alloc(32).toString('base64')}`)
    expect(() => forged.verify(raw, headers)).toThrow('No matching signature')
  })

  test('goes to every subscription that names the event, and to no other company', async () => {
    const other = await bellhop.newCompany()
    const foreign = await webhookSink()
    const theirs = { name: 'Theirs', url: foreign.url, events: ['contact.created'] }
    expect((await other.api.post('/webhooks', theirs)).status).toBe(201)
    const second = await webhookSink()
    const deaf = await webhookSink()
    await subscribe(['contact.deleted', 'contact.created'])
    await subscribe(['contact.created'], second.url)
    await subscribe(['contact.updated'], deaf.url)

    await newContact()
    await bellhop.deliverWebhooks()
    expect([sink, second, deaf, foreign].map(({ received }) => received.length)).toEqual([1, 1, 0, 0])
    expect(sink.received[0]!.headers['webhook-id']).not.toBe(second.received[0]!.headers['webhook-id'])
  })

  test('is never made after a rollback', async () => {
    await subscribe()
    const { phone } = await newContact()
    expect((await company.api.post('/contacts', { phone })).status).toBe(422)
    await bellhop.deliverWebhooks()
    expect(sink.received.map(({ body }) => body.data.contact.phone)).toEqual([phone])
  })

  test('is in the log, with its duration and the status of the response', async () => {
    const { id } = await subscribe()
    await newContact()
    expect(await deliveriesOf(id)).toEqual([
      {
        id: expect.stringMatching(/^del_/),
        event: 'contact.created',
        status: 'pending',
        created_at: expect.any(String),
        next_attempt_at: expect.any(String),
        attempts: [],
      },
    ])
    sink.answer = () => ({ status: 204 })
    await bellhop.deliverWebhooks()
    const [delivery] = await deliveriesOf(id)
    expect(delivery).toMatchObject({
      id: sink.received[0]!.headers['webhook-id'],
      status: 'succeeded',
      next_attempt_at: null,
      attempts: [{ at: expect.any(String), status_code: 204, outcome: 'delivered', duration_ms: 0 }],
    })
  })
})

describe('a delivery that fails', () => {
  const waits = [10_000, MINUTE, 6 * MINUTE, 36 * MINUTE, 216 * MINUTE]

  test('is retried five times with growing delays and the same webhook-id, and then fails', async () => {
    const { id } = await subscribe()
    sink.answer = () => ({ status: 500 })
    await newContact()
    await bellhop.deliverWebhooks()
    for (const [index, wait] of waits.entries()) {
      expect(sink.received).toHaveLength(index + 1)
      const [{ status, next_attempt_at }] = await deliveriesOf(id)
      expect(status).toBe('pending')
      const planned = Date.parse(next_attempt_at) - bellhop.clock.now().getTime()
      expect(planned).toBeGreaterThanOrEqual(0.9 * wait)
      expect(planned).toBeLessThanOrEqual(1.1 * wait)
      bellhop.clock.advance(planned - 1)
      await bellhop.deliverWebhooks()
      expect(sink.received).toHaveLength(index + 1)
      bellhop.clock.advance(1)
      await bellhop.deliverWebhooks()
    }
    expect(sink.received).toHaveLength(6)
    expect(new Set(sink.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(sink.received.map(({ raw }) => raw)).size).toBe(1)
    const [delivery] = await deliveriesOf(id)
    expect(delivery).toMatchObject({ status: 'failed', next_attempt_at: null })
    expect(delivery.attempts).toHaveLength(6)
    bellhop.clock.advance(24 * 60 * MINUTE)
    await bellhop.deliverWebhooks()
    expect(sink.received).toHaveLength(6)
  })

  test.each([301, 302, 400, 404, 429, 503])(
    'is one with the status %i; redirects are not followed',
    async (status) => {
      const { id } = await subscribe()
      sink.answer = () => ({ status, headers: { location: sink.url } })
      await newContact()
      await bellhop.deliverWebhooks()
      expect(sink.received).toHaveLength(1)
      expect((await deliveriesOf(id))[0]).toMatchObject({
        status: 'pending',
        attempts: [{ status_code: status, outcome: 'refused' }],
      })
    },
  )

  test.each([
    ['seconds', () => '1800'],
    ['a date', () => new Date(bellhop.clock.now().getTime() + 30 * MINUTE).toUTCString()],
  ])('waits as long as Retry-After says, in %s', async (_, retryAfter) => {
    await subscribe()
    sink.answer = () => ({ status: 503, headers: { 'retry-after': retryAfter() } })
    await newContact()
    await bellhop.deliverWebhooks()
    bellhop.clock.advance(29 * MINUTE)
    await bellhop.deliverWebhooks()
    expect(sink.received).toHaveLength(1)
    bellhop.clock.advance(MINUTE)
    await bellhop.deliverWebhooks()
    expect(sink.received).toHaveLength(2)
  })

  test('does not wait less because of a short, negative or invalid Retry-After', async () => {
    const { id } = await subscribe()
    for (const retryAfter of ['0', '-5', 'soon', 'Sat, 01 Jan 2000 00:00:00 GMT']) {
      sink.answer = () => ({ status: 503, headers: { 'retry-after': retryAfter } })
      await newContact()
      await bellhop.deliverWebhooks()
      const [{ next_attempt_at }] = await deliveriesOf(id)
      expect(Date.parse(next_attempt_at) - bellhop.clock.now().getTime()).toBeGreaterThanOrEqual(9_000)
    }
  })

  test('because the connection was refused says so, and is retried', async () => {
    const { id } = await subscribe(['contact.created'], 'http://127.0.0.1:1/hook')
    await newContact()
    await bellhop.deliverWebhooks()
    expect((await deliveriesOf(id))[0]).toMatchObject({
      status: 'pending',
      attempts: [{ status_code: null, outcome: 'connection' }],
    })
  })

  test('because the host name is unknown says so', async () => {
    const { id } = await subscribe(['contact.created'], 'http://bellhop-test.invalid/hook')
    await newContact()
    await bellhop.deliverWebhooks()
    expect((await deliveriesOf(id))[0].attempts).toMatchObject([{ status_code: null, outcome: 'dns' }])
  })

  test('without a response times out after 15 seconds', async () => {
    const { id } = await subscribe()
    sink.answer = () => 'never'
    await newContact()
    const delivering = bellhop.deliverWebhooks()
    await expect.poll(() => sink.received.length, { timeout: 30_000 }).toBe(1)
    bellhop.clock.advance(15_000)
    await delivering
    expect((await deliveriesOf(id))[0]).toMatchObject({
      status: 'pending',
      attempts: [{ status_code: null, outcome: 'timeout', duration_ms: 15_000 }],
    })
  })

  test('410 deactivates the subscription itself', async () => {
    const { id } = await subscribe()
    sink.answer = () => ({ status: 410 })
    await newContact()
    await bellhop.deliverWebhooks()
    expect((await deliveriesOf(id))[0]).toMatchObject({ status: 'failed', next_attempt_at: null })
    expect((await company.api.get(`/webhooks/${id}`)).body.active).toBe(false)
    await newContact()
    await bellhop.deliverWebhooks()
    expect(sink.received).toHaveLength(1)
  })

  test('succeeds even if the response is far too long to be read', async () => {
    const { id } = await subscribe()
    sink.answer = () => ({ status: 200, body: 'x'.repeat(5_000_000) })
    await newContact()
    await bellhop.deliverWebhooks()
    expect((await deliveriesOf(id))[0]).toMatchObject({ status: 'succeeded' })
  })
})

describe('paused and deleted subscriptions', () => {
  test('a paused one gets nothing, not even what was queued; when resumed, it gets that, but no events of the meantime', async () => {
    const { id } = await subscribe()
    const queued = await newContact()
    expect((await company.api.patch(`/webhooks/${id}`, { active: false })).status).toBe(200)
    await bellhop.deliverWebhooks()
    expect(sink.received).toEqual([])
    await newContact()
    expect((await company.api.patch(`/webhooks/${id}`, { active: true })).status).toBe(200)
    await bellhop.deliverWebhooks()
    expect(sink.received.map(({ body }) => body.data.contact.id)).toEqual([queued.id])
  })

  test('a deleted one gets nothing more, even if a retry was due', async () => {
    const { id } = await subscribe()
    sink.answer = () => ({ status: 500 })
    await newContact()
    await bellhop.deliverWebhooks()
    await newContact()
    expect((await company.api.delete(`/webhooks/${id}`)).status).toBe(204)
    bellhop.clock.advance(60 * MINUTE)
    await bellhop.deliverWebhooks()
    expect(sink.received).toHaveLength(1)
  })
})

describe('webhook endpoints', () => {
  test('that never respond delay no others', async () => {
    const dead = await webhookSink()
    dead.answer = () => 'never'
    for (let i = 0; i < 10; i++) await subscribe(['contact.created'], dead.url)
    for (let i = 0; i < 30; i++) await newContact()
    await subscribe()
    const contact = await newContact()
    const delivering = bellhop.deliverWebhooks()
    await expect.poll(() => sink.received.length, { timeout: 20_000 }).toBe(1)
    expect(sink.received[0]!.body.data.contact.id).toBe(contact.id)
    expect(dead.received.length).toBeLessThanOrEqual(10 * 20)
    // Attempts in progress time out in turn.
    dead.answer = () => ({ status: 200 })
    bellhop.clock.advance(15_000)
    await delivering
  })

  test('have at most 20 deliveries in progress each', async () => {
    await subscribe()
    for (let i = 0; i < 60; i++) await newContact()
    let [underWay, most] = [0, 0]
    sink.answer = async () => {
      most = Math.max(most, ++underWay)
      await new Promise((resolve) => setImmediate(resolve))
      underWay--
      return { status: 200 }
    }
    await bellhop.deliverWebhooks()
    expect(sink.received).toHaveLength(60)
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(20)
  })
})

describe('several workers', () => {
  const another = '00000000-0000-4000-8000-000000000001'

  test('leave a subscription to the owner of its lease, and take over when that has expired', async () => {
    const { id } = await subscribe()
    const contact = await newContact()
    const until = new Date(bellhop.clock.now().getTime() + 25_000)
    await bellhop.db.sql`
      update webhook_subscriptions set leased_by = ${another}, leased_until = ${until}
      where id = ${decodeId('web', id)!}`
    bellhop.clock.advance(24_999)
    await bellhop.deliverWebhooks()
    expect(sink.received).toEqual([])
    bellhop.clock.advance(1)
    await bellhop.deliverWebhooks()
    expect(sink.received.map(({ body }) => body.data.contact.id)).toEqual([contact.id])
  })

  test('send nothing more for a subscription that another worker took over', async () => {
    const { id } = await subscribe()
    for (let i = 0; i < 10; i++) await newContact()
    sink.answer = () => 'never'
    const delivering = bellhop.deliverWebhooks()
    await expect.poll(() => sink.received.length, { timeout: 30_000 }).toBe(4)
    await bellhop.db.sql`
      update webhook_subscriptions set leased_by = ${another}, leased_until = ${new Date('2100-01-01')}
      where id = ${decodeId('web', id)!}`
    // Attempts in progress time out, and a lease that old must be renewed first.
    bellhop.clock.advance(15_000)
    await delivering
    expect(sink.received).toHaveLength(4)
  })
})

describe('the secret', () => {
  test('is rotated: both verify for a day, then only the new one', async () => {
    const { id, signing_secret: old } = await subscribe()
    const { status, body } = await company.api.post(`/webhooks/${id}/secret_rotation`)
    expect(status).toBe(200)
    expect(body.signing_secret).toMatch(/^whsec_/)
    expect(body.signing_secret).not.toBe(old)
    await newContact()
    await bellhop.deliverWebhooks()
    bellhop.clock.advance(24 * 60 * MINUTE)
    await newContact()
    await bellhop.deliverWebhooks()

    expect([verifies(body.signing_secret, 0), verifies(old, 0)]).toEqual([true, true])
    expect([verifies(body.signing_secret, 1), verifies(old, 1)]).toEqual([true, false])
    expect((await company.api.get(`/webhooks/${id}`)).body).not.toHaveProperty('signing_secret')
  })
})

test('a subscription whose secret cannot be decrypted gets nothing, and all others get their deliveries', async () => {
  const unreadable = await subscribe()
  await bellhop.db
    .sql`update webhook_subscriptions set secret_sealed = '' where id = ${decodeId('web', unreadable.id)!}`
  const second = await webhookSink()
  await subscribe(['contact.created'], second.url)
  await newContact()
  await bellhop.deliverWebhooks()
  await newContact()
  await bellhop.deliverWebhooks()
  expect([sink, second].map(({ received }) => received.length)).toEqual([0, 2])
  expect(bellhop.logged.join()).toContain('its secret cannot be decrypted')
})

describe('a test event', () => {
  test('is accepted as a delivery and sent to that subscription only', async () => {
    const other = await webhookSink()
    await subscribe(['contact.created'], other.url)
    const { id } = await subscribe()
    const { status, body } = await company.api.post(`/webhooks/${id}/test`)
    expect(status).toBe(202)
    expect(body).toMatchObject({ event: 'webhook.test', status: 'pending', attempts: [] })
    await bellhop.deliverWebhooks()
    expect(sink.received[0]!.headers['webhook-id']).toBe(body.id)
    expect(sink.received[0]!.body).toMatchObject({
      event: 'webhook.test',
      data: { webhook: { id, name: 'CRM' } },
    })
    expect(other.received).toEqual([])
  })

  test('is refused while the subscription is paused', async () => {
    const { id } = await subscribe()
    await company.api.patch(`/webhooks/${id}`, { active: false })
    const { status, body } = await company.api.post(`/webhooks/${id}/test`)
    expect([status, body.error]).toEqual([409, 'webhook_paused'])
  })
})

describe('a replay', () => {
  test('repeats a successful or failed delivery with the same webhook-id', async () => {
    const { id } = await subscribe()
    await newContact()
    await bellhop.deliverWebhooks()
    const [delivery] = await deliveriesOf(id)
    const { status, body } = await company.api.post(`/webhooks/${id}/deliveries/${delivery.id}/replay`)
    expect(status).toBe(202)
    expect(body).toMatchObject({ id: delivery.id, status: 'pending' })
    await bellhop.deliverWebhooks()
    expect(sink.received).toHaveLength(2)
    expect(sink.received[1]!.headers['webhook-id']).toBe(sink.received[0]!.headers['webhook-id'])
    expect(sink.received[1]!.raw).toBe(sink.received[0]!.raw)
    expect((await deliveriesOf(id))[0].attempts).toHaveLength(2)
  })

  test('of a delivery of another subscription or company is not found', async () => {
    const { id } = await subscribe()
    const { id: second } = await subscribe()
    await newContact()
    const [delivery] = await deliveriesOf(id)
    const path = `/deliveries/${delivery.id}/replay`
    expect((await company.api.post(`/webhooks/${second}${path}`)).status).toBe(404)
    const other = await bellhop.newCompany()
    expect((await other.api.post(`/webhooks/${id}${path}`)).status).toBe(404)
  })
})

describe('the log', () => {
  test('is read newest first, page by page, each delivery once', async () => {
    const { id } = await subscribe()
    for (let i = 0; i < 7; i++) await newContact()
    const whole = (await deliveriesOf(id)).map((delivery) => delivery.id)
    expect(whole).toHaveLength(7)
    expect(whole).toEqual(whole.toSorted((a, b) => (a < b ? 1 : -1)))
    const paged: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const query = cursor === '' ? 'limit=3' : `limit=3&cursor=${cursor}`
      const { body }: { body: any } = await company.api.get(`/webhooks/${id}/deliveries?${query}`)
      paged.push(...body.deliveries.map((delivery: { id: string }) => delivery.id))
      cursor = body.next_cursor
    }
    expect(paged).toEqual(whole)
  })

  test.each([
    ['limit=0', 200],
    ['limit=1000', 200],
    ['limit=many', 422],
    ['limit=1.5', 422],
    ['cursor=nonsense', 422],
  ])('with %s returns %i', async (query, status) => {
    const { id } = await subscribe()
    expect((await company.api.get(`/webhooks/${id}/deliveries?${query}`)).status).toBe(status)
  })
})

describe('if insecure addresses are not allowed', () => {
  test.each([
    ['https://127.0.0.1:1/hook', 'private_address'],
    ['https://[::ffff:127.0.0.1]:1/hook', 'private_address'],
    ['https://169.254.169.254/latest/meta-data', 'private_address'],
    ['https://localhost:1/hook', 'private_address'],
    ['http://127.0.0.1:1/hook', 'insecure'],
  ])('%s is not connected to, although it was accepted before', async (url, outcome) => {
    const strict = strictBellhop
    const { api, db } = await strict.newCompany()
    const wanted = { name: 'Moved', url: 'https://1.1.1.1/', events: ['contact.created'] }
    const { body: webhook } = await api.post('/webhooks', wanted)
    await db.sql`update webhook_subscriptions set url = ${url} where id = ${decodeId('web', webhook.id)!}`
    await api.post('/contacts', { phone: `+45${serial++}` })
    await strict.deliverWebhooks()
    const { body } = await api.get(`/webhooks/${webhook.id}/deliveries`)
    expect(body.deliveries[0]).toMatchObject({
      status: 'pending',
      attempts: [{ status_code: null, outcome }],
    })
  })
})

test('events older than a month are deleted, and nothing else', async () => {
  const { id } = await subscribe()
  await newContact()
  await newContact()
  await bellhop.deliverWebhooks()
  const [newer, older] = await deliveriesOf(id)
  const monthAgo = new Date(bellhop.clock.now().getTime() - 30 * 24 * 60 * MINUTE - 1000)
  const { sql } = bellhop.db
  const hex = monthAgo.getTime().toString(16).padStart(12, '0')
  const aged = `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
  await sql`
    with old as (
      update webhook_deliveries set id = ${aged} where id = ${decodeId('del', older.id)!} returning event_id
    )
    update events set created_at = ${monthAgo} where id in (select event_id from old)`
  await bellhop.forgetOldEvents()
  expect((await deliveriesOf(id)).map((delivery) => delivery.id)).toEqual([newer.id])
  const events = await sql`select from events where company_id = ${company.companyId}`
  expect(events).toHaveLength(1)
})

test('old deliveries are deleted a few at a time, however many there are', async () => {
  const { id } = await subscribe()
  const subscriptionId = decodeId('web', id)!
  const { sql } = bellhop.db
  await sql`
    insert into webhook_deliveries (company_id, subscription_id, id, event_id, event_name)
    select ${company.companyId}, ${subscriptionId}, ('01000000-0000-7000-8000-00000000000' || n)::uuid, new_id(), 'old'
    from generate_series(1, 5) as n`
  const left = () => sql`select from webhook_deliveries where subscription_id = ${subscriptionId}`
  const before = new Date(bellhop.clock.now().getTime() - 30 * 24 * 60 * MINUTE)
  const found: number[] = []
  for (let round = 0; round < 3; round++) {
    await deleteEventsBefore(sql, before, 2)
    found.push((await left()).length)
  }
  expect(found).toEqual([3, 1, 0])
})
