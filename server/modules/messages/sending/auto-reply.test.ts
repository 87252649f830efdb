import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

import { newNumber } from '../../../../test/harness/calls/telephony.ts'
import { type Harness, harness, type TestCompany } from '../../../../test/harness/index.ts'
import { callBack, incoming, numberOf, sendText, setHours } from '../../../../test/harness/texts/texting.ts'
import { encodeId } from '../../../platform/ids.ts'
import { setMessaging } from '../../company/index.ts'
import { setRetired } from '../../numbers/index.ts'

let bellhop: Harness
let company: TestCompany
let number: string
let address: string

beforeAll(async () => {
  bellhop = await harness()
})

const HOUR = 60 * 60 * 1000

beforeEach(async () => {
  company = await bellhop.newCompany({ messaging: true })
  number = await newNumber(company, { mute: true })
  address = await numberOf(company, number)
  await setHours(company, number, 'closed')
  await settings({
    auto_reply_enabled: true,
    auto_reply_text: 'We are closed.',
    auto_reply_cooldown_minutes: 60,
  })
})

const settings = (values: object) =>
  company.api.patch(`/business_numbers/${encodeId('num', number)}/texting_settings`, values)

const receive = (values: Record<string, unknown> = {}) =>
  callBack(bellhop, 'messages', incoming(address, values))

/** The automatic replies that were sent, oldest first. */
async function replies(): Promise<Record<string, any>[]> {
  await bellhop.drainJobs()
  const rows = await bellhop.db.sql<{ id: string }[]>`
    select id from messages where company_id = ${company.companyId} and author = 'automation' order by id`
  return Promise.all(
    rows.map(async ({ id }) => (await company.api.get(`/messages/${encodeId('msg', id)}`)).body as object),
  )
}

const attempts = () => bellhop.db.sql`select from message_attempts where company_id = ${company.companyId}`

describe('outside business hours', () => {
  test('a number replies automatically, with the automation as author', async () => {
    await receive()
    expect(await replies()).toMatchObject([
      {
        direction: 'outbound',
        from: address,
        to: '+4520112233',
        text: 'We are closed.',
        author: { type: 'automation', name: 'Auto-reply' },
        status: 'accepted',
      },
    ])
    expect((await replies())[0]!.author).toEqual({ type: 'automation', name: 'Auto-reply' })
  })

  test('each number replies to each customer once within the cooldown', async () => {
    await receive()
    await receive()
    expect(await replies()).toHaveLength(1)
    await receive({ from: '+4520112244' })
    expect(await replies()).toHaveLength(2)
    bellhop.clock.advance(HOUR - 1)
    await receive()
    expect(await replies()).toHaveLength(2)
    bellhop.clock.advance(1)
    await receive()
    expect(await replies()).toHaveLength(3)
  })

  test('the cooldown of one number does not apply to another', async () => {
    await receive()
    expect(await replies()).toHaveLength(1)
    number = await newNumber(company, { mute: true })
    address = await numberOf(company, number)
    await setHours(company, number, 'closed')
    await settings({ auto_reply_enabled: true, auto_reply_text: 'This one is closed too.' })
    await receive()
    expect((await replies()).map(({ text }) => text)).toEqual(['We are closed.', 'This one is closed too.'])
  })

  test('concurrent texts get one reply', async () => {
    await Promise.all(Array.from({ length: 6 }, () => receive()))
    expect(await replies()).toHaveLength(1)
  })

  test('a text that is delivered twice gets one reply, also after the cooldown', async () => {
    await receive({ id: 'twice' })
    expect(await replies()).toHaveLength(1)
    bellhop.clock.advance(2 * HOUR)
    await receive({ id: 'twice' })
    expect(await replies()).toHaveLength(1)
  })

  test('a job that runs again after the cooldown sends nothing', async () => {
    await receive()
    const [job] = await bellhop.db.sql<{ payload: object }[]>`
      select payload from company_jobs where company_id = ${company.companyId}`
    expect(await replies()).toHaveLength(1)
    bellhop.clock.advance(2 * HOUR)
    // As left by a worker that died before it could mark the job as done.
    await bellhop.db.sql`
      select graphile_worker.add_job('messages.auto_reply', ${bellhop.db.sql.json(job!.payload)}::json)`
    expect(await replies()).toHaveLength(1)
    await receive()
    expect(await replies()).toHaveLength(2)
  })

  test('a failed reply is not sent again, and cannot be retried by hand', async () => {
    await receive({ id: 'once', from: '+4520110001' })
    const [failed] = await replies()
    expect(failed).toMatchObject({ status: 'failed', failure_code: 'provider_rejected', can_retry: false })
    const retry = await company.api.post(`/messages/${failed!.id}/retries`, { idempotency_key: 'k' })
    expect([retry.status, retry.body.error]).toEqual([409, 'message_not_retryable'])
    await receive({ id: 'once', from: '+4520110001' })
    expect(await replies()).toHaveLength(1)
    expect(await attempts()).toHaveLength(1)
  })

  test.each([
    ['the provider refuses', '+4520110001'],
    ['is reported failed', '+4520110004'],
  ])('a reply that %s does not start the cooldown', async (_, from) => {
    await receive({ from })
    await replies()
    bellhop.clock.advance(1_000)
    await vi.waitFor(async () => expect(await replies()).toMatchObject([{ status: 'failed' }]))
    await receive({ from })
    expect(await replies()).toHaveLength(2)
  })

  test('a reply whose outcome is unknown starts the cooldown', async () => {
    await receive({ from: '+4520110002' })
    // The timeout starts with the provider's request; before that there is nothing to time out.
    const timer = setInterval(() => bellhop.clock.advance(1_000), 20)
    expect(await replies().finally(() => clearInterval(timer))).toMatchObject([{ status: 'unknown' }])
    await receive({ from: '+4520110002' })
    expect(await replies()).toHaveLength(1)
  })

  test('two numbers with automatic replies do not loop', async () => {
    const partner = await newNumber(company, { mute: true })
    const theirs = await numberOf(company, partner)
    const first = number
    number = partner
    await setHours(company, number, 'closed')
    await settings({
      auto_reply_enabled: true,
      auto_reply_text: 'Closed too.',
      auto_reply_cooldown_minutes: 60,
    })
    number = first
    // Each reply arrives at the other number, as through a carrier.
    await receive({ from: theirs })
    for (let round = 0; round < 4; round++) {
      for (const { from, to, text } of await replies())
        await callBack(bellhop, 'messages', incoming(to, { id: `${from} ${round}`, from, text }))
    }
    expect(await replies()).toHaveLength(2)
  })

  test('names and short codes get no reply', async () => {
    await receive({ from: 'MyBank' })
    await receive({ from: '1231' })
    expect(await replies()).toEqual([])
  })

  test('replies do not count towards the rate limit of the number', async () => {
    for (let i = 0; i < 3; i++) await receive({ from: `+452011224${i}` })
    expect(await replies()).toHaveLength(3)
    const sends = await Promise.all(Array.from({ length: 30 }, () => sendText(company, number)))
    expect(sends.map(({ status }) => status)).toEqual(Array(30).fill(201))
  })
})

