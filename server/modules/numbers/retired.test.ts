import { beforeAll, expect, test, vi } from 'vitest'

import { newCall, newNumber } from '../../../test/harness/calls/telephony.ts'
import { type Harness, harness, type TestCompany } from '../../../test/harness/index.ts'
import { DEADLINE, messagesOf, openCable } from '../../../test/harness/peers/cable-socket.ts'
import { callBack, incoming, numberOf, sendText } from '../../../test/harness/texts/texting.ts'
import { encodeId } from '../../platform/ids.ts'
import { findNumberCalled, findOwnNumber, setRetired } from './index.ts'

let bellhop: Harness
beforeAll(async () => {
  bellhop = await harness()
})

const retire = (id: string, retired = true) => bellhop.db.tx((tx) => setRetired(tx, id, retired))

async function companyWithNumber(): Promise<{ company: TestCompany; id: string; e164: string }> {
  const company = await bellhop.newCompany({ messaging: true })
  const id = await newNumber(company, { mute: true })
  return { company, id, e164: await numberOf(company, id) }
}

test('a number out of service says so, and can neither send nor receive', async () => {
  const { company, id } = await companyWithNumber()
  const path = `/business_numbers/${encodeId('num', id)}`
  const before = (await company.api.get(path)).body
  await retire(id)
  expect((await company.api.get(path)).body).toMatchObject({
    retired_at: expect.stringMatching(/Z$/),
    messaging: { sms: { can_send: false, can_receive: false } },
  })
  const listed = (await company.api.get('/business_numbers')).body.main_numbers
  expect(listed).toMatchObject([{ id: before.id, retired_at: expect.stringMatching(/Z$/) }])
  await retire(id, false)
  expect((await company.api.get(path)).body).toEqual(before)
  expect((await company.api.get('/business_numbers')).body.main_numbers[0]).not.toHaveProperty('retired_at')
})

test('it takes no texts, and sends none', async () => {
  const { company, id, e164 } = await companyWithNumber()
  await retire(id)
  expect((await callBack(bellhop, 'messages', incoming(e164))).status).toBe(404)
  const sent = await sendText(company, id)
  expect([sent.status, sent.body.error]).toEqual([422, 'sending_unavailable'])
  const settings = { auto_reply_enabled: true, auto_reply_text: 'Closed' }
  const reply = await company.api.patch(`/business_numbers/${encodeId('num', id)}/texting_settings`, settings)
  expect([reply.status, Object.keys(reply.body.errors)]).toEqual([422, ['auto_reply_enabled']])
  await retire(id, false)
  expect((await callBack(bellhop, 'messages', incoming(e164))).status).toBe(200)
  expect((await sendText(company, id)).status).toBe(201)
})

test('a text to it is refused like one to any other number of the company', async () => {
  const { company, id, e164 } = await companyWithNumber()
  const sender = await newNumber(company, { mute: true })
  await retire(id)
  const { status, body } = await sendText(company, sender, { to: e164 })
  expect([status, body.error]).toEqual([422, 'own_number'])
})

test('it takes no calls, also as dialled in its country, and outbound calls cannot show it', async () => {
  const { company, id, e164 } = await companyWithNumber()
  const { sql } = bellhop.db
  const found = async () => [
    (await findNumberCalled(sql, [e164]))?.id,
    (await findNumberCalled(sql, [e164.slice(3)]))?.id,
    (await findOwnNumber(sql, company.companyId, { id }))?.id,
    (await findOwnNumber(sql, company.companyId, { e164 }))?.id,
  ]
  expect(await found()).toEqual([id, id, id, id])
  await retire(id)
  expect(await found()).toEqual([undefined, undefined, undefined, undefined])
})

test('its history stays, and cannot be replied to from it', async () => {
  const { company, id, e164 } = await companyWithNumber()
  await newCall(company, { business_number_id: id })
  await callBack(bellhop, 'messages', incoming(e164))
  const failed = (await sendText(company, id, { to: '+4520110001' })).body.message_id as string
  const thread = async () => {
    const { threads } = (await company.api.get('/inbox')).body
    return threads.find(({ phone_number }: { phone_number: string }) => phone_number === '+4520112233')
  }
  const business_number_id = encodeId('num', id)
  expect(await thread()).toMatchObject({ reply_business_number_id: business_number_id })
  expect((await company.api.get(`/messages/${failed}`)).body.can_retry).toBe(true)

  const cable = await openCable(bellhop.url, company)
  await retire(id)
  await vi.waitFor(() => expect(messagesOf(cable)).toEqual([{ type: 'unseen_update' }]), DEADLINE)
  expect(await thread()).toMatchObject({
    reply_business_number_id: null,
    business_number_ids: [business_number_id],
  })
  const { items } = (await company.api.get('/inbox/%2B4520112233/activity')).body
  expect(items).toHaveLength(2)
  expect((await company.api.get(`/messages/${failed}`)).body.can_retry).toBe(false)
})

test('an employee whom a number out of service would ring cannot be deleted: it may be restored', async () => {
  const { company, id } = await companyWithNumber()
  const hired = await company.api.post('/employees', { name: 'Bo', email: `bo-${id}@example.com` })
  const path = `/business_numbers/${encodeId('num', id)}/incoming_call_config`
  const ring = { type: 'TransferConfig', employee_ids: [hired.body.id] }
  await company.api.put(path, ring)
  await retire(id)
  const employee = `/employees/${hired.body.id}`
  expect(await company.api.delete(employee)).toMatchObject({
    status: 422,
    body: { error: 'employee_is_call_target', business_numbers: [{ id: encodeId('num', id) }] },
  })
  await company.api.put(path, { type: 'RejectConfig', message: 'Closed.' })
  expect((await company.api.delete(employee)).status).toBe(204)
})
