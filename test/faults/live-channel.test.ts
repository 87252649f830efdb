import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { beforeAll, expect, test } from 'vitest'

import { apiClient } from '../harness/api-client.ts'
import { openCable } from '../harness/peers/cable-socket.ts'
import {
  anyCableClient,
  type LiveClient,
  PINGED,
  railsClient,
  realClients,
} from '../harness/peers/live-clients.ts'
import {
  bellhop,
  newFolder,
  program,
  type Service,
  startService,
} from '../harness/processes/bellhop-process.ts'
import { freePort } from '../harness/processes/ports.ts'

/** Generous, for a busy machine: clients reconnect only once in a while. */
const patience = { timeout: 60_000, interval: 20 }

const cwd = await newFolder()
// It is restarted at the URL that clients reconnect to.
const PORT = String(await freePort())
const installation = { cwd, env: { BELLHOP_DATA_DIR: join(cwd, 'data'), PORT } }
let service: Service
/** Printed once, by the first start. */
let key: string
/** The employee whose presence changes. */
let employeeId: string
beforeAll(async () => {
  service = await startService(installation)
  key = /API key\s+(\S+)/.exec(service.stdout())![1]!
  employeeId = (await apiClient(service.url, key).get('/employees')).body.employees[0].id
})

/** Changes the presence; returns the message that clients must receive. */
async function changePresence() {
  const api = apiClient(service.url, key)
  const path = `/employees/${employeeId}/do_not_disturb`
  const { enabled } = (await api.get(path)).body
  expect((await api.put(path, { enabled: !enabled })).status).toBe(200)
  return { type: 'presence_update', employee_id: employeeId }
}

async function connectBoth(url = service.url): Promise<LiveClient[]> {
  const clients = [railsClient(url, key, PINGED), anyCableClient(url, key, PINGED)]
  for (const client of clients) await expect.poll(() => client.happened, patience).toEqual(['connected'])
  return clients
}

async function expectBackAndHearing(clients: LiveClient[]) {
  for (const client of clients) {
    await expect.poll(() => client.happened.includes('lost'), patience).toBe(true)
    await expect.poll(() => client.happened.at(-1), patience).toBe('connected')
  }
  const change = await changePresence()
  for (const client of clients) await expect.poll(() => client.heard, patience).toEqual([change])
}

test.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)(
  'clients reconnect by themselves after a restart that began with %s',
  async (signal) => {
    const first = service
    const clients = await connectBoth()
    const raw = await openCable(first.url, { key })

    first.signal(signal)
    expect(await first.ended).toBe(signal === 'SIGKILL' ? null : 0)
    const { code } = await raw.closed
    expect(code).toBe(signal === 'SIGKILL' ? 1006 : 1012)
    if (signal !== 'SIGKILL')
      expect(raw.frames.at(-1)).toEqual({ type: 'disconnect', reason: 'server_restart', reconnect: true })

    service = await startService(installation)
    await expectBackAndHearing(clients)
  },
)

test('clients reconnect and receive messages again after PostgreSQL was killed', async () => {
  const clients = await connectBoth()
  const pidFile = join(cwd, 'data', 'postgres', 'data', 'postmaster.pid')
  process.kill(Number((await readFile(pidFile, 'utf8')).split('\n')[0]), 'SIGKILL')
  await expectBackAndHearing(clients)
})

test('each of two processes on one database publishes to its clients what happens at the other', async () => {
  const env = { ...installation.env, PORT: '0' }
  const other = await startService({ cwd, env, command: [process.execPath, program, 'api'] })
  const [here, there] = [await connectBoth(), await connectBoth(other.url)]
  const change = await changePresence()
  for (const client of [...here, ...there]) await expect.poll(() => client.heard, patience).toEqual([change])
})

const json = async (...args: string[]) =>
  JSON.parse((await bellhop([...args, '--json'], installation)).stdout)

test.each(realClients)('a key that is revoked on the command line ends %s for good', async (_, connect) => {
  const shown = await json('api-key', 'create', '--employee', employeeId, '--name', 'screen')
  const revoked = connect(service.url, shown.key, PINGED)
  const kept = connect(service.url, key, PINGED)
  for (const { happened } of [revoked, kept])
    await expect.poll(() => happened, patience).toEqual(['connected'])
  await json('api-key', 'revoke', '--key', shown.id)
  await expect.poll(() => revoked.happened, patience).toEqual(['connected', 'ended'])
  const change = await changePresence()
  await expect.poll(() => kept.heard, patience).toEqual([change])
  expect(revoked.heard).toEqual([])
})
