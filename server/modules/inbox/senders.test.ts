import { describe, expect, test } from 'vitest'

import { newCall, newVoicemail } from '../../../test/harness/calls/telephony.ts'
import { inboxFixture } from '../../../test/harness/texts/inbox-fixture.ts'
import { callBack, incoming, numberOf, sendText } from '../../../test/harness/texts/texting.ts'
import { newText } from '../../../test/harness/texts/texts.ts'
import { encodeId } from '../../platform/ids.ts'

const fixture = inboxFixture()

const of = (remote_number: string) => ({ business_number_id: fixture.numberId, remote_number })
const pathOf = (name: string) => `/inbox/${encodeURIComponent(name)}`

async function threads(filter: Record<string, string> = {}) {
  const { status, body } = await fixture.company.api.get(`/inbox?${new URLSearchParams(filter).toString()}`)
  expect(status).toBe(200)
  return body.threads as Record<string, unknown>[]
}

const names = async (filter: Record<string, string> = {}) =>
  (await threads(filter)).map(({ phone_number }) => phone_number)

async function receive(from: string) {
  const to = await numberOf(fixture.company, fixture.numberId)
  expect((await callBack(fixture.bellhop, 'messages', incoming(to, { from }))).status).toBe(200)
}

describe.each(['anonymous', 'DSB Info', '1272', 'A/B & Søn', '+4512'])('somebody who is only %s', (name) => {
  test('has a thread, with a count, a preview and what passed', async () => {
    const callId = await newCall(fixture.company, of(name))
    await newText(fixture.company, { ...of(name), text: 'Your parcel is here' })
    expect(await threads({ unseen: 'true' })).toMatchObject([
      {
        phone_number: name,
        contact: null,
        unseen_count: 2,
        reply_business_number_id: null,
        preview: 'Your parcel is here',
      },
    ])
    const { status, body } = await fixture.company.api.get(`${pathOf(name)}/activity`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ phone_number: name, contact: null })
    expect(body.items).toMatchObject([
      { type: 'message', from: name },
      { type: 'call', id: encodeId('cal', callId), from: name },
    ])
    const { total } = (await fixture.company.api.get('/activity/unseen')).body
    expect(total).toBe(1)
  })

  test('is marked as seen', async () => {
    await newCall(fixture.company, of(name))
    const { observed_at } = (await fixture.company.api.get(`${pathOf(name)}/activity`)).body
    const seen = await fixture.company.api.post(`${pathOf(name)}/seen`, { through: observed_at })
    expect(seen.status).toBe(204)
    expect(await threads({ unseen: 'true' })).toEqual([])
    await newCall(fixture.company, of(name))
    expect((await fixture.company.api.post('/calls/seen', { phone_number: name })).status).toBe(204)
    expect(await threads({ unseen: 'true' })).toEqual([])
  })

  test('leaves a voicemail in place of the call', async () => {
    const call_id = await newCall(fixture.company, of(name))
    const id = await newVoicemail(fixture.company, {
      call_id,
      from_number: name,
      business_number_id: fixture.numberId,
    })
    const voicemail = encodeId('voi', id)
    expect(await threads()).toMatchObject([{ unseen_count: 1, latest_item: { id: voicemail } }])
    await fixture.company.api.delete(`/voicemails/${voicemail}`)
    expect(await threads()).toMatchObject([{ latest_item: { id: encodeId('cal', call_id) } }])
  })

  test('cannot be texted', async () => {
    await newCall(fixture.company, of(name))
    const { status, body } = await sendText(fixture.company, fixture.numberId, { to: name })
    expect(status).toBe(422)
    expect(body).toEqual({
      error: 'cannot_reply',
      message: expect.any(String),
      errors: { to: [expect.any(String)] },
    })
  })

  test('is a filter of calls', async () => {
    const id = await newCall(fixture.company, of(name))
    await newCall(fixture.company, of('+4520112233'))
    const { calls } = (await fixture.company.api.get(`/calls?${new URLSearchParams({ phone_number: name })}`))
      .body
    expect(calls).toMatchObject([{ id: encodeId('cal', id), from: name }])
    expect(calls).toHaveLength(1)
  })
})

test('the thread of withheld numbers is empty before the first one; any other name is refused', async () => {
  expect((await fixture.company.api.get('/inbox/anonymous/activity')).body).toMatchObject({ items: [] })
  const { status, body } = await fixture.company.api.get('/inbox/DSB%20Info/activity')
  expect([status, body.error]).toEqual([422, 'validation_failed'])
})

test('nobody of another company is known', async () => {
  const other = await fixture.bellhop.newCompany({ messaging: true })
  await newText(other, { remote_number: 'DSB Info' })
  expect((await fixture.company.api.get('/inbox/DSB%20Info/activity')).status).toBe(422)
  const { body } = await sendText(fixture.company, fixture.numberId, { to: 'DSB Info' })
  expect(body.error).toBe('validation_failed')
})

describe('a text that a provider delivers', () => {
  test.each([
    ['DSB Info', 'DSB Info'],
    ['1272', '1272'],
    ['20 11 22 33', '+4520112233'],
    ['4520112233', '+4520112233'],
    ['004520112233', '+4520112233'],
    ['12125550123', '+12125550123'],
    ['+4520112233', '+4520112233'],
  ])('from %s is in the thread of %s', async (from, thread) => {
    await receive(from)
    expect(await names()).toEqual([thread])
    const { items } = (await fixture.company.api.get(`${pathOf(thread)}/activity`)).body
    expect(items).toMatchObject([{ from: thread }])
  })

  test('is hidden with its sender while texting is off', async () => {
    await receive('DSB Info')
    await fixture.bellhop.db
      .sql`update companies set messaging_enabled = false where id = ${fixture.company.companyId}`
    expect(await names()).toEqual([])
    expect((await fixture.company.api.get('/inbox/DSB%20Info/activity')).body.items).toEqual([])
  })
})

test('a short code that could be a national number is found by what it is', async () => {
  fixture.company = await fixture.bellhop.newCompany({ messaging: true, country: 'DE' })
  await newText(fixture.company, { remote_number: '11833' })
  const { body } = await fixture.company.api.get('/inbox/11833/activity')
  expect(body).toMatchObject({ phone_number: '11833', items: [{ from: '11833' }] })
  expect((await fixture.company.api.get('/inbox/11834/activity')).body.phone_number).toBe('+4911834')
})

test('senders are found by a part of their name', async () => {
  for (const name of ['DSB Info', '1272', 'anonymous', 'Brønlund']) await newText(fixture.company, of(name))
  for (const query of ['dsb', 'DS', 'nfo', 'sb i']) expect(await names({ query })).toEqual(['DSB Info'])
  for (const query of ['1272', '27', '2']) expect(await names({ query })).toEqual(['1272'])
  expect(await names({ query: 'bronlund' })).toEqual(['Brønlund'])
  expect(await names({ query: 'anony' })).toEqual(['anonymous'])
  expect(await names({ query: 'sb' })).toEqual([])
})