describe('there is no reply', () => {
  test('in business hours', async () => {
    await setHours(company, number, 'open')
    await receive()
    expect(await replies()).toEqual([])
  })

  test('if business hours began before the job ran', async () => {
    await receive()
    await setHours(company, number, 'open')
    expect(await replies()).toEqual([])
  })

  test('if it was switched off before the job ran', async () => {
    await receive()
    await settings({ auto_reply_enabled: false })
    expect(await replies()).toEqual([])
  })

  test.each([
    ['is taken out of service', () => bellhop.db.tx((tx) => setRetired(tx, number, true))],
    [
      'can no longer send',
      () => bellhop.db.sql`update business_numbers set sms_capable = false where id = ${number}`,
    ],
  ])('if the number %s before the job ran', async (_, change) => {
    await receive()
    await change()
    expect(await replies()).toEqual([])
  })

  test('if it was never switched on', async () => {
    await settings({ auto_reply_enabled: false })
    await receive()
    await settings({ auto_reply_enabled: true })
    expect(await replies()).toEqual([])
  })

  test('while the company has texting switched off', async () => {
    await bellhop.db.tx((tx) => setMessaging(tx, company.companyId, false))
    await receive()
    await bellhop.drainJobs()
    await bellhop.db.tx((tx) => setMessaging(tx, company.companyId, true))
    expect(await replies()).toEqual([])
  })
})

test('hours are those of the timezone of the number, also where the clocks change', async () => {
  const path = `/business_numbers/${encodeId('num', number)}`
  await company.api.patch(path, { timezone: 'America/New_York' })
  const business_hours = Array.from({ length: 7 }, (_, day_of_week) => ({
    day_of_week,
    open: true,
    opening_at: '09:00',
    closing_at: '17:00',
  }))
  const body = { type: 'VoicemailConfig', greeting: 'Closed', business_hours }
  await company.api.put(`${path}/outside_business_hours_config`, body)
  // The clocks of New York go forward in the night to 14 March 2027: nine o'clock is 14:00 UTC before, 13:00 after.
  for (const [at, answered] of [
    ['2027-03-12T13:30:00Z', true],
    ['2027-03-12T14:30:00Z', false],
    ['2027-03-15T12:30:00Z', true],
    ['2027-03-15T13:30:00Z', false],
    ['2027-03-15T20:59:00Z', false],
    ['2027-03-15T21:00:00Z', true],
  ] as const) {
    const before = (await replies()).length
    bellhop.clock.advance(new Date(at).getTime() - bellhop.clock.now().getTime())
    await receive({ from: `+4520${String(Math.abs(new Date(at).getTime() / 1000)).slice(-6)}` })
    expect([at, (await replies()).length > before]).toEqual([at, answered])
  }
})
