import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test, vi } from 'vitest'

import { apiClient } from '../harness/api-client.ts'
import { bellhop, newFolder, program, type Service, startService } from '../harness/bellhop-process.ts'
import { openCable } from '../harness/cable-socket.ts'
import { anyCableClient, type LiveClient, PINGED, railsClient, realClients } from '../harness/live-clients.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

/** Generous, for a busy machine: clients look for the server once in a while only. */
const patience = { timeout: 60_000, interval: 20 }

interface Installation {
  cwd: string
  env: Record<string, string>
}

async function newInstallation(): Promise<Installation> {
  const cwd = await newFolder()
  return { cwd, env: { BELLHOP_DATA_DIR: join(cwd, 'data') } }
}

const shownKey = (service: Service) => /API key\s+(\S+)/.exec(service.stdout())![1]!

/** As somebody at work would; returns what clients must hear of it. */
async function changePresence(url: string, key: string) {
  const api = apiClient(url, key)
  const [{ id }] = (await api.get('/employees')).body.employees
  expect((await api.put(`/employees/${id}/do_not_disturb`, { enabled: true })).status).toBe(200)
  return { type: 'presence_update', employee_id: id as string }
}

async function connectBoth(url: string, key: string): Promise<LiveClient[]> {
  const clients = [railsClient(url, key, PINGED), anyCableClient(url, key, PINGED)]
  for (const client of clients) await expect.poll(() => client.happened, patience).toEqual(['connected'])
  return clients
}

async function expectBackAndHearing(clients: LiveClient[], url: string, key: string) {
  for (const client of clients) {
    await expect.poll(() => client.happened.includes('lost'), patience).toBe(true)
    await expect.poll(() => client.happened.at(-1), patience).toBe('connected')
  }
  const change = await changePresence(url, key)
  for (const client of clients) await expect.poll(() => client.heard, patience).toEqual([change])
}

test.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)(
  'clients come back by themselves after a restart that began with %s',
  async (signal) => {
    const installation = await newInstallation()
    const first = await startService(installation)
    const key = shownKey(first)
    const clients = await connectBoth(first.url, key)
    const raw = await openCable(first.url, { key })

    first.signal(signal)
    expect(await first.ended).toBe(signal === 'SIGKILL' ? null : 0)
    const { code } = await raw.closed
    expect(code).toBe(signal === 'SIGKILL' ? 1006 : 1012)
    if (signal !== 'SIGKILL')
      expect(raw.frames.at(-1)).toEqual({ type: 'disconnect', reason: 'server_restart', reconnect: true })

    const env = { ...installation.env, PORT: new URL(first.url).port }
    const second = await startService({ ...installation, env })
    await expectBackAndHearing(clients, second.url, key)
  },
)

test('clients come back and hear again after PostgreSQL was killed', async () => {
  const installation = await newInstallation()
  const service = await startService(installation)
  const key = shownKey(service)
  const clients = await connectBoth(service.url, key)
  const pidFile = join(installation.cwd, 'data', 'postgres', 'data', 'postmaster.pid')
  process.kill(Number((await readFile(pidFile, 'utf8')).split('\n')[0]), 'SIGKILL')
  await expectBackAndHearing(clients, service.url, key)
})

test('of two processes on one database, each tells its clients what happens at the other', async () => {
  const installation = await newInstallation()
  const api = () => startService({ ...installation, command: [process.execPath, program, 'api'] })
  const [one, two] = await Promise.all([api(), api()])
  const key = JSON.parse((await bellhop(['demo', '--json'], installation)).stdout).api_key as string
  const [here, there] = [await connectBoth(one.url, key), await connectBoth(two.url, key)]
  const change = await changePresence(one.url, key)
  for (const client of [...here, ...there]) await expect.poll(() => client.heard, patience).toEqual([change])
})

test.each(realClients)('a key revoked at the command line ends %s for good', async (_, connect) => {
  const installation = await newInstallation()
  const service = await startService(installation)
  const json = async (...args: string[]) =>
    JSON.parse((await bellhop([...args, '--json'], installation)).stdout)
  const { companies } = await json('company', 'list')
  const { employees } = await json('employee', 'list', '--company', companies[0].id)
  const { id, key } = await json('api-key', 'create', '--employee', employees[0].id, '--name', 'screen')
  const revoked = connect(service.url, key, PINGED)
  const kept = connect(service.url, shownKey(service), PINGED)
  for (const { happened } of [revoked, kept])
    await expect.poll(() => happened, patience).toEqual(['connected'])
  await json('api-key', 'revoke', '--key', id)
  await expect.poll(() => revoked.happened, patience).toEqual(['connected', 'ended'])
  const change = await changePresence(service.url, shownKey(service))
  await expect.poll(() => kept.heard, patience).toEqual([change])
  expect(revoked.heard).toEqual([])
})
