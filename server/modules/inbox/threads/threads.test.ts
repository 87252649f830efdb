import { beforeEach, describe, expect, test } from 'vitest'

import { newCall, newNumber, newVoicemail } from '../../../../test/harness/calls/telephony.ts'
import { inboxFixture } from '../../../../test/harness/texts/inbox-fixture.ts'
import { newText } from '../../../../test/harness/texts/texts.ts'
import { encodeId } from '../../../platform/ids.ts'
import { setMessaging } from '../../company/index.ts'
import type { ThreadPage } from '../schemas.ts'

const fixture = inboxFixture({ name: 'Sales' })

const ANNA = '+4520112233'
const BO = '+4520112244'
const CARL = '+4520112255'

type Page = { [Field in keyof ThreadPage]: any }

async function inbox(filter: Record<string, string> = {}, { api } = fixture.company): Promise<Page> {
  const { status, body } = await api.get(`/inbox?${new URLSearchParams(filter).toString()}`)
  expect(status).toBe(200)
  return body
}

const phones = async (filter: Record<string, string> = {}) =>
  (await inbox(filter)).threads.map((thread: { phone_number: string }) => thread.phone_number)

const only = async (filter: Record<string, string> = {}) => {
  const { threads } = await inbox(filter)
  expect(threads).toHaveLength(1)
  return threads[0]
}

const call = (remote_number = ANNA, values: Parameters<typeof newCall>[1] = {}) =>
  newCall(fixture.company, { business_number_id: fixture.numberId, remote_number, ...values })
const text = (remote_number = ANNA, values: Parameters<typeof newText>[1] = {}) =>
  newText(fixture.company, { business_number_id: fixture.numberId, remote_number, ...values })
const voicemail = (from_number = ANNA, values: Parameters<typeof newVoicemail>[1] = {}) =>
  newVoicemail(fixture.company, { business_number_id: fixture.numberId, from_number, ...values })

describe('the list of threads', () => {
  test('is empty for a company without activity', async () => {
    expect(await inbox()).toEqual({ threads: [], next_cursor: null })
  })

  test('has one thread for each external number, newest activity first, in both directions', async () => {
    await call(ANNA)
    await text(BO)
    await voicemail(CARL)
    await call(BO, { direction: 'outbound' })
    await text(ANNA, { direction: 'outbound' })
    expect(await phones()).toEqual([ANNA, BO, CARL])
  })

  test('holds nothing of another company, with the same external number', async () => {
    const other = await fixture.bellhop.newCompany({ messaging: true })
    await newCall(other, { remote_number: ANNA })
    expect(await phones()).toEqual([])
    await call(ANNA)
    expect((await only()).unseen_count).toBe(1)
  })
})

describe('a thread', () => {
  test('has every field of the contract', async () => {
    const { body: contact } = await fixture.company.api.post('/contacts', {
      phone: ANNA,
      name: 'Anna',
      email: 'anna@holm.example',
      company_name: 'Holm & Co',
      note: 'VIP',
    })
    const support = await newNumber(fixture.company)
    await newCall(fixture.company, {
      business_number_id: support,
      remote_number: ANNA,
      direction: 'outbound',
    })
    const id = await text(ANNA, { text: 'When do you open?' })
    const [row] = await fixture.bellhop.db.sql`select created_at from messages where id = ${id}`
    expect(await only()).toEqual({
      phone_number: ANNA,
      contact: {
        id: contact.id,
        name: 'Anna',
        phone: ANNA,
        phone_formatted: '+45 20 11 22 33',
        email: 'anna@holm.example',
        company_name: 'Holm & Co',
        note: 'VIP',
      },
      last_activity_at: (row!.created_at as Date).toISOString(),
      unseen_count: 1,
      business_number_ids: [encodeId('num', fixture.numberId), encodeId('num', support)],
      reply_business_number_id: encodeId('num', fixture.numberId),
      preview: 'When do you open?',
      latest_item: {
        id: encodeId('msg', id),
        type: 'message',
        business_number_id: encodeId('num', fixture.numberId),
        direction: 'inbound',
        format: 'sms',
        status: 'received',
      },
    })
  })

  test('has the type of its latest item without its content', async () => {
    const callId = await call(ANNA, { summary: 'Secret', transcription: 'Secret' })
    const number = { business_number_id: encodeId('num', fixture.numberId) }
    expect(await only()).toMatchObject({ contact: null })
    expect((await only()).latest_item).toEqual({
      id: encodeId('cal', callId),
      type: 'call',
      direction: 'inbound',
      missed: true,
      ...number,
    })
    const voicemailId = await voicemail(ANNA, { transcription: 'Secret' })
    expect((await only()).latest_item).toEqual({
      id: encodeId('voi', voicemailId),
      type: 'voicemail',
      direction: 'inbound',
      ...number,
    })
    const messageId = await text(ANNA, { direction: 'outbound', status: 'failed' })
    expect((await only()).latest_item).toEqual({
      id: encodeId('msg', messageId),
      type: 'message',
      direction: 'outbound',
      format: 'sms',
      status: 'failed',
      ...number,
    })
  })

  test('can be replied to from the number of its latest item only if that can send', async () => {
    const deaf = await newNumber(fixture.company, { sms: false })
    await text()
    expect((await only()).reply_business_number_id).toBe(encodeId('num', fixture.numberId))
    await newCall(fixture.company, { business_number_id: deaf, remote_number: ANNA })
    expect((await only()).reply_business_number_id).toBeNull()
    await call()
    expect((await only()).reply_business_number_id).toBe(encodeId('num', fixture.numberId))
    await fixture.bellhop.db.tx((tx) => setMessaging(tx, fixture.company.companyId, false))
    expect((await only()).reply_business_number_id).toBeNull()
  })

  test.each<[string, () => Promise<unknown>]>([
    ['Missed call', () => call()],
    ['Incoming call', () => call(ANNA, { answered_at: new Date() })],
    ['Incoming call', () => call(ANNA, { state: 'queued', ended_at: null })],
    ['Outgoing call', () => call(ANNA, { direction: 'outbound' })],
    ['Voicemail', () => voicemail()],
    ['Asked about an order.', () => call(ANNA, { summary: 'Asked about an order.' })],
    ['Please call me back.', () => voicemail(ANNA, { transcription: 'Please call\n me back.' })],
    ['x'.repeat(160), () => voicemail(ANNA, { transcription: 'x'.repeat(161) })],
    ['🦄'.repeat(160), () => call(ANNA, { summary: '🦄'.repeat(200) })],
    ['y'.repeat(160), () => text(ANNA, { text: 'y'.repeat(1_000) })],
  ])('has the preview %.20s', async (preview, make) => {
    await make()
    expect((await only()).preview).toBe(preview)
  })
})

