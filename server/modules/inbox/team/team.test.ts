import { describe, expect, test, vi } from 'vitest'

import { newCall, newNumber, newVoicemail } from '../../../../test/harness/calls/telephony.ts'
import { newEmployee } from '../../../../test/harness/employees.ts'
import { messagesOf, openCable, DEADLINE } from '../../../../test/harness/peers/cable-socket.ts'
import { inboxFixture } from '../../../../test/harness/texts/inbox-fixture.ts'
import { newText } from '../../../../test/harness/texts/texts.ts'
import { encodeId } from '../../../platform/ids.ts'

const fixture = inboxFixture({ name: 'Sales' })

const ANNA = '+4520112233'
const BO = '+4520112244'
const CARL = '+4520112255'
const DORA = '+4520112266'

const call = (remote_number = ANNA, values: Parameters<typeof newCall>[1] = {}) =>
  newCall(fixture.company, { business_number_id: fixture.numberId, remote_number, ...values })
const text = (remote_number = ANNA, values: Parameters<typeof newText>[1] = {}) =>
  newText(fixture.company, { business_number_id: fixture.numberId, remote_number, ...values })
const voicemail = (from_number = ANNA, values: Parameters<typeof newVoicemail>[1] = {}) =>
  newVoicemail(fixture.company, { business_number_id: fixture.numberId, from_number, ...values })

async function page(filter: Record<string, string> = {}, { api } = fixture.company): Promise<any> {
  const { status, body } = await api.get(`/inbox/threads?${new URLSearchParams(filter).toString()}`)
  expect(status).toBe(200)
  return body
}
const shown = async (show?: string, more: Record<string, string> = {}, company = fixture.company) =>
  (await page({ ...(show && { show }), ...more }, company)).threads.map(
    (thread: { phone_number: string }) => thread.phone_number,
  )

