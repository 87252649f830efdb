import { expect, test } from 'vitest'

import { apiClient } from '../harness/api-client.ts'
import { webhookSink } from '../harness/peers/webhook-sink.ts'
import {
  bellhop,
  connectToEmbedded,
  newFolder,
  program,
  startService,
  until,
} from '../harness/processes/bellhop-process.ts'

const EVENTS = 1_000

test('a worker killed in the middle of 1,000 deliveries loses none: each arrives, and repeats have the same webhook-id', async () => {
  const cwd = await newFolder()
  const env = { BELLHOP_DATA_DIR: `${cwd}/data`, BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' }
  const role = (name: string) => startService({ env, cwd, command: [process.execPath, program, name] })
  const api = await role('api')
  const demo = await bellhop(['demo', '--json'], { env, cwd })
  const client = apiClient(api.url, JSON.parse(demo.stdout).api_key)
  const sink = await webhookSink()
  const subscription = { name: 'Sink', url: sink.url, events: ['contact.created'] }
  const { body: webhook } = await client.post('/webhooks', subscription)

  const made: string[] = []
  const refused: string[] = []
  let serial = 0
  const create = async () => {
    while (serial < EVENTS) {
      const phone = `+452${String(serial++).padStart(7, '0')}`
      const { body } = await client.post('/contacts', { phone })
      made.push(body.id)
      // Rolled back, at the same moment at which others commit.
      const twin = await client.post('/contacts', { phone, name: 'Rolled back' })
      refused.push(twin.body.error)
    }
  }
  const creating = Promise.all(Array.from({ length: 4 }, create))

  const killed = await role('worker')
  // Responses are delayed, so that some deliveries are certainly in progress when the worker dies.
  const held: (() => void)[] = []
  sink.answer = async () => {
    if (sink.received.length > 200) await new Promise<void>((resolve) => held.push(resolve))
    return { status: 200 }
  }
  await until(() => held.length >= 4)
  killed.signal('SIGKILL')
  await killed.ended
  sink.answer = () => ({ status: 200 })
  for (const release of held) release()
  await creating
  expect(refused).toEqual(made.map(() => 'validation_failed'))

  // The deliveries of the dead worker are available again when its lease has expired, after 25 seconds.
  const sql = connectToEmbedded(env.BELLHOP_DATA_DIR)
  const [lease] = await sql`
    update webhook_subscriptions set leased_until = leased_until - interval '25 seconds'
    returning leased_until <= now() as is_over`
  expect(lease).toEqual({ is_over: true })
  const worker = await role('worker')
  const missing = () => {
    const arrived = new Set(sink.received.map(({ body }) => body.data.contact.id))
    return made.filter((id) => !arrived.has(id))
  }
  await until(() => missing().length === 0)
  const open = async () =>
    (await sql`select from webhook_deliveries where status <> 'succeeded'`).length === 0
  await until(open)
  await sql.end()

  const ids = new Map<string, string>()
  for (const { headers, body } of sink.received) {
    const webhookId = headers['webhook-id'] as string
    expect(ids.get(body.data.contact.id) ?? webhookId).toBe(webhookId)
    ids.set(body.data.contact.id, webhookId)
    expect(body.data.contact.name).not.toBe('Rolled back')
  }
  expect(ids.size).toBe(EVENTS)
  expect(new Set(ids.values()).size).toBe(EVENTS)
  // Those in progress when the worker died arrived twice.
  expect(sink.received.length).toBeGreaterThan(EVENTS)
  const { body: page } = await client.get(`/webhooks/${webhook.id}/deliveries?limit=1`)
  expect(page.deliveries[0].status).toBe('succeeded')
  for (const service of [worker, api]) {
    service.signal('SIGTERM')
    expect(await service.ended).toBe(0)
  }
})
