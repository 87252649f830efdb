import { describe, expect, test } from 'vitest'

import { newCall, newNumber, newVoicemail } from '../../../../test/harness/calls/telephony.ts'
import { allRows } from '../../../../test/harness/routes/rows.ts'
import { inboxFixture } from '../../../../test/harness/texts/inbox-fixture.ts'
import { newText } from '../../../../test/harness/texts/texts.ts'
import { encodeId } from '../../../platform/ids.ts'
import { setMessaging } from '../../company/index.ts'

const fixture = inboxFixture({ name: 'Sales' })

const ANNA = '+4520112233'

async function activity(filter: Record<string, string> = {}, phone = ANNA) {
  const query = new URLSearchParams(filter).toString()
  const { status, body } = await fixture.company.api.get(
    `/inbox/${encodeURIComponent(phone)}/activity?${query}`,
  )
  expect(status).toBe(200)
  return body
}

const ids = async (filter: Record<string, string> = {}): Promise<string[]> =>
  (await activity(filter)).items.map((item: { id: string }) => item.id)

const call = async (values: Parameters<typeof newCall>[1] = {}) =>
  encodeId(
    'cal',
    await newCall(fixture.company, { business_number_id: fixture.numberId, remote_number: ANNA, ...values }),
  )
const text = async (values: Parameters<typeof newText>[1] = {}) =>
  encodeId(
    'msg',
    await newText(fixture.company, { business_number_id: fixture.numberId, remote_number: ANNA, ...values }),
  )
const voicemail = async (values: Parameters<typeof newVoicemail>[1] = {}) =>
  encodeId(
    'voi',
    await newVoicemail(fixture.company, {
      business_number_id: fixture.numberId,
      from_number: ANNA,
      ...values,
    }),
  )

