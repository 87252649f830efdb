import { randomUUID } from 'node:crypto'

import { expect } from 'vitest'

import { encodeId } from '../../server/platform/ids.ts'
import type { ApiReply } from '../harness/api-client.ts'
import { newDevice } from '../harness/calls/edge.ts'
import { newNumber } from '../harness/calls/telephony.ts'
import type { Harness, TestCompany } from '../harness/index.ts'
import { contextServer } from '../harness/peers/context-server.ts'
import { webhookSink } from '../harness/peers/webhook-sink.ts'
import { callBack, incoming, numberOf, sendText, setHours } from '../harness/texts/texting.ts'
import type { Remembered } from './dump.ts'

const CUSTOMER = '+4520112233'

export async function made<T = any>(answer: Promise<ApiReply<T>>): Promise<T> {
  const { status, body } = await answer
  expect(status, JSON.stringify(body)).toBeLessThan(300)
  return body
}

/** Everything that a company has besides its calls. */
export async function fillRecords(
  bellhop: Harness,
  company: TestCompany,
): Promise<Pick<Remembered, 'contact' | 'texts' | 'webhook' | 'integration' | 'device'>> {
  const { api } = company
  const webhook = await fillWebhooks(bellhop, company)
  await made(api.patch('/company', { name: 'Åens Cykler', address: 'Havnegade 12', city: 'Århus' }))
  const contact = await made(
    api.post('/contacts', { phone: CUSTOMER, name: 'Søren Brønlund', note: 'Rides\na red bike 🚲' }),
  )
  await made(api.post('/contacts', { phone: '+46701234567', email: 'elin@berg.example' }))
  await made(api.post('/text_snippets', { title: 'Ready', text: 'Your bike is ready.', position: 0 }))
  const invited = { name: 'Dan', email: 'dan@example.com', phone: '+4520000099' }
  const { id: dan } = await made(api.post('/employees', invited))
  await made(api.put(`/employees/${dan}/do_not_disturb`, { enabled: true }))
  const integration = await fillIntegrations(company)
  const texts = await fillTexts(bellhop, company)
  await made(api.post('/softphone_credentials'))
  const { username, password } = await newDevice(bellhop, company)
  await bellhop.deliverWebhooks()
  return {
    contact: { id: contact.id, name: contact.name },
    texts,
    webhook,
    integration,
    device: { username, password },
  }
}

async function fillWebhooks(bellhop: Harness, { api }: TestCompany) {
  const sink = await webhookSink()
  const refusing = await webhookSink()
  refusing.answer = () => ({ status: 500 })
  const events = ['contact.created', 'message.received', 'message.status_changed', 'call.ended']
  const { id } = await made(api.post('/webhooks', { name: 'CRM', url: sink.url, events }))
  const { signing_secret } = await made(api.post(`/webhooks/${id}/secret_rotation`))
  await made(api.post('/webhooks', { name: 'Refuses', url: refusing.url, events }))
  const paused = await made(api.post('/webhooks', { name: 'Paused', url: sink.url, events }))
  await made(api.post(`/webhooks/${paused.id}/test`))
  await made(api.patch(`/webhooks/${paused.id}`, { active: false }))
  await bellhop.deliverWebhooks()
  return { id, signing_secret }
}

async function fillIntegrations({ api }: TestCompany) {
  const crm = await contextServer(() => ({ contact: { name: 'Søren' } }))
  const custom = { provider: 'custom', label: 'CRM', url: crm.url }
  const { id, signing_secret } = await made(api.post('/integrations', custom))
  const shop = { provider: 'shopify', shop: 'nordlys.myshopify.com', access_token: 'shpat_1', active: false }
  await made(api.post('/integrations', shop))
  await made(api.get(`/caller_context?phone=${encodeURIComponent(CUSTOMER)}`))
  return { id, signing_secret }
}

/** Texts that were received, sent and failed, and an automatic reply. */
async function fillTexts(bellhop: Harness, company: TestCompany) {
  const { api } = company
  const number = await newNumber(company, { name: 'Shop' })
  const path = `/business_numbers/${encodeId('num', number)}`
  const wire = await numberOf(company, number)
  const sent: { id: string; text: string }[] = []
  for (const [to, text] of [
    [CUSTOMER, 'Your bike is ready. 🚲'],
    ['+4520110003', 'Nobody reports on this one.'],
  ] as const) {
    const { id } = await made(sendText(company, number, { to, text }))
    sent.push({ id, text })
  }
  const refused = await sendText(company, number, { to: '+4520110001', text: 'Refused' })
  const retry = { idempotency_key: randomUUID() }
  await api.post(`/messages/${refused.body.message_id}/retries`, retry)
  await setHours(company, number, 'closed')
  const settings = {
    auto_reply_enabled: true,
    auto_reply_text: 'We are closed.',
    auto_reply_cooldown_minutes: 60,
  }
  await made(api.patch(`${path}/texting_settings`, settings))
  for (const values of [{ text: 'Er I åbne?' }, { from: 'DSB Info', text: 'Late train' }])
    expect((await callBack(bellhop, 'messages', incoming(wire, values))).status).toBe(200)
  await bellhop.drainJobs()
  const { id: came } = (await made(api.get(`/inbox/${encodeURIComponent(CUSTOMER)}/activity`))).items.find(
    (item: { text?: string }) => item.text === 'Er I åbne?',
  )
  await made(api.post(`${path}/voice_previews`, { kind: 'greeting', text: 'Welcome.' }))
  return [...sent, { id: came, text: 'Er I åbne?' }]
}