describe('what is unseen in a thread', () => {
  test('is every inbound call, voicemail and text, and nothing outbound', async () => {
    await call()
    await call(ANNA, { answered_at: new Date() })
    await voicemail()
    await text()
    await call(ANNA, { direction: 'outbound' })
    await text(ANNA, { direction: 'outbound' })
    expect((await only()).unseen_count).toBe(4)
  })

  test('counts a voicemail and its call once', async () => {
    const call_id = await call()
    await voicemail(ANNA, { call_id })
    expect(await only()).toMatchObject({ unseen_count: 1, latest_item: { type: 'voicemail' } })
  })

  test('counts the call again when its voicemail is deleted', async () => {
    const call_id = await call()
    const id = await voicemail(ANNA, { call_id })
    await fixture.company.api.delete(`/voicemails/${encodeId('voi', id)}`)
    expect(await only()).toMatchObject({ unseen_count: 1, latest_item: { id: encodeId('cal', call_id) } })
  })

  test('is removed with a deleted voicemail, and so is a thread without other items', async () => {
    await call()
    const [one, other] = [await voicemail(), await voicemail(BO)]
    expect(await phones()).toEqual([BO, ANNA])
    for (const id of [one, other]) await fixture.company.api.delete(`/voicemails/${encodeId('voi', id)}`)
    expect(await only()).toMatchObject({
      phone_number: ANNA,
      unseen_count: 1,
      latest_item: { type: 'call' },
    })
  })

  test('is right for a voicemail that names another number than its call', async () => {
    const call_id = await call()
    const elsewhere = await newNumber(fixture.company)
    const id = await newVoicemail(fixture.company, {
      business_number_id: elsewhere,
      from_number: BO,
      call_id,
    })
    expect(await phones()).toEqual([BO])
    await fixture.company.api.delete(`/voicemails/${encodeId('voi', id)}`)
    expect(await only()).toMatchObject({ phone_number: ANNA, unseen_count: 1 })
  })
})

describe('filtering the list', () => {
  test('by business number shows the threads as that number alone would have them', async () => {
    const support = await newNumber(fixture.company)
    const callId = await call(ANNA)
    await newText(fixture.company, { business_number_id: support, remote_number: ANNA })
    await newText(fixture.company, { business_number_id: support, remote_number: BO })
    await call(BO)
    expect(await phones({ business_number_id: encodeId('num', support) })).toEqual([BO, ANNA])
    const { threads } = await inbox({ business_number_id: encodeId('num', fixture.numberId) })
    expect(threads).toHaveLength(2)
    expect(threads[1]).toMatchObject({
      phone_number: ANNA,
      unseen_count: 1,
      preview: 'Missed call',
      latest_item: { id: encodeId('cal', callId) },
      business_number_ids: [encodeId('num', support), encodeId('num', fixture.numberId)],
    })
  })

  test('by a business number that is unknown, foreign or malformed is 404', async () => {
    const foreign = encodeId('num', await newNumber(await fixture.bellhop.newCompany()))
    for (const id of ['num_01h455vb4pex5vsknk084sn02q', foreign, 'num_x', ''])
      expect((await fixture.company.api.get(`/inbox?business_number_id=${id}`)).status).toBe(404)
  })

  test('by unseen=true leaves out threads without unseen items', async () => {
    await call(ANNA)
    await call(BO, { direction: 'outbound' })
    await text(CARL)
    expect(await phones({ unseen: 'true' })).toEqual([CARL, ANNA])
    expect(await phones({ unseen: 'false' })).toEqual([CARL, BO, ANNA])
    const through = (await fixture.company.api.get(`/inbox/${ANNA}/activity`)).body.observed_at
    await fixture.company.api.post(`/inbox/${ANNA}/seen`, { through })
    expect(await phones({ unseen: 'true' })).toEqual([CARL])
  })

  test.each([
    'unseen=yes',
    'unseen=',
    'limit=ten',
    'limit=1.5',
    'limit=',
    `query=${'x'.repeat(129)}`,
    'query=a%00b',
    'cursor=nonsense',
    'cursor=',
    'limit=1&limit=2',
  ])('refuses %.20s', async (query) => {
    const { status, body } = await fixture.company.api.get(`/inbox?${query}`)
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual([query.split('=')[0]])
  })
})