const put = async (what: 'state' | 'assignee', body: object, phone = ANNA): Promise<any> => {
  const answer = await fixture.company.api.put(`/inbox/${phone}/${what}`, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}
const done = (phone = ANNA) => put('state', { state: 'done' }, phone)
const fromNow = (ms: number) => new Date(Date.now() + ms).toISOString()
const HOUR_MS = 3_600_000
const snooze = (until: string, phone = ANNA) => put('state', { state: 'snoozed', until }, phone)
const team = async (phone = ANNA) => (await fixture.company.api.get(`/inbox/${phone}/team`)).body

/** A coworker of the company's first employee, who is called Owner. */
async function coworker(name = 'Bo') {
  const { db } = fixture.bellhop
  const { id } = await db.tx((tx) =>
    newEmployee(tx, fixture.company.companyId, { name, email: `${crypto.randomUUID()}@example.com` }),
  )
  return { ...fixture.company, ...(await fixture.bellhop.keyFor(id)), id: encodeId('emp', id) }
}
const own = () => encodeId('emp', fixture.company.employeeId)

describe('a thread that is done', () => {
  test('leaves the open threads for the whole company, and stays in the inbox of the contract', async () => {
    await call(ANNA)
    await text(BO)
    const bo = await coworker()
    expect(await done()).toMatchObject({
      phone_number: ANNA,
      state: 'done',
      closed_by: { id: own(), name: 'Owner' },
      closed_at: expect.any(String),
    })
    expect(await shown()).toEqual([BO])
    expect(await shown('open', {}, bo)).toEqual([BO])
    expect(await shown('done', {}, bo)).toEqual([ANNA])
    const { body } = await fixture.company.api.get('/inbox')
    expect(body.threads.map((thread: { phone_number: string }) => thread.phone_number)).toEqual([BO, ANNA])
    expect(body.threads[1]).not.toHaveProperty('state')
  })

  test.each([
    ['call', () => call()],
    ['text', () => text()],
    ['voicemail', () => voicemail()],
    [
      'call to another number',
      async () => call(ANNA, { business_number_id: await newNumber(fixture.company) }),
    ],
  ])('is reopened by an inbound %s, in every view', async (_, arrive) => {
    await call()
    await done()
    await arrive()
    expect(await shown()).toEqual([ANNA])
    expect(await shown('open', { business_number_id: encodeId('num', fixture.numberId) })).toEqual([ANNA])
    expect(await shown('done')).toEqual([])
    expect(await team()).toMatchObject({ state: 'open', closed_by: null, closed_at: null })
  })

  test('is not reopened by an outbound call or text, also from another number', async () => {
    await call()
    await done()
    const support = await newNumber(fixture.company)
    await call(ANNA, { direction: 'outbound' })
    await text(ANNA, { direction: 'outbound', business_number_id: support })
    expect(await shown()).toEqual([])
    expect(await shown('done', { business_number_id: encodeId('num', support) })).toEqual([ANNA])
  })

  test('stays done when a voicemail of it is deleted, and the call that it replaced comes back', async () => {
    const call_id = await call()
    const id = await voicemail(ANNA, { call_id })
    const { id: bo } = await coworker()
    await put('assignee', { employee_id: bo })
    await done()
    await fixture.company.api.delete(`/voicemails/${encodeId('voi', id)}`)
    const { threads } = await page({ show: 'done' })
    expect(threads).toMatchObject([{ latest_item: { type: 'call' }, assignee: { id: bo } }])
  })

  test('can be reopened', async () => {
    await call()
    await done()
    expect(await put('state', { state: 'open' })).toMatchObject({ state: 'open', closed_by: null })
    expect(await shown()).toEqual([ANNA])
  })

  test('is not done if something arrived that its reader had not seen', async () => {
    await text()
    const through = (await fixture.company.api.get(`/inbox/${ANNA}/activity`)).body.observed_at
    await text()
    expect(await put('state', { state: 'done', through })).toMatchObject({ state: 'open' })
    const later = (await fixture.company.api.get(`/inbox/${ANNA}/activity`)).body.observed_at
    await text(ANNA, { direction: 'outbound' })
    expect(await put('state', { state: 'done', through: later })).toMatchObject({ state: 'done' })
  })
})

describe('a snoozed thread', () => {
  test('is away until its time, and then first in the list', async () => {
    await call(ANNA)
    const until = fromNow(2_000)
    expect(await snooze(until)).toMatchObject({ state: 'snoozed', snoozed_until: until })
    await text(BO)
    expect(await shown()).toEqual([BO])
    expect((await page({ show: 'snoozed' })).threads).toMatchObject([
      { state: 'snoozed', snoozed_until: until },
    ])
    const cable = await openCable(fixture.bellhop.url, fixture.company)
    await vi.waitFor(
      async () => {
        await fixture.bellhop.drainJobs()
        expect(await shown()).toEqual([ANNA, BO])
      },
      { timeout: 30_000, interval: 100 },
    )
    const update = { type: 'thread_update', phone_number: ANNA }
    await vi.waitFor(() => expect(messagesOf(cable)).toEqual([update]), DEADLINE)
    expect((await page()).threads[0]).toMatchObject({ state: 'open', is_back: true, snoozed_until: null })
    // Whoever replies has dealt with it: it takes its place among the others.
    await text(ANNA, { direction: 'outbound' })
    await text(BO)
    expect(await shown()).toEqual([BO, ANNA])
    expect(await team()).toMatchObject({ is_back: false })
  })

  test('comes back at once when the customer calls, and its end then changes nothing', async () => {
    await call()
    await snooze(fromNow(1_000))
    await call()
    expect(await shown()).toEqual([ANNA])
    await done()
    await vi.waitFor(async () => {
      await fixture.bellhop.drainJobs()
      const waiting = await fixture.bellhop.db
        .sql`select from graphile_worker.jobs where task_identifier = 'inbox.end_snooze'`
      expect(waiting.length).toBe(0)
    }, DEADLINE)
    expect(await shown('done')).toEqual([ANNA])
  })

  test('stays away if it is snoozed for longer', async () => {
    await call()
    await snooze(fromNow(500))
    const until = fromNow(HOUR_MS)
    await snooze(until)
    await vi.waitFor(async () => {
      await fixture.bellhop.drainJobs()
      const due = await fixture.bellhop.db.sql`
        select from graphile_worker.jobs where task_identifier = 'inbox.end_snooze' and run_at < now() + interval '1 minute'`
      expect(due.length).toBe(0)
    }, DEADLINE)
    expect(await team()).toMatchObject({ state: 'snoozed', snoozed_until: until })
  })

  test.each([
    [{ state: 'snoozed' }, 'until'],
    [{ state: 'snoozed', until: '2020-01-01T00:00:00Z' }, 'until'],
    [{ state: 'snoozed', until: '2999-01-01T00:00:00Z' }, 'until'],
    [{ state: 'asleep' }, 'state'],
    [{}, 'state'],
  ])('refuses %o', async (body, field) => {
    await call()
    const { status, body: answer } = await fixture.company.api.put(`/inbox/${ANNA}/state`, body)
    expect(status).toBe(422)
    expect(Object.keys(answer.errors)).toEqual([field])
  })
})

describe('assignment', () => {
  test('is for the whole company: mine is what others assigned to me', async () => {
    await call(ANNA)
    await text(BO)
    const bo = await coworker()
    expect(await put('assignee', { employee_id: bo.id })).toMatchObject({
      assignee: { id: bo.id, name: 'Bo' },
    })
    expect(await shown('mine', {}, bo)).toEqual([ANNA])
    expect(await shown('mine')).toEqual([])
    expect(await shown('unassigned')).toEqual([BO])
    await put('assignee', { employee_id: null })
    expect(await shown('mine', {}, bo)).toEqual([])
  })

  test('survives being done, a new call, and a first call to another number', async () => {
    await call()
    await put('assignee', { employee_id: own() })
    await done()
    expect(await shown('mine')).toEqual([])
    const support = await newNumber(fixture.company)
    await call(ANNA, { business_number_id: support })
    expect(await shown('mine', { business_number_id: encodeId('num', support) })).toEqual([ANNA])
  })

  test('falls to nobody when the employee is removed', async () => {
    await call()
    const bo = await coworker()
    await put('assignee', { employee_id: bo.id })
    expect((await fixture.company.api.delete(`/employees/${bo.id}`)).status).toBe(204)
    expect(await team()).toMatchObject({ assignee: null })
    expect(await shown('unassigned')).toEqual([ANNA])
  })

  test('to a stranger is refused, and of an unknown thread not found', async () => {
    await call()
    const stranger = encodeId('emp', (await fixture.bellhop.newCompany()).employeeId)
    const { status, body } = await fixture.company.api.put(`/inbox/${ANNA}/assignee`, {
      employee_id: stranger,
    })
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual(['employee_id'])
    const { api } = fixture.company
    expect((await api.put(`/inbox/${BO}/assignee`, { employee_id: null })).status).toBe(404)
    expect((await api.put(`/inbox/${BO}/state`, { state: 'done' })).status).toBe(404)
  })

  test('and every other state stay within the company', async () => {
    const other = await fixture.bellhop.newCompany({ messaging: true })
    await newCall(other, { remote_number: ANNA })
    await call()
    await done()
    await put('assignee', { employee_id: own() })
    expect((await page({}, other)).threads).toMatchObject([{ state: 'open', assignee: null }])
  })
})

describe('the list', () => {
  test('shows missed calls and voicemails that nobody has answered since', async () => {
    await call(ANNA)
    await call(BO, { answered_at: new Date() })
    await voicemail(CARL)
    await call(DORA)
    expect(await shown('missed')).toEqual([DORA, ANNA])
    expect(await shown('voicemails')).toEqual([CARL])
    await text(DORA, { direction: 'outbound' })
    expect(await shown('missed')).toEqual([ANNA])
    await done(ANNA)
    expect(await shown('missed')).toEqual([])
  })

  test('is searched, filtered by what is unseen, and paged', async () => {
    for (const phone of [ANNA, BO, CARL, DORA]) await text(phone)
    await done(CARL)
    expect(await shown('open', { query: '2011' })).toEqual([DORA, BO, ANNA])
    expect(await shown('done', { query: '2011' })).toEqual([CARL])
    const { api } = fixture.company
    const { observed_at: through } = (await api.get(`/inbox/${BO}/activity`)).body
    await api.post(`/inbox/${BO}/seen`, { through })
    expect(await shown('open', { unseen: 'true' })).toEqual([DORA, ANNA])
    const first = await page({ limit: '2' })
    const second = await page({ limit: '2', cursor: first.next_cursor })
    expect([...first.threads, ...second.threads].map((thread: any) => thread.phone_number)).toEqual([
      DORA,
      BO,
      ANNA,
    ])
    expect(second.next_cursor).toBeNull()
    const foreign = await api.get(`/inbox/threads?show=done&cursor=${first.next_cursor}`)
    expect(foreign.status).toBe(422)
  })

  test('of a filter goes on beyond what one request looks at', async () => {
    const { companyId } = fixture.company
    const { sql } = fixture.bellhop.db
    await call(ANNA)
    for (let thousand = 0; thousand < 2; thousand++) {
      await sql`
        insert into calls (company_id, business_number_id, direction, remote_number, state, answered_at)
        select ${companyId}, ${fixture.numberId}, 'inbound', '+4530' || ${thousand * 1_000} + 100000 + n, 'ended', now()
        from generate_series(1, 1000) n`
    }
    const first = await page({ show: 'missed' })
    expect(first.threads).toEqual([])
    const second = await page({ show: 'missed', cursor: first.next_cursor })
    expect(second).toMatchObject({ threads: [{ phone_number: ANNA }], next_cursor: null })
  })
})

test('coworkers see who is writing until they stop, and never what', async () => {
  await call()
  const bo = await coworker()
  const cable = await openCable(fixture.bellhop.url, fixture.company)
  expect((await bo.api.post(`/inbox/${ANNA}/writing`, { writing: true })).status).toBe(204)
  const update = { type: 'writing_update', phone_number: ANNA }
  await vi.waitFor(() => expect(messagesOf(cable)).toEqual([update]), DEADLINE)
  const { writing } = await team()
  expect(writing).toEqual([{ employee: { id: bo.id, name: 'Bo' }, until: expect.any(String) }])
  expect(Date.parse(writing[0].until)).toBeLessThan(Date.now() + 21_000)
  await bo.api.post(`/inbox/${ANNA}/writing`, { writing: false })
  expect((await team()).writing).toEqual([])
  await bo.api.post(`/inbox/${ANNA}/writing`, { writing: true })
  await fixture.bellhop.db.sql`update thread_writers set until = now() - interval '1 second'`
  expect((await team()).writing).toEqual([])
})

test('each change is published, and a change of nothing is not', async () => {
  await call()
  const cable = await openCable(fixture.bellhop.url, fixture.company)
  await done()
  await put('assignee', { employee_id: own() })
  await fixture.company.api.post(`/inbox/${ANNA}/writing`, { writing: false })
  await fixture.company.api.post(`/inbox/${ANNA}/notes/seen`)
  await fixture.company.api.post(`/inbox/${ANNA}/notes`, { text: 'VIP' })
  const update = { type: 'thread_update', phone_number: ANNA }
  await vi.waitFor(() => expect(messagesOf(cable)).toEqual([update, update, update]), DEADLINE)
})