describe('the activity of a number', () => {
  test('is empty for an unknown number, creates nothing and has a time to mark seen through', async () => {
    const before = await allRows(fixture.bellhop.db.sql)
    const body = await activity({}, '+4599887766')
    expect(body).toEqual({
      phone_number: '+4599887766',
      contact: null,
      items: [],
      next_cursor: null,
      observed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
    })
    expect(await allRows(fixture.bellhop.db.sql)).toEqual(before)
  })

  test('has calls, voicemails and texts, newest first, with the contact', async () => {
    const { body: contact } = await fixture.company.api.post('/contacts', { phone: ANNA, name: 'Anna' })
    const made = [await call(), await text(), await voicemail(), await text({ direction: 'outbound' })]
    const body = await activity()
    expect(body.items.map((item: { id: string }) => item.id)).toEqual(made.toReversed())
    expect(body.items.map((item: { type: string }) => item.type)).toEqual([
      'message',
      'voicemail',
      'message',
      'call',
    ])
    expect(body.contact).toEqual({
      id: contact.id,
      name: 'Anna',
      phone: ANNA,
      phone_formatted: '+45 20 11 22 33',
      email: null,
      company_name: null,
      note: null,
    })
  })

  test('shows a call with every field of the contract', async () => {
    const [number] = await fixture.bellhop.db
      .sql`select number from business_numbers where id = ${fixture.numberId}`
    const id = await newCall(fixture.company, {
      business_number_id: fixture.numberId,
      remote_number: ANNA,
      answered_at: new Date('2026-03-01T10:00:12.000Z'),
      ended_at: new Date('2026-03-01T10:02:17.400Z'),
      summary: 'A bike was ordered.',
      transcription: 'Hello, I want a bike.',
    })
    await fixture.bellhop.db.sql`
      insert into call_employees (company_id, call_id, employee_id)
      values (${fixture.company.companyId}, ${id}, ${fixture.company.employeeId})`
    const [row] = await fixture.bellhop.db.sql`select created_at from calls where id = ${id}`
    expect((await activity()).items).toEqual([
      {
        id: encodeId('cal', id),
        type: 'call',
        created_at: (row!.created_at as Date).toISOString(),
        business_number_id: encodeId('num', fixture.numberId),
        business_number_name: 'Sales',
        seen_at: null,
        direction: 'inbound',
        from: ANNA,
        to: number!.number,
        duration: 125,
        state: 'ended',
        missed: false,
        summary: 'A bike was ordered.',
        employee: { id: encodeId('emp', fixture.company.employeeId), name: 'Owner' },
        has_transcription: true,
        wrap_up: null,
      },
    ])
  })

  test('distinguishes missed calls from live, rejected and outbound ones', async () => {
    await call()
    await call({ state: 'queued', ended_at: null })
    await call({ direction: 'outbound', initiated_by: fixture.company.employeeId })
    const { items } = await activity()
    expect(items).toMatchObject([
      { missed: false, direction: 'outbound', to: ANNA, duration: 0, employee: { name: 'Owner' } },
      { missed: false, state: 'queued', duration: null, employee: null },
      { missed: true, state: 'ended', duration: 0, summary: null, has_transcription: false },
    ])
  })

  test('shows a voicemail with every field of the contract, in place of its call', async () => {
    const callId = await newCall(fixture.company, {
      business_number_id: fixture.numberId,
      remote_number: ANNA,
    })
    const id = await newVoicemail(fixture.company, {
      business_number_id: fixture.numberId,
      from_number: ANNA,
      call_id: callId,
      transcription: 'Please call me.',
      recording_key: 'recordings/one.wav',
      seconds: 12,
      listened_at: new Date(),
    })
    expect((await activity()).items).toEqual([
      {
        id: encodeId('voi', id),
        type: 'voicemail',
        created_at: expect.any(String),
        business_number_id: encodeId('num', fixture.numberId),
        business_number_name: 'Sales',
        seen_at: null,
        direction: 'inbound',
        from: ANNA,
        duration: 12,
        transcription: 'Please call me.',
        recording_url: expect.stringContaining('/files/recordings/one.wav?'),
        listened: true,
        call_id: encodeId('cal', callId),
      },
    ])
  })

  test('of a call with two voicemails shows both in its place, and the call only when both are gone', async () => {
    const id = await newCall(fixture.company, { business_number_id: fixture.numberId, remote_number: ANNA })
    const [first, second] = [await voicemail({ call_id: id }), await voicemail({ call_id: id })]
    const unseen = async () => [
      (await fixture.company.api.get('/inbox')).body.threads[0].unseen_count,
      (await fixture.company.api.get('/inbox')).body.threads[0].latest_item.id,
      (await fixture.company.api.get('/activity/unseen')).body.total,
    ]
    expect(await ids()).toEqual([second, first])
    expect(await unseen()).toEqual([2, second, 1])
    await fixture.company.api.delete(`/voicemails/${first}`)
    expect(await ids()).toEqual([second])
    expect(await unseen()).toEqual([1, second, 1])
    await fixture.company.api.delete(`/voicemails/${second}`)
    expect(await ids()).toEqual([encodeId('cal', id)])
    expect(await unseen()).toEqual([1, encodeId('cal', id), 1])
  })

  test('shows a text as the messages API does, without a duration', async () => {
    const id = await text({ text: 'When do you open?' })
    const { status, body } = await fixture.company.api.get(`/messages/${id}`)
    expect(status).toBe(200)
    expect((await activity()).items).toEqual([{ ...body, duration: null }])
    expect(body).toMatchObject({ id, type: 'message', format: 'sms', text: 'When do you open?' })
  })

  test.each(['20112233', '20 11 22 33', '004520112233', '+45 20-11-22-33'])(
    'is found by the number written as %s, with any other parameters',
    async (phone) => {
      const id = await call()
      const body = await activity({ phone_number: '+4599887766' }, phone)
      expect(body).toMatchObject({ phone_number: ANNA, items: [{ id }] })
    },
  )

  test.each(['anna', '12', '+', '%00', '9'.repeat(60)])('is 422 for what is no number: %s', async (phone) => {
    const { status, body } = await fixture.company.api.get(`/inbox/${phone}/activity`)
    expect(status).toBe(422)
    expect(body.errors).toEqual({ phone_number: ['is not a phone number'] })
  })

  test('of one business number is that of no other, and 404 for a number that is not ours', async () => {
    const support = await newNumber(fixture.company)
    const [, other] = [await call(), await text({ business_number_id: support })]
    expect(await ids({ business_number_id: encodeId('num', support) })).toEqual([other])
    const foreign = encodeId('num', await newNumber(await fixture.bellhop.newCompany()))
    for (const id of [foreign, 'num_x'])
      expect((await fixture.company.api.get(`/inbox/${ANNA}/activity?business_number_id=${id}`)).status).toBe(
        404,
      )
  })

  test('of a number shows nothing of another company’s', async () => {
    await newText(await fixture.bellhop.newCompany({ messaging: true }), { remote_number: ANNA })
    expect(await ids()).toEqual([])
  })

  test('has no texts while the company has no messaging, and all of them afterwards', async () => {
    const made = [await text(), await call(), await text()]
    await fixture.bellhop.db.tx((tx) => setMessaging(tx, fixture.company.companyId, false))
    expect(await ids()).toEqual([made[1]])
    expect(await ids({ business_number_id: encodeId('num', fixture.numberId) })).toEqual([made[1]])
    await fixture.bellhop.db.tx((tx) => setMessaging(tx, fixture.company.companyId, true))
    expect(await ids()).toEqual(made.toReversed())
  })
})

