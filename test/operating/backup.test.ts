import { expect, test } from 'vitest'

import { apiClient } from '../harness/api-client.ts'
import { bellhop, type Environment, newFolder, startService } from '../harness/processes/bellhop-process.ts'
import { BIN, startOutsidePostgres } from '../harness/processes/outside-postgres.ts'
import { openShell, runnableBlocks } from './runnable-blocks.ts'

const CUSTOMER = '+4520304050'

const postgres = await startOutsidePostgres()
const blocks = await runnableBlocks('backup.md')
const of = (heading: string) => blocks.filter(({ under }) => under === heading)

test('every runnable block of the page is in a test', () => {
  expect(new Set(blocks.map(({ under }) => under))).toEqual(
    new Set(['With the embedded database', 'With your own PostgreSQL']),
  )
})

test('an installation with the embedded database comes back from its backup', async () => {
  const cwd = await newFolder()
  const sh = await openShell(cwd, BIN)
  const [backUp, restore] = of('With the embedded database')
  const key = await useInstallation(cwd, {})
  await sh(backUp!)
  await loseEverything(cwd, {}, key)
  await sh(restore!)
  await expectEverything(cwd, {}, key)
})

test('an installation with its own PostgreSQL comes back in another database, from a dump made while it ran', async () => {
  const cwd = await newFolder()
  const sh = await openShell(cwd, BIN)
  const [backUp, restore] = of('With your own PostgreSQL')
  const env = { DATABASE_URL: await postgres.newDatabase(), SIP_SIMULATOR: 'on' }
  const key = await useInstallation(cwd, env, () => sh(backUp!, env))
  const restored = { ...env, DATABASE_URL: await postgres.newDatabase() }
  await sh(restore!, restored)
  await expectEverything(cwd, restored, key)
})

/** The demo, with its recordings, and a text. Returns an API key. */
async function useInstallation(
  cwd: string,
  env: Environment,
  whileItRuns: () => Promise<void> = async () => {},
): Promise<string> {
  const service = await startService({ cwd, env })
  // The first start on the embedded database creates the demo by itself.
  const key = /API key\s+(\S+)/.exec(service.stdout())?.[1] ?? (await createDemo(cwd, env))
  const { get, post } = apiClient(service.url, key)
  const { main_numbers } = (await get('/business_numbers')).body
  const { id } = main_numbers.find(({ name }: { name: string }) => name === 'Shop')
  const text = { to: CUSTOMER, text: 'Kept', idempotency_key: 'kept' }
  expect(await post(`/business_numbers/${id}/messages`, text)).toMatchObject({ status: 201 })
  await whileItRuns()
  service.signal('SIGTERM')
  await service.ended
  return key
}

async function createDemo(cwd: string, env: Environment): Promise<string> {
  const { code, stdout, stderr } = await bellhop(['demo', '--json'], { cwd, env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return (JSON.parse(stdout) as { api_key: string }).api_key
}

/** What was there before the restore must not be there after it. */
async function loseEverything(cwd: string, env: Environment, key: string): Promise<void> {
  const service = await startService({ cwd, env })
  const { get, delete: remove } = apiClient(service.url, key)
  for (const { id } of (await get('/contacts')).body) await remove(`/contacts/${id}`)
  service.signal('SIGTERM')
  await service.ended
}

async function expectEverything(cwd: string, env: Environment, key: string): Promise<void> {
  const service = await startService({ cwd, env })
  const { get } = apiClient(service.url, key)
  expect((await get('/contacts')).body.length).toBeGreaterThan(0)
  const thread = (await get(`/inbox/${encodeURIComponent(CUSTOMER)}/activity`)).body
  expect(JSON.stringify(thread)).toContain('"Kept"')
  const { voicemails } = (await get('/voicemails')).body
  const recording = await fetch(
    voicemails.find((one: { recording_url?: string }) => one.recording_url).recording_url,
  )
  expect(recording.status).toBe(200)
  expect((await recording.arrayBuffer()).byteLength).toBeGreaterThan(10_000)
  service.signal('SIGTERM')
  await service.ended
}
