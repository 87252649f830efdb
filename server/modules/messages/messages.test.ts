import { randomUUID } from 'node:crypto'

import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

import type { ApiReply } from '../../../test/harness/api-client.ts'
import { newNumber } from '../../../test/harness/calls/telephony.ts'
import { type Harness, harness, type TestCompany } from '../../../test/harness/index.ts'
import { raceInserts } from '../../../test/harness/routes/insert-barrier.ts'
import { numberOf, sendText } from '../../../test/harness/texts/texting.ts'
import { connect, type DedicatedSql } from '../../platform/db/database.ts'
import { encodeId } from '../../platform/ids.ts'
import { setMessaging } from '../company/index.ts'

let bellhop: Harness
let company: TestCompany
let number: string
let from: string

beforeAll(async () => {
  bellhop = await harness()
})

beforeEach(async () => {
  company = await bellhop.newCompany({ messaging: true })
  number = await newNumber(company, { name: 'Shop', mute: true })
  const [row] = await bellhop.db.sql<{ number: string }[]>`
    select number from business_numbers where id = ${number}`
  from = row!.number
})

const attempts = () =>
  bellhop.db.sql<{ kind: string; status: string; provider_message_id: string | null }[]>`
    select kind, status, provider_message_id from message_attempts
    where company_id = ${company.companyId} order by id`

const messagesPath = () => `/business_numbers/${encodeId('num', number)}/messages`
const send = (input: Parameters<typeof sendText>[2] = {}) => sendText(company, number, input)
const read = async (id: string) => (await company.api.get(`/messages/${id}`)).body as Record<string, any>
const retry = (id: string, key: unknown = randomUUID()) =>
  company.api.post(`/messages/${id}/retries`, { idempotency_key: key })

const sendWithHeader = (key: string) =>
  company.api.request(messagesPath(), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ to: '+4520112233', text: 'Hello', idempotency_key: 'in the body' }),
  })

/** Sends this many at once. */
async function fill(count: number): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: count }, () => send()))
  return answers.map(({ status }) => status)
}

/** A text that a report set to failed; a retry is accepted. */
async function failed(): Promise<string> {
  const { body } = await send({ to: '+4520110004' })
  await reports(body.id, 'failed')
  return body.id as string
}

/** Lets the simulated provider send its reports. */
async function reports(id: string, status: string): Promise<void> {
  bellhop.clock.advance(1_000)
  await vi.waitFor(async () => expect((await read(id)).status).toBe(status), { timeout: 30_000 })
}

/** The jobs that settle a recent text are due only after the provider's timeout. */
async function runSettlingJobs(): Promise<void> {
  await bellhop.db.sql`update graphile_worker._private_jobs set run_at = now() where run_at > now()`
  await bellhop.drainJobs()
}

async function alone<T>(run: (sql: DedicatedSql) => Promise<T>): Promise<T> {
  const sql = connect(bellhop.db.address, { max: 1 })
  return run(sql).finally(() => sql.end())
}

const inOrder = (answers: ApiReply[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b)

const MICROS = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)

