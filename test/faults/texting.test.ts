import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { join } from 'node:path'

import { afterAll, expect, test, vi } from 'vitest'

import { type ApiClient, apiClient, type ApiReply } from '../harness/api-client.ts'
import { startSmsProviderServer } from '../harness/peers/sms-provider-server.ts'
import {
  connectToEmbedded,
  newFolder,
  program,
  type Service,
  startService,
  until,
} from '../harness/processes/bellhop-process.ts'
import { raceInserts } from '../harness/routes/insert-barrier.ts'

/** Accepts what it is told to accept, and never responds to anything else. */
const vendor = await startSmsProviderServer(({ body }) =>
  body.includes('Take this') ? { status: 200, body: { data: { id: randomUUID(), parts: 1 } } } : undefined,
)
afterAll(vendor.close)

const { publicKey } = generateKeyPairSync('ed25519')
const cwd = await newFolder()
const installation = {
  cwd,
  env: {
    BELLHOP_DATA_DIR: join(cwd, 'data'),
    SMS_PROVIDER: 'telnyx',
    TELNYX_URL: vendor.url,
    TELNYX_API_KEY: 'KEY1',
    TELNYX_PUBLIC_KEY: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64'),
  },
}

/** Printed once, by the first start. */
let key: string
const shownKey = (service: Service) => /API key\s+(\S+)/.exec(service.stdout())![1]!

async function send(api: ApiClient, idempotency_key: string) {
  const { body } = await api.get('/business_numbers')
  const path = `/business_numbers/${body.main_numbers[0].id}/messages`
  return api.post(path, { to: '+4520112233', text: 'Hello', idempotency_key })
}

test('a text whose process is killed before the provider responds is unknown afterwards, and never sent twice', async () => {
  const first = await startService(installation)
  key = shownKey(first)
  const interrupted = send(apiClient(first.url, key), 'once').catch((error: Error) => error)
  await until(() => vendor.asked.length === 1)
  first.signal('SIGKILL')
  await first.ended
  expect(await interrupted).toBeInstanceOf(Error)

  const second = await startService(installation)
  const api = apiClient(second.url, key)
  const sql = connectToEmbedded(installation.env.BELLHOP_DATA_DIR)
  // The provider's timeout and its margin have passed; with a slow start they already had.
  const settling = await sql`
    update graphile_worker._private_jobs set run_at = run_at - interval '20 seconds'
    where payload ->> 'attemptId' is not null
    returning run_at <= now() as is_over`
  expect(settling.filter(({ is_over }) => !is_over)).toEqual([])
  await sql.end()
  await vi.waitFor(
    async () => {
      const { status, headers, body } = await send(api, 'once')
      expect([status, headers.get('idempotent-replayed')]).toEqual([200, 'true'])
      expect(body).toMatchObject({ status: 'unknown', can_retry: false, text: 'Hello' })
    },
    { timeout: 60_000, interval: 200 },
  )
  const { body } = await send(api, 'once')
  expect((await api.post(`/messages/${body.id}/retries`, { idempotency_key: 'again' })).status).toBe(409)
  expect(vendor.asked).toHaveLength(1)
  second.signal('SIGTERM')
  expect(await second.ended).toBe(0)
})

test('two processes send once for one key, and share the rate limit of a number', async () => {
  const one = await startService(installation)
  const command = [process.execPath, program, 'api']
  const two = await startService({ ...installation, command })
  const apis = [one, two].map(({ url }) => apiClient(url, key))
  const { body } = await apis[0]!.get('/business_numbers')
  const path = `/business_numbers/${body.main_numbers[1].id}/messages`
  const ask = (idempotency_key: string, i: number) =>
    apis[i % 2]!.post(path, { to: '+4520112233', text: 'Take this', idempotency_key })
  const before = vendor.asked.length
  const sql = connectToEmbedded(installation.env.BELLHOP_DATA_DIR)

  const same = Array.from({ length: 4 }, (_, i) => () => ask('same', i))
  expect(inOrder(await raceInserts(sql, 'messages', same))).toEqual([200, 200, 200, 201])
  expect(vendor.asked).toHaveLength(before + 1)

  const most = await Promise.all(Array.from({ length: 28 }, (_, i) => ask(randomUUID(), i)))
  expect(inOrder(most)).toEqual(Array(28).fill(201))
  const last = Array.from({ length: 4 }, (_, i) => () => ask(randomUUID(), i))
  expect(inOrder(await raceInserts(sql, 'messages', last))).toEqual([201, 429, 429, 429])
  expect(vendor.asked).toHaveLength(before + 30)
  await sql.end()
})

const inOrder = (answers: ApiReply[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b)
