import { beforeAll, expect, test, vi } from 'vitest'

import { newNumber } from '../../../test/harness/calls/telephony.ts'
import { type Harness, harness } from '../../../test/harness/index.ts'
import { DEADLINE, messagesOf, openCable } from '../../../test/harness/peers/cable-socket.ts'
import { webhookSink } from '../../../test/harness/peers/webhook-sink.ts'
import { callBack, incoming, numberOf, sendText } from '../../../test/harness/texts/texting.ts'

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