describe('sending', () => {
  test('a text is accepted by the provider, then reported delivered', async () => {
    const { status, body, headers } = await send({ to: '20 11 22 33', text: 'Your bicycle is ready.' })
    expect(status).toBe(201)
    expect(headers.has('idempotent-replayed')).toBe(false)
    expect(body).toEqual({
      id: expect.stringMatching(/^msg_/),
      type: 'message',
      format: 'sms',
      created_at: MICROS,
      business_number_id: encodeId('num', number),
      business_number_name: 'Shop',
      seen_at: null,
      direction: 'outbound',
      from,
      to: '+4520112233',
      text: 'Your bicycle is ready.',
      author: { type: 'employee', id: encodeId('emp', company.employeeId), name: 'Owner' },
      status: 'accepted',
      sms_count: 1,
      encoding: 'gsm7',
      received_at: null,
      delivered_at: null,
      failure_code: null,
      can_retry: false,
    })
    expect(await read(body.id)).toEqual(body)
    await reports(body.id, 'delivered')
    expect(await read(body.id)).toEqual({ ...body, status: 'delivered', delivered_at: MICROS })
    expect(await attempts()).toMatchObject([{ kind: 'send', status: 'delivered' }])
  })

  test('a client cannot name another URL for the reports', async () => {
    const elsewhere = 'http://127.0.0.1:9/reports'
    const { body } = await send({
      statusUrl: elsewhere,
      status_url: elsewhere,
      webhook_url: elsewhere,
    } as object)
    await reports(body.id, 'delivered')
  })

  test('segments and encoding depend on the alphabet of the text', async () => {
    const { body } = await send({ text: 'æ'.repeat(160) + '€' })
    expect(body).toMatchObject({ encoding: 'gsm7', sms_count: 2 })
    expect((await send({ text: 'Tak 👍'.repeat(12) })).body).toMatchObject({ encoding: 'ucs2', sms_count: 2 })
  })

  test('a refused text is stored as failed, and the error names it', async () => {
    const { status, body } = await send({ to: '+4520110001' })
    expect(status).toBe(422)
    expect(body).toEqual({
      error: 'provider_rejected',
      message: expect.any(String),
      errors: { to: ['was refused by the provider'] },
      message_id: expect.stringMatching(/^msg_/),
    })
    expect(await read(body.message_id)).toMatchObject({
      status: 'failed',
      failure_code: 'provider_rejected',
      sms_count: null,
      can_retry: true,
    })
  })

  test('without a response of the provider the text is unknown, and is not sent again', async () => {
    const sending = send({ to: '+4520110002' })
    await vi.waitFor(async () => expect(await attempts()).toHaveLength(1), { timeout: 30_000 })
    // The timeout starts with the provider's request; before that there is nothing to time out.
    const timer = setInterval(() => bellhop.clock.advance(1_000), 20)
    const { status, body } = await sending.finally(() => clearInterval(timer))
    expect(status).toBe(502)
    expect(body).toEqual({
      error: 'provider_unavailable',
      message: expect.any(String),
      message_id: expect.stringMatching(/^msg_/),
    })
    expect(await read(body.message_id)).toMatchObject({
      status: 'unknown',
      sms_count: null,
      failure_code: null,
      can_retry: false,
    })
    await bellhop.drainJobs()
    expect(await attempts()).toEqual([{ kind: 'send', status: 'unknown', provider_message_id: null }])
  })

  test('a response of the provider that cannot be stored is an error with the id of the text, later unknown', async () => {
    const { sql } = bellhop.db
    await sql`
      create function refuse_news() returns trigger language plpgsql as
      $$ begin raise exception 'the disk is full'; end $$`
    await sql`create trigger refuse_news before update on message_attempts execute function refuse_news()`
    const { status, body } = await send({ idempotency_key: 'k' })
    await sql`drop function refuse_news() cascade`
    expect(status).toBe(502)
    expect(body).toMatchObject({ error: 'provider_unavailable', message_id: expect.stringMatching(/^msg_/) })
    expect(bellhop.logged.join('\n')).toContain('the disk is full')
    expect(await read(body.message_id)).toMatchObject({ status: 'queued', can_retry: false })
    await runSettlingJobs()
    expect(await read(body.message_id)).toMatchObject({ status: 'unknown', can_retry: false })
    expect((await send({ idempotency_key: 'k' })).body).toMatchObject({ id: body.message_id })
    expect(await attempts()).toHaveLength(1)
  })

  test('a text without a report stays accepted', async () => {
    const { body } = await send({ to: '+4520110003' })
    const other = await send()
    await reports(other.body.id, 'delivered')
    expect(await read(body.id)).toMatchObject({ status: 'accepted' })
  })

  test('a reported failure is final, with a code and nothing else from the provider', async () => {
    const { status, body } = await send({ to: '+4520110004' })
    expect(status).toBe(201)
    await reports(body.id, 'failed')
    expect(await read(body.id)).toMatchObject({ failure_code: 'simulator_4', can_retry: true, sms_count: 1 })
  })

  test('a report before the response counts, and the response does not revert it', async () => {
    const { status, body } = await send({ to: '+4520110005' })
    expect(status).toBe(201)
    expect(body).toMatchObject({ status: 'delivered', delivered_at: MICROS, sms_count: 1 })
    expect(await attempts()).toEqual([
      { kind: 'send', status: 'delivered', provider_message_id: expect.stringMatching(/^sim_/) },
    ])
  })

  test.each([
    ['to', { to: 'nobody' }],
    ['to', { to: '+45' }],
    ['to', { to: '' }],
    ['text', { text: '' }],
    ['text', { text: ' \n ' }],
    ['text', { text: 'x'.repeat(10_001) }],
    ['format', { format: 'fax' }],
  ])('an invalid %s is refused before anything is stored: %o', async (field, input) => {
    const { status, body } = await send(input as object)
    expect(status).toBe(422)
    expect(body).toMatchObject({ error: 'validation_failed', errors: { [field]: [expect.any(String)] } })
    expect(await attempts()).toEqual([])
  })

  test('an invalid recipient is named together with the other wrong fields', async () => {
    const { status, body } = await send({ to: '12', text: '' })
    expect([status, Object.keys(body.errors).toSorted()]).toEqual([422, ['text', 'to']])
  })

  test('a number of the company itself is refused', async () => {
    const own = await numberOf(company, await newNumber(company))
    const { status, body } = await send({ to: own })
    expect(status).toBe(422)
    expect(body).toEqual({
      error: 'own_number',
      message: expect.any(String),
      errors: { to: [expect.any(String)] },
    })
    expect(await attempts()).toEqual([])
    const other = await bellhop.newCompany({ messaging: true })
    const foreign = '+4571234567'
    await newNumber(other, { number: foreign })
    expect((await send({ to: foreign })).status).toBe(201)
  })

  test('a replay has the first answer, also if the company got the number of the recipient meanwhile', async () => {
    const [to, refusing] = ['+4571234568', '+4571230001']
    const first = await send({ to, idempotency_key: 'before' })
    const { message_id } = (await send({ to: refusing })).body
    expect((await retry(message_id, 'before')).status).toBe(422)
    for (const number of [to, refusing]) await newNumber(company, { number })
    const made = await attempts()
    const replayed = await send({ to, idempotency_key: 'before' })
    expect([replayed.status, replayed.body.id]).toEqual([200, first.body.id])
    expect((await retry(message_id, 'before')).status).toBe(200)
    expect(await send({ to })).toMatchObject({ status: 422, body: { error: 'own_number' } })
    expect(await retry(message_id, 'after')).toMatchObject({ status: 422, body: { error: 'own_number' } })
    expect(await attempts()).toEqual(made)
  })

  test.each([
    ['DK', '112'],
    ['AT', '1450'],
    ['AT', '+43 1450'],
    ['DE', '116117'],
    ['GB', '118118'],
  ])('in %s, the short number %s is never texted', async (country, to) => {
    await company.api.patch('/company', { country })
    const { status, body } = await send({ to })
    expect([status, body.errors]).toEqual([422, { to: ['is not a phone number'] }])
    expect(await attempts()).toEqual([])
  })

  test('any possible number can be texted, also one that nobody has', async () => {
    expect((await send({ to: '12 34 56 78' })).body).toMatchObject({ to: '+4512345678', status: 'accepted' })
  })

  test('a format of null counts as not given, as for every optional field', async () => {
    expect((await send({ format: null } as object)).body).toMatchObject({ format: 'sms', status: 'accepted' })
  })

  test('spaces and line breaks around a text are sent', async () => {
    const text = '  Hello\n\n'
    const { status, body } = await send({ text })
    expect([status, body.text]).toEqual([201, text])
    expect((await read(body.id)).text).toBe(text)
  })

  test('10,000 characters are sent', async () => {
    expect((await send({ text: 'x'.repeat(10_000) })).body).toMatchObject({ sms_count: 66 })
  })

  test('MMS is refused without a request to the provider', async () => {
    const { status, body } = await send({ format: 'mms' } as object)
    expect([status, body.error]).toEqual([422, 'mms_not_supported'])
    expect(body.errors).toEqual({ format: ['must be sms: MMS cannot be sent'] })
    expect(await attempts()).toEqual([])
  })

  test('a number that cannot text refuses, and nothing is stored', async () => {
    number = await newNumber(company, { sms: false, mute: true })
    const { status, body } = await send()
    expect(status).toBe(422)
    expect(body).toEqual({
      error: 'sending_unavailable',
      message: expect.any(String),
      errors: { base: [body.message] },
    })
    expect(await attempts()).toEqual([])
  })

  test('the name of the author is removed with the employee, and the text stays', async () => {
    const created = await company.api.post('/employees', { name: 'Bo', email: `${randomUUID()}@example.com` })
    const bo = created.body as { id: string }
    const [row] = await bellhop.db.sql<{ id: string }[]>`
      select id from employees where company_id = ${company.companyId} and name = 'Bo'`
    const { api } = await bellhop.keyFor(row!.id)
    const { body } = await sendText({ ...company, api }, number)
    expect(body.author).toEqual({ type: 'employee', id: bo.id, name: 'Bo' })
    expect((await company.api.delete(`/employees/${bo.id}`)).status).toBe(204)
    expect((await read(body.id)).author).toEqual({ type: 'employee' })
  })
})

