import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

import { beforeAll, beforeEach, expect, test, vi } from 'vitest'

import { afterFile } from '../../../test/harness/after-file.ts'
import { type Harness, harness, type TestCompany } from '../../../test/harness/index.ts'
import { type WebhookSink, webhookSink } from '../../../test/harness/peers/webhook-sink.ts'

let bellhop: Harness
let company: TestCompany
let sink: WebhookSink

beforeAll(async () => {
  bellhop = await harness({ BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' })
})

beforeEach(async () => {
  company = await bellhop.newCompany()
  sink = await webhookSink()
})

async function subscribe(url = sink.url): Promise<string> {
  const input = { name: 'CRM', url, events: ['contact.created'] }
  return `/webhooks/${(await company.api.post('/webhooks', input)).body.id}`
}

let serial = 50_000_000
const newContact = () => company.api.post('/contacts', { phone: `+45${serial++}` })
const theDelivery = async (webhook: string) =>
  (await company.api.get(`${webhook}/deliveries`)).body.deliveries[0]

/** The clock stands still: everything here is decided without a timeout. */
async function deliverTo(answer: ReturnType<WebhookSink['answer']>) {
  sink.answer = () => answer
  const webhook = await subscribe()
  await newContact()
  await bellhop.deliverWebhooks()
  return { webhook, delivery: await theDelivery(webhook) }
}

const attemptWith = (status_code: number, outcome: string) => [
  { at: expect.any(String), status_code, outcome, duration_ms: 0 },
]

test.each(['never', 'in a reset'] as const)(
  'the status acknowledges the delivery, even if the body of the response ends %s',
  async (bodyEnds) => {
    const { delivery } = await deliverTo({ status: 200, bodyEnds })
    expect(delivery).toMatchObject({ status: 'succeeded', attempts: attemptWith(200, 'delivered') })
    expect(sink.received).toHaveLength(1)
  },
)

test('an error status counts as soon as its headers have arrived', async () => {
  const { delivery } = await deliverTo({ status: 503, headers: { 'retry-after': '600' }, bodyEnds: 'never' })
  expect(delivery).toMatchObject({ status: 'pending', attempts: attemptWith(503, 'refused') })
  const waitMs = Date.parse(delivery.next_attempt_at) - bellhop.clock.now().getTime()
  expect(waitMs).toBe(600_000)
})

test('410 deactivates the subscription, even with a body that never ends', async () => {
  const { webhook, delivery } = await deliverTo({ status: 410, bodyEnds: 'never' })
  expect(delivery).toMatchObject({ status: 'failed', attempts: attemptWith(410, 'refused') })
  expect((await company.api.get(webhook)).body.active).toBe(false)
})

test('an informational status is ignored; the final one counts', async () => {
  const { delivery } = await deliverTo({ status: 204, early: true })
  expect(delivery).toMatchObject({ status: 'succeeded', attempts: attemptWith(204, 'delivered') })
})

test('an endless body keeps its connection for a second, and delays no delivery', async () => {
  sink.answer = () => ({ status: 200, bodyEnds: 'never' })
  const webhook = await subscribe()
  // More than the maximum number of connections.
  for (let i = 0; i < 30; i++) await newContact()
  let isOver = false
  const delivered = bellhop.deliverWebhooks().then(() => (isOver = true))
  await vi.waitFor(() => {
    bellhop.clock.advance(1_000)
    expect(isOver && sink.unfinished() === 0).toBe(true)
  }, 30_000)
  await delivered
  const { deliveries } = (await company.api.get(`${webhook}/deliveries`)).body
  expect(deliveries.map(({ status }: { status: string }) => status)).toEqual(Array(30).fill('succeeded'))
  expect(sink.received).toHaveLength(30)
})

test('endless headers are not a response: the attempt times out after 15 seconds', async () => {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {}).write('HTTP/1.1 200 OK\r\ncontent-type: text')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterFile(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const webhook = await subscribe(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  await newContact()
  const delivered = bellhop.deliverWebhooks()
  await vi.waitFor(() => expect(sockets[0]?.bytesRead).toBeGreaterThan(0), 30_000)
  bellhop.clock.advance(15_000)
  await delivered
  expect(await theDelivery(webhook)).toMatchObject({
    status: 'pending',
    attempts: [{ status_code: null, outcome: 'timeout', duration_ms: 15_000 }],
  })
})