const refused = async (path: string, { api } = fixture.company) => {
  const { status, body } = await api.get(path)
  expect(status, path).toBe(422)
  expect(body.errors).toEqual({ cursor: [expect.any(String)] })
}

describe('pages of activity', () => {
  test('stay as of the first page', async () => {
    const made = [await call(), await text(), await call(), await text(), await call()]
    const newest = made.toReversed()
    const first = await activity({ limit: '2' })
    expect(first.items.map((item: { id: string }) => item.id)).toEqual(newest.slice(0, 2))
    await text()
    const second = await activity({ limit: '2', cursor: first.next_cursor })
    await call()
    const third = await activity({ limit: '2', cursor: second.next_cursor })
    expect(second.items.map((item: { id: string }) => item.id)).toEqual(newest.slice(2, 4))
    expect(third.items.map((item: { id: string }) => item.id)).toEqual(newest.slice(4))
    expect(third.next_cursor).toBeNull()
    expect([second.observed_at, third.observed_at]).toEqual([first.observed_at, first.observed_at])
    expect(await ids()).toHaveLength(7)
  })

  test('still show a call that was replaced by a voicemail in between', async () => {
    const callId = await newCall(fixture.company, {
      business_number_id: fixture.numberId,
      remote_number: ANNA,
    })
    const latest = await text()
    const first = await activity({ limit: '1' })
    expect(first.items[0].id).toBe(latest)
    const left = await voicemail({ call_id: callId })
    const second = await activity({ limit: '1', cursor: first.next_cursor })
    expect(second.items.map((item: { id: string }) => item.id)).toEqual([encodeId('cal', callId)])
    expect(await ids()).toEqual([left, latest])
  })

  test('reading marks nothing as seen', async () => {
    await text()
    const before = await allRows(fixture.bellhop.db.sql)
    await activity()
    expect(await allRows(fixture.bellhop.db.sql)).toEqual(before)
  })

  test('have 50 items if no limit is given, and between 1 and 100', async () => {
    await fixture.bellhop.db.sql`
      insert into calls (company_id, business_number_id, direction, remote_number, state)
      select ${fixture.company.companyId}, ${fixture.numberId}, 'inbound', ${ANNA}, 'ended'
      from generate_series(1, 101)`
    expect(await ids()).toHaveLength(50)
    for (const limit of ['100', '101']) expect(await ids({ limit })).toHaveLength(100)
    for (const limit of ['0', '-5']) expect(await ids({ limit })).toHaveLength(1)
  })

  test('a cursor is refused for another phone number, business number or company, and if it was changed', async () => {
    await call()
    await call()
    const { next_cursor: cursor } = await activity({ limit: '1' })
    expect((await activity({ cursor })).items).toHaveLength(1)
    await refused(`/inbox/+4520112244/activity?cursor=${cursor}`)
    await refused(
      `/inbox/${ANNA}/activity?cursor=${cursor}&business_number_id=${encodeId('num', fixture.numberId)}`,
    )
    await refused(`/inbox/${ANNA}/activity?cursor=${cursor}`, await fixture.bellhop.newCompany())
    await refused(`/inbox/${ANNA}/activity?cursor=${cursor}A`)
    await refused(`/inbox?cursor=${cursor}`)
  })

  test.each(['limit=x', 'limit=2.5', 'cursor=x'])('refuses %s', async (query) => {
    const { status, body } = await fixture.company.api.get(`/inbox/${ANNA}/activity?${query}`)
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual([query.split('=')[0]])
  })
})