describe('the idempotency key of a send', () => {
  test('repeats the response and sends nothing', async () => {
    const first = await send({ idempotency_key: 'k' })
    const again = await send({ idempotency_key: 'k' })
    expect(again.status).toBe(200)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.body).toEqual(first.body)
    expect(await attempts()).toHaveLength(1)
  })

  test('repeats the outcome of a refused text', async () => {
    const first = await send({ idempotency_key: 'k', to: '+4520110001' })
    const again = await send({ idempotency_key: 'k', to: '+4520110001' })
    expect(again.status).toBe(200)
    expect(again.body).toMatchObject({ id: first.body.message_id, status: 'failed' })
    expect(await attempts()).toHaveLength(1)
  })

  test('of concurrent requests lets one send and the others repeat its response', async () => {
    const answers = await alone((sql) =>
      raceInserts(
        sql,
        'messages',
        Array.from({ length: 4 }, () => () => send({ idempotency_key: 'k' })),
      ),
    )
    expect(inOrder(answers)).toEqual([200, 200, 200, 201])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(await attempts()).toHaveLength(1)
  })

  test.each([
    ['recipient', { to: '+4520112244' }],
    ['body', { text: 'Goodbye' }],
  ])('with another %s is refused', async (_, change) => {
    await send({ idempotency_key: 'k' })
    const { status, body } = await send({ idempotency_key: 'k', ...change })
    expect([status, body.error]).toEqual([409, 'idempotency_key_reused'])
    expect(await attempts()).toHaveLength(1)
  })

  test('from another employee is refused', async () => {
    await send({ idempotency_key: 'k' })
    await company.api.post('/employees', { name: 'Bo', email: `${randomUUID()}@example.com` })
    const [bo] = await bellhop.db.sql<{ id: string }[]>`
      select id from employees where company_id = ${company.companyId} and name = 'Bo'`
    const { api } = await bellhop.keyFor(bo!.id)
    const { status, body } = await sendText({ ...company, api }, number, { idempotency_key: 'k' })
    expect([status, body.error]).toEqual([409, 'idempotency_key_reused'])
  })

  test('belongs to the number: another number may use the same', async () => {
    const first = await send({ idempotency_key: 'k' })
    const second = await sendText(company, await newNumber(company, { mute: true }), { idempotency_key: 'k' })
    expect(second.status).toBe(201)
    expect(second.body.id).not.toBe(first.body.id)
  })

  test.each([undefined, null, '', ' \t ', 'x'.repeat(129), 12, {}, ['k'], 'a\0b'])(
    'is required, and has 1 to 128 characters: %j',
    async (key) => {
      const input = { to: '+4520112233', text: 'Hello', idempotency_key: key }
      const { status, body } = await company.api.post(messagesPath(), input)
      expect([status, body.error]).toEqual([409, 'idempotency_key_required'])
      expect(await attempts()).toEqual([])
    },
  )

  test('is trimmed', async () => {
    const first = await send({ idempotency_key: `  ${'k'.repeat(128)} ` })
    expect(first.status).toBe(201)
    const again = await send({ idempotency_key: 'k'.repeat(128) })
    expect([again.status, again.body.id]).toEqual([200, first.body.id])
  })

  test('may be in the header, which takes precedence', async () => {
    expect((await sendWithHeader('x'.repeat(128))).status).toBe(201)
    expect((await sendWithHeader('x'.repeat(128))).status).toBe(200)
    expect((await send({ idempotency_key: 'in the body' })).status).toBe(201)
    expect((await sendWithHeader('x'.repeat(129))).status).toBe(409)
    expect((await sendWithHeader('   ')).status).toBe(409)
  })
})

