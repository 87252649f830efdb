import { beforeAll, expect, test, vi } from 'vitest'

import { newNumber } from '../../../test/harness/calls/telephony.ts'
import { type Harness, harness } from '../../../test/harness/index.ts'
import { DEADLINE, messagesOf, openCable } from '../../../test/harness/peers/cable-socket.ts'
import { webhookSink } from '../../../test/harness/peers/webhook-sink.ts'
import { callBack, incoming, numberOf, sendText, setHours } from '../../../test/harness/texts/texting.ts'
import { encodeId } from '../../platform/ids.ts'
import { setMessaging } from '../company/index.ts'

let bellhop: Harness
beforeAll(async () => {
  bellhop = await harness({ BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' })
})

test('a retry is published twice, at its start and with its outcome, on the live channel and by webhook', async () => {
  const company = await bellhop.newCompany({ messaging: true })
  const number = await newNumber(company)
  const { body } = await sendText(company, number, { to: '+4520110001' })
  const id = body.message_id as string
  const sink = await webhookSink()
  await company.api.post('/webhooks', { name: 'All', url: sink.url, events: ['message.status_changed'] })
  const cable = await openCable(bellhop.url, company)

  expect((await company.api.post(`/messages/${id}/retries`, { idempotency_key: 'k' })).status).toBe(422)
  const update = { type: 'sms_update', id, phone_number: '+4520110001' }
  await vi.waitFor(() => expect(messagesOf(cable)).toEqual([update, update]), DEADLINE)
  expect((await company.api.post(`/messages/${id}/retries`, { idempotency_key: 'k' })).status).toBe(200)
  expect((await company.api.post(`/messages/${id}/retries`, { idempotency_key: '' })).status).toBe(409)

  await bellhop.deliverWebhooks()
  expect(sink.received.map(({ body: { data } }) => data.message.id)).toEqual([id, id])
  const told = sink.received.map(({ body: { data } }) => data.message.status as string)
  expect(told.toSorted()).toEqual(['failed', 'queued'])
  expect(messagesOf(cable)).toEqual([update, update])
})

test('each text and each change of it is published, without its content', async () => {
  const company = await bellhop.newCompany({ messaging: true })
  const number = await newNumber(company)
  const cable = await openCable(bellhop.url, company)
  const { body } = await sendText(company, number, { to: '+4520112233', text: 'The code is 4711' })
  const update = { type: 'sms_update', id: body.id, phone_number: '+4520112233' }
  await vi.waitFor(() => expect(messagesOf(cable)).toEqual([update, update]), DEADLINE)
  bellhop.clock.advance(1_000)
  await vi.waitFor(() => expect(messagesOf(cable)).toEqual([update, update, update]), DEADLINE)

  const address = await numberOf(company, number)
  await callBack(bellhop, 'messages', incoming(address, { from: '+4520998877', text: 'The code is 4711' }))
  const received = { type: 'sms_update', id: expect.stringMatching(/^msg_/), phone_number: '+4520998877' }
  const told = [update, update, update, received, { type: 'unseen_update' }]
  await vi.waitFor(() => expect(messagesOf(cable)).toEqual(told), DEADLINE)
  expect(JSON.stringify(cable.frames)).not.toContain('4711')
})

test('a company that has texting switched off learns nothing of its texts until it is switched on', async () => {
  const company = await bellhop.newCompany({ messaging: true })
  const number = await newNumber(company)
  const address = await numberOf(company, number)
  await setHours(company, number, 'closed')
  await company.api.patch(`/business_numbers/${encodeId('num', number)}/texting_settings`, {
    auto_reply_enabled: true,
    auto_reply_text: 'We are closed.',
  })
  const { body: sent } = await sendText(company, number, { to: '+4520110003' })
  const sink = await webhookSink()
  const events = ['message.received', 'message.status_changed']
  await company.api.post('/webhooks', { name: 'All', url: sink.url, events })
  const switchTo = (enabled: boolean) => bellhop.db.tx((tx) => setMessaging(tx, company.companyId, enabled))
  await switchTo(false)
  const cable = await openCable(bellhop.url, company)

  expect((await callBack(bellhop, 'messages', incoming(address))).status).toBe(200)
  const [attempt] = await bellhop.db.sql<{ id: string }[]>`
    select provider_message_id as id from message_attempts where company_id = ${company.companyId}`
  const report = { type: 'message.report', id: attempt!.id, from: address, to: '+4520110003' }
  const delivered = { ...report, status: 'delivered', error_code: null, at: '2026-11-15T09:00:00.000Z' }
  expect((await callBack(bellhop, 'delivery_reports', delivered)).status).toBe(200)
  await bellhop.drainJobs()
  await switchTo(true)

  await vi.waitFor(() => expect(messagesOf(cable)).toEqual([{ type: 'unseen_update' }]), DEADLINE)
  await bellhop.deliverWebhooks()
  expect(sink.received).toEqual([])
  expect((await company.api.get(`/messages/${sent.id}`)).body.status).toBe('delivered')
  const { body: activity } = await company.api.get('/inbox/%2B4520112233/activity')
  expect(activity.items).toMatchObject([{ direction: 'inbound', text: 'Are you open?' }])
})
