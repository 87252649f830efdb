import { EventEmitter, once } from 'node:events'

import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { type Harness, harness, type TestCompany } from '../../../test/harness/index.ts'
import { type SinkReply, type WebhookSink, webhookSink } from '../../../test/harness/peers/webhook-sink.ts'

let bellhop: Harness
let company: TestCompany
let sink: WebhookSink
type Status = Exclude<SinkReply, 'never'>

/** The path of the subscription. */
let webhook: string

beforeAll(async () => {
  bellhop = await harness({ BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' })
})

beforeEach(async () => {
  company = await bellhop.newCompany()
  sink = await webhookSink()
  const input = { name: 'CRM', url: sink.url, events: ['contact.created'] }
  webhook = `/webhooks/${(await company.api.post('/webhooks', input)).body.id}`
})

let serial = 40_000_000
const newContact = () => company.api.post('/contacts', { phone: `+45${serial++}` })
const theDelivery = async () => (await company.api.get(`${webhook}/deliveries`)).body.deliveries[0]
const replay = async () => company.api.post(`${webhook}/deliveries/${(await theDelivery()).id}/replay`)

/** An attempt that has reached the receiver, which responds when it is released. */
async function underWay(answer: Status = { status: 200 }) {
  const receiver = new EventEmitter()
  const answering = once(receiver, 'answer')
  const reached = once(receiver, 'reached')
  sink.answer = async () => {
    sink.answer = () => ({ status: 200 })
    receiver.emit('reached')
    await answering
    return answer
  }
  const delivered = bellhop.deliverWebhooks()
  await reached
  return {
    async letGoOn() {
      receiver.emit('answer')
      await delivered
    },
  }
}

describe('a replay that is requested during an attempt', () => {
  const answers: Status[] = [
    { status: 200 },
    { status: 500 },
    { status: 503, headers: { 'retry-after': '600' } },
  ]

  test.each(answers)('is made after it, whatever the receiver responds: $status', async (answer) => {
    await newContact()
    const attempt = await underWay(answer)
    expect(await replay()).toMatchObject({ status: 202, body: { status: 'pending', attempts: [] } })
    await attempt.letGoOn()

    expect(sink.received).toHaveLength(2)
    expect(sink.received[1]!.headers['webhook-id']).toBe(sink.received[0]!.headers['webhook-id'])
    const { status, attempts } = await theDelivery()
    expect(status).toBe('succeeded')
    expect(attempts.map((one: { status_code: number }) => one.status_code)).toEqual([answer.status, 200])
  })

  test('is made once, however often it is requested', async () => {
    await newContact()
    const attempt = await underWay()
    await replay()
    await replay()
    await attempt.letGoOn()
    expect(sink.received).toHaveLength(2)
  })

  test('is made after a replay in progress', async () => {
    await newContact()
    await bellhop.deliverWebhooks()
    await replay()
    const attempt = await underWay()
    await replay()
    await attempt.letGoOn()
    expect(sink.received).toHaveLength(3)
    expect((await theDelivery()).attempts).toHaveLength(3)
  })

  test('has all its retries, however many the attempt had used up', async () => {
    await newContact()
    sink.answer = () => ({ status: 500 })
    for (let tries = 0; tries < 5; tries++) {
      await bellhop.deliverWebhooks()
      bellhop.clock.advance(Date.parse((await theDelivery()).next_attempt_at) - bellhop.clock.now().getTime())
    }
    const attempt = await underWay({ status: 500 })
    await replay()
    sink.answer = () => ({ status: 500 })
    await attempt.letGoOn()
    expect(sink.received).toHaveLength(7)
    expect(await theDelivery()).toMatchObject({ status: 'pending', next_attempt_at: expect.any(String) })
  })

  test.each<[string, Status]>([
    ['paused meanwhile', { status: 200 }],
    ['paused by its receiver', { status: 410 }],
  ])('waits while the subscription is %s', async (_, answer) => {
    await newContact()
    const attempt = await underWay(answer)
    await replay()
    if (answer.status !== 410) await company.api.patch(webhook, { active: false })
    await attempt.letGoOn()
    expect(sink.received).toHaveLength(1)
    expect((await theDelivery()).status).toBe('pending')
    await company.api.patch(webhook, { active: true })
    await bellhop.deliverWebhooks()
    expect(sink.received).toHaveLength(2)
    expect((await theDelivery()).status).toBe('succeeded')
  })
})