describe('the rate limit of a number', () => {
  test('is 30 texts a minute, also for concurrent requests; other numbers and replays do not count', async () => {
    const first = await send({ idempotency_key: 'k' })
    const statuses = await fill(35)
    expect(statuses.filter((status) => status === 201)).toHaveLength(29)
    const { status, body, headers } = await send()
    expect([status, body.error, headers.get('retry-after')]).toEqual([429, 'rate_limited', '60'])
    const replayed = await send({ idempotency_key: 'k' })
    expect([replayed.status, replayed.body.id]).toEqual([200, first.body.id])
    expect((await sendText(company, await newNumber(company, { mute: true }))).status).toBe(201)
    expect(await attempts()).toHaveLength(31)
  })

  test('holds for requests that check before any of them has stored', async () => {
    await fill(29)
    const requests = Array.from({ length: 4 }, () => () => send())
    const answers = await alone((sql) => raceInserts(sql, 'messages', requests))
    expect(inOrder(answers)).toEqual([201, 429, 429, 429])
    expect(await attempts()).toHaveLength(30)
  })

  test('counts retries, and frees a slot a minute after each text', async () => {
    const failed = await send({ to: '+4520110001' })
    bellhop.clock.advance(30_000)
    await fill(29)
    const refused = await retry(failed.body.message_id)
    expect([refused.status, refused.body.error, refused.headers.get('retry-after')]).toEqual([
      429,
      'rate_limited',
      '60',
    ])
    bellhop.clock.advance(30_000)
    expect((await retry(failed.body.message_id)).status).toBe(422)
    expect((await send()).status).toBe(429)
    bellhop.clock.advance(30_000)
    expect((await send()).status).toBe(201)
  })
})

