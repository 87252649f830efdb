import { randomUUID } from 'node:crypto'

import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { newNumber } from '../../../../test/harness/calls/telephony.ts'
import { type Harness, harness, type TestCompany } from '../../../../test/harness/index.ts'
import { webhookSink } from '../../../../test/harness/peers/webhook-sink.ts'
import { untilWaiting } from '../../../../test/harness/routes/insert-barrier.ts'
import { allRows } from '../../../../test/harness/routes/rows.ts'
import { callBack, incoming, numberOf, sendText, setHours } from '../../../../test/harness/texts/texting.ts'
import { connect } from '../../../platform/db/database.ts'
import { encodeId } from '../../../platform/ids.ts'
import { setMessaging } from '../../company/index.ts'

let bellhop: Harness
let company: TestCompany
let number: string
let address: string

beforeAll(async () => {
  bellhop = await harness({ BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' })
})

beforeEach(async () => {
  company = await bellhop.newCompany({ messaging: true })
  number = await newNumber(company, { name: 'Shop', mute: true })
  address = await numberOf(company, number)
})

const stored = async (of = company) =>
  (
    await bellhop.db.sql<
      { id: string }[]
    >`select id from messages where company_id = ${of.companyId} order by id`
  ).map(({ id }) => encodeId('msg', id))
const read = async (id: string) => (await company.api.get(`/messages/${id}`)).body as Record<string, any>

/** A sent text, and what is needed to report on it. */
async function sent(to = '+4520110003') {
  const { body } = await sendText(company, number, { to })
  const [attempt] = await bellhop.db.sql<{ id: string; provider_message_id: string }[]>`
    select id, provider_message_id from message_attempts where company_id = ${company.companyId} order by id desc`
  const report = {
    type: 'message.report',
    id: attempt!.provider_message_id,
    from: address,
    to,
    status: 'delivered',
    error_code: null,
    at: '2026-11-15T09:00:00.000Z',
  }
  return { id: body.id as string, attempt: attempt!.id, report }
}

/** Keeps a transaction with a stored text, and its locks, open while `run` runs. */
async function whileOneCommits(run: () => Promise<void>): Promise<void> {
  const { sql } = bellhop.db
  await sql`
    create function hesitate() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock(4711); return null; end $$`
  await sql`
    create constraint trigger hesitate after insert on messages deferrable initially deferred
    for each row when (new.remote_number = '+4520998877') execute function hesitate()`
  const holder = connect(bellhop.db.address, { max: 1 })
  const { slow } = await holder
    .begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(4711)`
      const slow = callBack(bellhop, 'messages', incoming(address, { from: '+4520998877' }))
      await untilWaiting(tx, 1)
      await run()
      return { slow }
    })
    .finally(() => holder.end())
  expect((await slow).status).toBe(200)
  await sql`drop function hesitate() cascade`
}

describe('an incoming text', () => {
  test.each(['messages', 'sms'])('on the path %s is stored', async (path) => {
    const answer = await callBack(bellhop, path, incoming(address, { text: 'Er I åbne? 👋' }))
    expect(answer).toMatchObject({ status: 200, text: '' })
    const [id] = await stored()
    expect(await read(id!)).toEqual({
      id,
      type: 'message',
      format: 'sms',
      created_at: expect.stringMatching(/\.\d{6}Z$/),
      business_number_id: encodeId('num', number),
      business_number_name: 'Shop',
      seen_at: null,
      direction: 'inbound',
      from: '+4520112233',
      to: address,
      text: 'Er I åbne? 👋',
      author: { type: 'customer' },
      status: 'received',
      sms_count: 1,
      encoding: 'ucs2',
      received_at: '2026-11-15T08:00:00.000000Z',
      delivered_at: null,
      failure_code: null,
      can_retry: false,
    })
  })

  test('that is delivered repeatedly, also concurrently, is stored once', async () => {
    const text = incoming(address)
    const answers = await Promise.all(Array.from({ length: 8 }, () => callBack(bellhop, 'messages', text)))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    await bellhop.db.sql`update messages set created_at = created_at - interval '10 years'`
    bellhop.clock.advance(24 * 60 * 60 * 1000)
    expect((await callBack(bellhop, 'sms', text)).status).toBe(200)
    expect(await stored()).toHaveLength(1)
  })

  test('cannot be retried', async () => {
    await callBack(bellhop, 'messages', incoming(address))
    const [id] = await stored()
    const answer = await company.api.post(`/messages/${id}/retries`, { idempotency_key: 'k' })
    expect([answer.status, answer.body.error]).toEqual([409, 'message_not_retryable'])
  })

  test('without a signature is 401, also to an unknown number, and nothing is stored', async () => {
    const before = await allRows(bellhop.db.sql)
    const timestamp = String(Math.floor(bellhop.clock.now().getTime() / 1000))
    const forgeries: Record<string, string>[] = [
      {},
      { 'x-simulator-timestamp': timestamp, 'x-simulator-signature': '0'.repeat(64) },
    ]
    for (const to of [address, '+4599999999'])
      for (const forged of forgeries) {
        const headers = { 'content-type': 'application/json', ...forged }
        const answer = await callBack(bellhop, 'messages', incoming(to), headers)
        expect(answer.status).toBe(401)
        expect(JSON.parse(answer.text)).toMatchObject({ error: 'invalid_signature' })
        expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
      }
    expect(await allRows(bellhop.db.sql)).toEqual(before)
  })

  test('to a number that is unknown, or without texting, is 404 and stores nothing', async () => {
    const silent = await newNumber(company, { sms: false, mute: true })
    const text = incoming(await numberOf(company, silent))
    const before = await allRows(bellhop.db.sql)
    expect((await callBack(bellhop, 'messages', incoming('+4599999999'))).status).toBe(404)
    expect((await callBack(bellhop, 'messages', text)).status).toBe(404)
    expect(await allRows(bellhop.db.sql)).toEqual(before)
    await bellhop.db.sql`update business_numbers set sms_capable = true where id = ${silent}`
    expect((await callBack(bellhop, 'messages', text)).status).toBe(200)
    expect(await stored()).toHaveLength(1)
  })

  test.each(['telnyx', 'twilio', 'nobody'])('from %s, which is not configured, is 404', async (provider) => {
    const answer = await fetch(`${bellhop.url}/webhooks/${provider}/messages`, { method: 'POST', body: '{}' })
    expect(answer.status).toBe(404)
  })

  test('that is signed but invalid is 422', async () => {
    const answer = await callBack(bellhop, 'messages', { type: 'message.received', to: address })
    expect([answer.status, JSON.parse(answer.text).error]).toEqual([422, 'invalid_callback'])
  })

  test('is stored while the company has texting switched off, and seen when it is on again', async () => {
    await bellhop.db.tx((tx) => setMessaging(tx, company.companyId, false))
    expect((await callBack(bellhop, 'messages', incoming(address))).status).toBe(200)
    const [id] = await stored()
    expect((await company.api.get(`/messages/${id}`)).status).toBe(404)
    await bellhop.db.tx((tx) => setMessaging(tx, company.companyId, true))
    expect(await read(id!)).toMatchObject({ text: 'Are you open?' })
  })

  test('does not wait for another one of the company, however slow that is to commit', async () => {
    const sink = await webhookSink()
    await company.api.post('/webhooks', { name: 'All', url: sink.url, events: ['message.received'] })
    const settings = { auto_reply_enabled: true, auto_reply_text: 'We are closed.' }
    await setHours(company, number, 'closed')
    await company.api.patch(`/business_numbers/${encodeId('num', number)}/texting_settings`, settings)
    // As after the start of any worker: the first job of a kind blocks others that enqueue it.
    await bellhop.drainJobs()
    await whileOneCommits(async () => {
      // More than the pool has connections, in less time than PostgreSQL lets the transaction wait.
      const texts = Array.from({ length: 16 }, (_, i) => incoming(address, { from: `+45201100${10 + i}` }))
      const answers = await Promise.all(texts.map((text) => callBack(bellhop, 'messages', text)))
      expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(200))
      expect(await stored()).toHaveLength(16)
    })
    expect(await stored()).toHaveLength(17)
  })
})

describe('a delivery report', () => {
  test.each(['delivery_reports', 'sms_statuses'])(
    'on the path %s is accepted, by the provider’s id',
    async (path) => {
      const { id, report } = await sent()
      expect((await callBack(bellhop, path, report)).status).toBe(200)
      expect(await read(id)).toMatchObject({
        status: 'delivered',
        delivered_at: '2026-11-15T09:00:00.000000Z',
      })
    },
  )

  test.each([
    [['delivered', 'failed', 'accepted', 'unknown'], 'delivered'],
    [['failed', 'delivered', 'unknown'], 'failed'],
    [['unknown', 'accepted'], 'unknown'],
    [['unknown', 'delivered', 'failed'], 'delivered'],
    [['unknown', 'failed'], 'failed'],
    [['accepted', 'accepted'], 'accepted'],
  ])('never reverts a status: %j ends as %s', async (statuses, end) => {
    const { id, report } = await sent()
    for (const status of statuses)
      expect((await callBack(bellhop, 'delivery_reports', { ...report, status })).status).toBe(200)
    expect(await read(id)).toMatchObject({ status: end })
  })

  test('of an earlier attempt does not affect a later one', async () => {
    const { id, report } = await sent()
    await callBack(bellhop, 'delivery_reports', { ...report, status: 'failed', error_code: 7 })
    expect(await read(id)).toMatchObject({ status: 'failed', failure_code: 'simulator_7' })
    await company.api.post(`/messages/${id}/retries`, { idempotency_key: 'k' })
    await callBack(bellhop, 'delivery_reports', { ...report, status: 'failed', error_code: 7 })
    expect(await read(id)).toMatchObject({ status: 'accepted', failure_code: null })
  })

  test('makes up for a lost response, by the URL that the provider was given', async () => {
    const { id, attempt, report } = await sent()
    for (const table of ['messages', 'message_attempts'])
      await bellhop.db.sql`
        update ${bellhop.db.sql(table)} set status = 'unknown', provider_message_id = null
        where company_id = ${company.companyId}`
    expect((await callBack(bellhop, 'delivery_reports', report)).status).toBe(404)
    const path = `delivery_reports?attempt=${attempt}`
    expect((await callBack(bellhop, path, { ...report, to: '+4520998877' })).status).toBe(404)
    expect(await read(id)).toMatchObject({ status: 'unknown' })
    expect((await callBack(bellhop, path, report)).status).toBe(200)
    expect(await read(id)).toMatchObject({ status: 'delivered' })
  })

  test('without a signature is 401, for an unknown text 404', async () => {
    const { id, report } = await sent()
    const unsigned = await callBack(bellhop, 'delivery_reports', report, {
      'content-type': 'application/json',
    })
    expect(unsigned.status).toBe(401)
    expect((await callBack(bellhop, 'delivery_reports', { ...report, id: randomUUID() })).status).toBe(404)
    expect((await callBack(bellhop, 'delivery_reports', { ...report, from: '+4599999999' })).status).toBe(404)
    expect(await read(id)).toMatchObject({ status: 'accepted' })
  })

  test('cannot reach a text of another company', async () => {
    const { report } = await sent()
    const other = await bellhop.newCompany({ messaging: true })
    const theirs = await numberOf(other, await newNumber(other, { mute: true }))
    expect((await callBack(bellhop, 'delivery_reports', { ...report, from: theirs })).status).toBe(404)
  })

  test('is accepted while the company has texting switched off', async () => {
    const { id, report } = await sent()
    await bellhop.db.tx((tx) => setMessaging(tx, company.companyId, false))
    expect((await callBack(bellhop, 'delivery_reports', report)).status).toBe(200)
    await bellhop.db.tx((tx) => setMessaging(tx, company.companyId, true))
    expect(await read(id)).toMatchObject({ status: 'delivered' })
  })
})

describe('at rest', () => {
  const SECRET = 'The code of the safe is 4711'

  test('no text is readable in the database: not in rows, events or jobs', async () => {
    const sink = await webhookSink()
    const events = ['message.received', 'message.status_changed']
    await company.api.post('/webhooks', { name: 'All', url: sink.url, events })
    await callBack(bellhop, 'messages', incoming(address, { text: SECRET }))
    await sendText(company, number, { text: SECRET })
    await sendText(company, number, { text: SECRET, to: '+4520110001' })
    const rows = JSON.stringify(await allRows(bellhop.db.sql))
    expect(rows).toContain(company.companyId)
    for (const form of [SECRET, Buffer.from(SECRET).toString('hex'), Buffer.from(SECRET).toString('base64')])
      expect(rows).not.toContain(form)
    expect(bellhop.logged.join('\n')).not.toContain(SECRET)

    await bellhop.deliverWebhooks()
    const told = sink.received.map(({ body }) => [
      body.event,
      body.data.message.status,
      body.data.message.text,
    ])
    expect(told).toHaveLength(3)
    expect(told).toEqual(
      expect.arrayContaining([
        ['message.received', 'received', SECRET],
        ['message.status_changed', 'accepted', SECRET],
        ['message.status_changed', 'failed', SECRET],
      ]),
    )
    const [id] = await stored()
    const received = sink.received.find(({ body }) => body.event === 'message.received')!
    expect(received.body.data).toEqual({ message: await read(id!) })
  })

  test('a text that is moved to another message cannot be decrypted', async () => {
    await callBack(bellhop, 'messages', incoming(address, { text: 'One' }))
    await callBack(bellhop, 'messages', incoming(address, { text: 'Two' }))
    const [one, two] = await stored()
    await bellhop.db.sql`
      update messages m set text_sealed = (
        select text_sealed from messages o where o.company_id = m.company_id and o.id <> m.id
      ) where company_id = ${company.companyId}`
    for (const id of [one, two]) expect((await company.api.get(`/messages/${id}`)).status).toBe(500)
  })
})
