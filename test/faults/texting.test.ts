import { generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'

import { afterAll, expect, test, vi } from 'vitest'

import { type ApiClient, apiClient } from '../harness/api-client.ts'
import { newFolder, type Service, startService, until } from '../harness/bellhop-process.ts'
import { startSmsVendor } from '../harness/sms-vendor.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })

const vendor = await startSmsVendor(() => undefined)
afterAll(vendor.close)

const { publicKey } = generateKeyPairSync('ed25519')
const cwd = await newFolder()
const installation = {
  cwd,
  env: {
    BELLHOP_DATA_DIR: join(cwd, 'data'),
    SMS_PROVIDER: 'telnyx',
    SMS_TIMEOUT_SECONDS: '5',
    TELNYX_URL: vendor.url,
    TELNYX_API_KEY: 'KEY1',
    TELNYX_PUBLIC_KEY: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64'),
  },
}

const shownKey = (service: Service) => /API key\s+(\S+)/.exec(service.stdout())![1]!

async function send(api: ApiClient, idempotency_key: string) {
  const { body } = await api.get('/business_numbers')
  const path = `/business_numbers/${body.main_numbers[0].id}/messages`
  return api.post(path, { to: '+4520112233', text: 'Hello', idempotency_key })
}

test('a text whose process is killed before the provider answers is unknown afterwards, and never sent twice', async () => {
  const first = await startService(installation)
  const key = shownKey(first)
  const interrupted = send(apiClient(first.url, key), 'once').catch((error: Error) => error)
  await until(() => vendor.asked.length === 1)
  first.signal('SIGKILL')
  await first.ended
  expect(await interrupted).toBeInstanceOf(Error)

  const second = await startService(installation)
  const api = apiClient(second.url, key)
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