describe('retrying', () => {
  test('a failed text sends the same message again, as a new attempt', async () => {
    const id = await failed()
    const { status, body, headers } = await retry(id)
    expect(status).toBe(200)
    expect(headers.has('idempotent-replayed')).toBe(false)
    expect(body).toEqual({ id, type: 'message', format: 'sms', status: 'accepted', can_retry: false })
    expect(await read(id)).toMatchObject({ status: 'accepted', failure_code: null, sms_count: 1 })
    expect(await attempts()).toMatchObject([
      { kind: 'send', status: 'failed' },
      { kind: 'retry', status: 'accepted' },
    ])
  })

  test('with the same key repeats the current state, with another one it is a new retry', async () => {
    const id = await failed()
    await retry(id, 'k')
    await reports(id, 'failed')
    const again = await retry(id, 'k')
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
    expect(again.body).toEqual({ id, type: 'message', format: 'sms', status: 'failed', can_retry: true })
    expect(await attempts()).toHaveLength(2)
    expect((await retry(id, 'k2')).body.status).toBe('accepted')
    expect(await attempts()).toHaveLength(3)
  })

  test('concurrently sends once: with the same key the others repeat it, with another they are refused', async () => {
    for (const [keys, others] of [
      [
        ['k', 'k', 'k', 'k'],
        [200, 200, 200, 200],
      ],
      [
        ['a', 'b', 'c', 'd'],
        [200, 409, 409, 409],
      ],
    ] as const) {
      const id = await failed()
      const before = (await attempts()).length
      const requests = keys.map((key) => () => retry(id, key))
      const answers = await alone((sql) => raceInserts(sql, 'message_attempts', requests))
      expect(inOrder(answers)).toEqual(others)
      expect(answers.filter(({ headers }) => headers.has('idempotent-replayed'))).toHaveLength(
        others.filter((status) => status === 200).length - 1,
      )
      expect(await attempts()).toHaveLength(before + 1)
    }
  })

  test('keys of retries belong to the message', async () => {
    const [one, two] = [await failed(), await failed()]
    expect((await retry(one, 'k')).headers.has('idempotent-replayed')).toBe(false)
    expect((await retry(two, 'k')).headers.has('idempotent-replayed')).toBe(false)
    expect((await send({ idempotency_key: 'k' })).status).toBe(201)
  })

  test('a refusal has the id of the message, which can still be retried', async () => {
    const first = await send({ to: '+4520110001' })
    const { status, body } = await retry(first.body.message_id)
    expect([status, body.error, body.message_id]).toEqual([422, 'provider_rejected', first.body.message_id])
    expect(body.errors).toEqual({ to: ['was refused by the provider'] })
    expect(await read(body.message_id)).toMatchObject({ status: 'failed', can_retry: true })
  })

  test.each([undefined, null, '', ' ', 'x'.repeat(129), 1, {}])('needs a key: %j', async (key) => {
    const id = await failed()
    const { status, body } = await company.api.post(`/messages/${id}/retries`, { idempotency_key: key })
    expect([status, body.error]).toEqual([409, 'idempotency_key_required'])
    expect(await attempts()).toHaveLength(1)
  })

  test.each([
    ['accepted', '+4520110003'],
    ['delivered', '+4520110005'],
  ])('is refused for a text that is %s', async (state, to) => {
    const { body } = await send({ to })
    expect((await read(body.id)).status).toBe(state)
    const { status, body: refusal } = await retry(body.id)
    expect([status, refusal.error]).toEqual([409, 'message_not_retryable'])
    expect(await attempts()).toHaveLength(1)
  })

  test.each(['queued', 'unknown'])('is refused for a text that is %s', async (state) => {
    const { body } = await send()
    await bellhop.db.sql`update messages set status = ${state} where company_id = ${company.companyId}`
    expect((await retry(body.id)).status).toBe(409)
    expect(await attempts()).toHaveLength(1)
  })

  test('is refused while the number cannot send, and the message says so', async () => {
    const id = await failed()
    await bellhop.db.sql`update business_numbers set sms_capable = false where id = ${number}`
    expect(await read(id)).toMatchObject({ status: 'failed', can_retry: false })
    const { status, body } = await retry(id)
    expect([status, body.error]).toEqual([422, 'sending_unavailable'])
    expect(await attempts()).toHaveLength(1)
  })
})

