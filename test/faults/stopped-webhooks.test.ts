import { beforeAll, expect, test } from 'vitest'

import { type ApiClient, apiClient } from '../harness/api-client.ts'
import { type WebhookSink, webhookSink } from '../harness/peers/webhook-sink.ts'
import { bellhop, newFolder, program, startService, until } from '../harness/processes/bellhop-process.ts'

/** More than an endpoint gets at once, so that the worker has loaded the rest. */
const EVENTS = 100
const AT_ONCE = 20

let client: ApiClient
/** Of another subscription, which shows what the worker has been notified of. */
let beside: WebhookSink

beforeAll(async () => {
  const cwd = await newFolder()
  const env = { BELLHOP_DATA_DIR: `${cwd}/data`, BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' }
  const role = (name: string) => startService({ env, cwd, command: [process.execPath, program, name] })
  const { url } = await role('api')
  const demo = await bellhop(['demo', '--json'], { env, cwd })
  client = apiClient(url, JSON.parse(demo.stdout).api_key)
  beside = await webhookSink()
  await subscribe(beside)
  await role('worker')
})

async function subscribe({ url }: WebhookSink): Promise<string> {
  const { status, body } = await client.post('/webhooks', { name: 'CRM', url, events: ['contact.created'] })
  expect(status).toBe(201)
  return `/webhooks/${body.id}`
}

let serial = 0
const newContact = async (): Promise<string> =>
  (await client.post('/contacts', { phone: `+452${String(serial++).padStart(7, '0')}` })).body.id

/** Notifications are handled in order: the worker has handled all earlier ones. */
async function workerCaughtUp(): Promise<void> {
  for (let i = 0; i < 3; i++) {
    const id = await newContact()
    await until(() => beside.received.some(({ body }) => body.data.contact.id === id))
  }
}

test.each([
  ['paused', (path: string) => client.patch(path, { active: false })],
  ['deleted', (path: string) => client.delete(path)],
])(
  'a running worker sends nothing more once a subscription is %s, not even deliveries it has loaded',
  async (_, end) => {
    const sink = await webhookSink()
    const held: (() => void)[] = []
    sink.answer = async () => {
      if (sink.received.length > AT_ONCE) await new Promise<void>((resolve) => held.push(resolve))
      return { status: 200 }
    }
    const path = await subscribe(sink)
    await Promise.all(Array.from({ length: EVENTS }, newContact))
    await until(() => held.length >= AT_ONCE)
    // It has now loaded what is queued, because the endpoint has proved to be fast.
    await workerCaughtUp()

    expect((await end(path)).status).toBeLessThan(300)
    await workerCaughtUp()
    const sent = sink.received.length
    for (const release of held) release()
    await workerCaughtUp()
    expect(sink.received).toHaveLength(sent)
    expect(sent).toBeLessThan(EVENTS)
  },
)