async function walk(filter: Record<string, string>): Promise<string[][]> {
  const pages: string[][] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: Page = await inbox({ ...filter, ...(cursor && { cursor }) })
    pages.push(page.threads.map((thread: { phone_number: string }) => thread.phone_number))
    cursor = page.next_cursor
  }
  return pages
}

describe('pages of the list', () => {
  const others = Array.from({ length: 7 }, (_, i) => `+452011330${i}`)

  beforeEach(async () => {
    for (const phone of others) await call(phone)
  })

  test('contain every thread once, in order, and end with a null cursor', async () => {
    const newest = others.toReversed()
    expect(await walk({ limit: '3' })).toEqual([newest.slice(0, 3), newest.slice(3, 6), newest.slice(6)])
    expect(await walk({ limit: '7' })).toEqual([newest])
    expect((await walk({ limit: '1', unseen: 'true' })).flat()).toEqual(newest)
    expect((await walk({ limit: '2', query: '20 11 33' })).flat()).toEqual(newest)
  })

  test.each([
    ['0', 1],
    ['-3', 1],
    ['5', 5],
    ['101', 7],
    ['99999999999999999999', 7],
  ])('with limit %s have %i threads', async (limit, count) => {
    expect(await phones({ limit })).toHaveLength(count)
  })

  test('have 50 threads if no limit is given, and never more than 100', async () => {
    await fixture.bellhop.db.sql`
      insert into calls (company_id, business_number_id, direction, remote_number, state)
      select ${fixture.company.companyId}, ${fixture.numberId}, 'inbound', '+45' || 30000000 + n, 'ended'
      from generate_series(1, 101) as n`
    expect(await phones()).toHaveLength(50)
    for (const limit of ['100', '101']) expect(await phones({ limit })).toHaveLength(100)
  })

  test('a cursor is refused for another company, number, query or filter, and if it was changed', async () => {
    const { next_cursor } = await inbox({ limit: '2' })
    const refused = async (filter: Record<string, string>, { api } = fixture.company) => {
      const answer = await api.get(`/inbox?${new URLSearchParams({ limit: '2', ...filter }).toString()}`)
      expect(answer.status, JSON.stringify(filter)).toBe(422)
      expect(answer.body.errors).toEqual({ cursor: [expect.any(String)] })
    }
    const cursor: string = next_cursor
    expect((await inbox({ cursor, limit: '100' })).threads).toHaveLength(5)
    await refused({ cursor }, await fixture.bellhop.newCompany())
    await refused({ cursor, business_number_id: encodeId('num', fixture.numberId) })
    await refused({ cursor, query: '20' })
    await refused({ cursor, unseen: 'true' })
    await refused({ cursor: `${cursor}x` })
    await refused({ cursor: cursor.slice(1) })
    await refused({ cursor: cursor.split('.')[0]! })
    await refused({ cursor: `.${cursor.split('.')[1]}` })
    // The same bytes, but another text.
    await refused({ cursor: `${cursor}.` })
    await refused({ cursor: `${cursor}=` })
    await refused({ cursor: cursor.replace('.', '!.') })
    const activity = await fixture.company.api.get(`/inbox/${others[0]}/activity?cursor=${cursor}`)
    expect(activity.status).toBe(422)
  })
})

const switchMessaging = (on: boolean) =>
  fixture.bellhop.db.tx((tx) => setMessaging(tx, fixture.company.companyId, on))

describe('while the company has no messaging', () => {
  test('the list shows no texts, and shows them again with messaging', async () => {
    const callId = await call(ANNA)
    await text(BO)
    await text(ANNA)
    const before = await inbox()
    await switchMessaging(false)
    expect(await only()).toMatchObject({
      phone_number: ANNA,
      unseen_count: 1,
      preview: 'Missed call',
      latest_item: { id: encodeId('cal', callId) },
    })
    expect(await phones({ unseen: 'true' })).toEqual([ANNA])
    expect(await phones({ query: '2011' })).toEqual([ANNA])
    await text(CARL)
    await switchMessaging(true)
    expect((await inbox()).threads.slice(1)).toEqual(before.threads)
    expect(await phones()).toEqual([CARL, ANNA, BO])
  })
})
