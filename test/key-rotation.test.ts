import { join } from 'node:path'

import { expect, test, vi } from 'vitest'

import { apiClient } from './harness/api-client.ts'
import { webhookSink } from './harness/peers/webhook-sink.ts'
import { bellhop, connectToEmbedded, newFolder, startService } from './harness/processes/bellhop-process.ts'

const cwd = await newFolder()
const dataDir = join(cwd, 'data')
const [one, two, three] = ['one', 'two', 'three'].map((id) => `${id}:${id.repeat(12)}`)
const withKeys = (...keys: (string | undefined)[]) => ({
  cwd,
  env: { BELLHOP_DATA_DIR: dataDir, MESSAGE_KEYS: keys.join(), BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' },
})
const reencrypt = (keys: (string | undefined)[], ...args: string[]) =>
  bellhop(['messages', 'reencrypt', ...args], withKeys(...keys))

test('texts are re-encrypted a few at a time, also after an interruption, until the old key can be removed', async () => {
  const first = await startService(withKeys(one))
  const key = /API key\s+(\S+)/.exec(first.stdout())![1]!
  const api = apiClient(first.url, key)
  const sink = await webhookSink()
  sink.answer = () => ({ status: 500 })
  const events = ['message.status_changed']
  const hook = (await api.post('/webhooks', { name: 'All', url: sink.url, events })).body.id
  const number = (await api.get('/business_numbers')).body.main_numbers[0].id
  const ids: string[] = []
  for (const text of ['One', 'Two', 'Three']) {
    // Never reported on: one event each.
    const input = { to: '+4520110003', text, idempotency_key: text }
    ids.push((await api.post(`/business_numbers/${number}/messages`, input)).body.id)
  }
  const sql = connectToEmbedded(dataDir)
  // The demo company has some, and each of ours has an event.
  const [{ count }] = await sql<[{ count: number }]>`select count(*)::int from messages`
  const all = count + ids.length

  const without = await reencrypt([three])
  expect([without.code, without.stderr]).toEqual([
    1,
    expect.stringContaining(`${all} are still under another key`),
  ])

  const interrupted = await sql.begin(async (tx) => {
    await tx`select from messages order by id limit 1 for update`
    return reencrypt([two, one], '--batch', '2')
  })
  expect(interrupted.code).toBe(1)
  const progress = interrupted.stdout.trimEnd().split('\n')
  expect(progress.length).toBeGreaterThan(2)
  expect(progress[0]).toBe(`${Math.floor(200 / all)} % (2 of ${all})`)
  expect(progress.at(-1)).toBe(`${Math.floor(((all - 1) * 100) / all)} % (${all - 1} of ${all})`)
  expect(interrupted.stderr).toContain(`Re-encrypted ${all - 1}, but 1 are still under another key`)

  const rest = await reencrypt([two, one], '--json')
  expect([rest.code, JSON.parse(rest.stdout)]).toEqual([0, { key: 'two', reencrypted: 1 }])
  expect(await sql`select from messages where text_sealed::text like ${`%${hex('one')}%`}`).toHaveLength(0)
  await sql.end()
  first.signal('SIGTERM')
  await first.ended

  const second = await startService(withKeys(two))
  const again = apiClient(second.url, key)
  const texts = ids.map((id) => again.get(`/messages/${id}`))
  expect((await Promise.all(texts)).map(({ body }) => body.text)).toEqual(['One', 'Two', 'Three'])
  sink.received.splice(0)
  sink.answer = () => ({ status: 200 })
  for (const { id } of (await again.get(`/webhooks/${hook}/deliveries`)).body.deliveries)
    expect((await again.post(`/webhooks/${hook}/deliveries/${id}/replay`)).status).toBe(202)
  const told = () => new Set(sink.received.map(({ body }) => body.data.message.text as string))
  await vi.waitFor(() => expect(told()).toEqual(new Set(['One', 'Two', 'Three'])), { timeout: 60_000 })
})

const hex = (text: string) => Buffer.from(text).toString('hex')