test('every endpoint of texting is 404 while the company has it switched off, and back when on', async () => {
  const { body } = await send({ to: '+4520110001' })
  const id = body.message_id as string
  await bellhop.db.tx((tx) => setMessaging(tx, company.companyId, false))
  for (const answer of [await send(), await company.api.get(`/messages/${id}`), await retry(id)]) {
    expect(answer.status).toBe(404)
    expect(answer.body.error).toBe('not_found')
  }
  expect(await attempts()).toHaveLength(1)
  await bellhop.db.tx((tx) => setMessaging(tx, company.companyId, true))
  expect(await read(id)).toMatchObject({ status: 'failed' })
})

test('switched off, texting is 404 whatever is sent: the request is not even parsed', async () => {
  const { body } = await send({ to: '+4520110001' })
  const snippet = await company.api.post('/text_snippets', { title: 'Hours', text: 'We are open.' })
  await bellhop.db.tx((tx) => setMessaging(tx, company.companyId, false))
  const settings = `/business_numbers/${encodeId('num', number)}/texting_settings`
  for (const [method, path] of [
    ['POST', messagesPath()],
    ['POST', `/messages/${body.message_id}/retries`],
    ['PATCH', settings],
    ['PATCH', settings.replace('business', 'main')],
    ['POST', '/text_snippets'],
    ['PATCH', `/text_snippets/${snippet.body.id}`],
  ] as const)
    for (const sent of [
      '[]',
      '{"to": 1, "text": 2, "title": 3, "auto_reply_enabled": 4}',
      '{',
      'x'.repeat(2 ** 21),
    ]) {
      const headers = { 'content-type': 'application/json' }
      const answer = await company.api.request(path, { method, headers, body: sent })
      expect([path, sent.length, answer.status, answer.body.error]).toEqual([
        path,
        sent.length,
        404,
        'not_found',
      ])
    }
})

test('a text whose process died before the provider responded becomes unknown, and is not sent again', async () => {
  const { body } = await send({ to: '+4520110003' })
  for (const table of ['messages', 'message_attempts'])
    await bellhop.db
      .sql`update ${bellhop.db.sql(table)} set status = 'queued' where company_id = ${company.companyId}`
  await runSettlingJobs()
  expect(await read(body.id)).toMatchObject({ status: 'unknown', can_retry: false })
  expect(await attempts()).toHaveLength(1)
})
