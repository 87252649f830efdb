import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import type { DedicatedSql } from '../../server/platform/db/database.ts'
import { packageRoot } from '../../server/platform/package-root.ts'
import { type ApiClient, apiClient, type ApiReply } from '../harness/api-client.ts'
import {
  bellhop,
  connectToEmbedded,
  newFolder,
  processesIn,
  program,
  run,
  type Service,
  startService,
  until,
} from '../harness/processes/bellhop-process.ts'
import { builtModule } from '../harness/processes/built-module.ts'
import { freePort } from '../harness/processes/ports.ts'

async function newInstallation(data = 'data') {
  const cwd = await newFolder()
  const dataDir = join(cwd, data)
  return { cwd, dataDir, env: { BELLHOP_DATA_DIR: dataDir } as Record<string, string> }
}

async function stop(service: Service): Promise<void> {
  service.signal('SIGTERM')
  expect(await service.ended).toBe(0)
}

const shownKey = (service: Service) => /API key\s+(\S+)/.exec(service.stdout())![1]!

const livedIn = await newInstallation()
/** Printed once, by the first start of the installation that most tests share. */
let key = ''
async function startLivedIn(more: Partial<Parameters<typeof startService>[0]> = {}) {
  const service = await startService({ ...livedIn, ...more })
  key ||= shownKey(service)
  return { service, api: apiClient(service.url, key) }
}

let phones = 0
const newPhone = () => `+452${String(phones++).padStart(7, '0')}`

test('the first start shows a sign-in, a key and a curl line that works as printed; later starts do not', async () => {
  const { service: first, api } = await startLivedIn({ fromNothing: true })
  expect(first.stdout()).toMatch(/ready at http:\/\/127\.0\.0\.1:\d+\n/)
  expect(first.stdout()).toMatch(/Sign in\s+\S+@\S+\n\s+Password\s+\S{12,}\n\s+API key\s+bh_\S+\n/)

  const line = first.stdout().match(/^\s*(curl .*)$/m)![1]!
  const curl = await run('sh', ['-c', line], { cwd: livedIn.cwd, env: {} })
  expect(curl.code).toBe(0)
  const contacts = JSON.parse(curl.stdout) as { phone: string }[]
  expect(contacts.length).toBeGreaterThan(0)
  expect((await api.get('/employees')).body.employees).toHaveLength(3)
  const { companies } = JSON.parse((await bellhop(['company', 'list', '--json'], livedIn)).stdout)
  const listed = await bellhop(['number', 'list', '--json', '--company', companies[0].id], livedIn)
  const { numbers } = JSON.parse(listed.stdout) as { numbers: { number: string }[] }
  expect(numbers.map(({ number }) => number.slice(0, 3))).toEqual(['+45', '+45'])
  await stop(first)
  expect(processesIn(livedIn.cwd)).toEqual([])

  const { service: second, api: again } = await startLivedIn()
  expect(second.stdout()).toContain('ready at')
  expect(second.stdout()).not.toMatch(/API key|Password|curl/)
  expect((await again.get('/contacts')).body).toEqual(contacts)
  await stop(second)
})

/** A request that gets no response until `release`, because its row is locked; and what is needed to check it. */
async function slowRequest(api: ApiClient, sql: DedicatedSql) {
  const phone = newPhone()
  const { body: contact } = await api.post('/contacts', { phone, name: 'Before' })
  await sql`begin`
  await sql`select from contacts where phone = ${phone} for update`
  const answer = api.patch(`/contacts/${contact.id}`, { name: 'After' })
  await until(async () => (await sql`select from pg_locks where not granted`).length > 0)
  /** Ending the connection ends its transaction, and with that the lock. */
  const release = () => sql.end()
  return { answer, release, contact }
}

const stops: [what: string, signal: NodeJS.Signals, command?: string[]][] = [
  ['SIGTERM', 'SIGTERM'],
  ['Ctrl-C', 'SIGINT'],
  ['Ctrl-C below npm start', 'SIGINT', ['npm', '--prefix', packageRoot, 'start', '--ignore-scripts']],
]

/** The service gives this long to a connection that does not end, and must not need it. */
const DRAIN_MS = 30_000

test.each(stops)('%s lets a running request finish, then stops PostgreSQL', async (_, signal, command) => {
  // Started by npm, the service runs in the project's folder, whose .env must not matter here.
  const env = { ...livedIn.env, DATABASE_URL: '', LOG_LEVEL: 'info' }
  const { service, api } = await startLivedIn({ env, command })
  const { answer, release, contact } = await slowRequest(api, connectToEmbedded(livedIn.dataDir))

  const signalledAt = performance.now()
  service.signal(signal)
  // A second signal at once, as npm forwards it after the terminal, does not count as a second Ctrl-C.
  service.signal('SIGTERM')
  await until(() => service.stderr().includes('stopping'))
  await until(() =>
    fetch(`${service.url}/healthz`).then(
      () => false,
      () => true,
    ),
  )
  await release()
  expect(await answer).toMatchObject({ status: 200, body: { id: contact.id, name: 'After' } })
  // npm itself exits by the signal.
  expect(await service.ended).toBe(0)
  expect(performance.now() - signalledAt).toBeLessThan(DRAIN_MS)
  expect(processesIn(livedIn.cwd)).toEqual([])
})

test('a second Ctrl-C does not wait for running requests', async () => {
  const { service, api } = await startLivedIn()
  const { answer, release } = await slowRequest(api, connectToEmbedded(livedIn.dataDir))
  const refused = expect(answer).rejects.toThrow()
  let ended = false
  void service.ended.then(() => (ended = true))
  await until(() => {
    service.signal('SIGINT')
    return ended
  })
  expect(await service.ended).toBe(1)
  await refused
  await release()
  await until(() => processesIn(livedIn.cwd).length === 0)
})

test('after kill -9 the next start has every contact that was acknowledged, and no orphan remains', async () => {
  const { service: killed, api } = await startLivedIn()
  const acknowledged: string[] = []
  const createUntilKilled = async () => {
    for (;;) {
      const contact = { phone: newPhone() }
      const answer: ApiReply | undefined = await api.post('/contacts', contact).catch(() => undefined)
      if (!answer) return
      expect(answer.status).toBe(201)
      acknowledged.push(answer.body.id)
      if (acknowledged.length === 100) killed.signal('SIGKILL')
    }
  }
  await Promise.all(Array.from({ length: 4 }, createUntilKilled))
  expect(acknowledged.length).toBeGreaterThanOrEqual(100)

  const { service, api: again } = await startLivedIn()
  const { body } = await again.get('/contacts')
  const found = new Set(body.map(({ id }: { id: string }) => id))
  expect(acknowledged.filter((id) => !found.has(id))).toEqual([])
  await stop(service)
  expect(processesIn(livedIn.cwd)).toEqual([])
})

test('when PostgreSQL is killed under load, it is restarted, the service continues and no acknowledged write is lost', async () => {
  const { service, api } = await startLivedIn()
  const acknowledged: string[] = []
  const enough = new AbortController()
  const create = async () => {
    while (!enough.signal.aborted) {
      const { status, body } = await api.post('/contacts', { phone: newPhone() })
      if (status === 201) acknowledged.push(body.id)
      else expect(status).toBe(500)
    }
  }
  const creating = Promise.all(Array.from({ length: 8 }, create))
  const pidFile = join(livedIn.dataDir, 'postgres', 'data', 'postmaster.pid')
  const postmaster = async () => Number((await readFile(pidFile, 'utf8')).split('\n')[0])
  for (let kills = 0; kills < 3; kills++) {
    const before = acknowledged.length
    await until(() => acknowledged.length > before + 20)
    const killed = await postmaster()
    process.kill(killed, 'SIGKILL')
    // Backends outlive their postmaster for a while, and acknowledge writes until they notice.
    await until(async () => (await postmaster()) !== killed)
    const restartedAt = acknowledged.length
    await until(() => acknowledged.length > restartedAt + 20)
  }
  enough.abort()
  await creating

  const { body } = await api.get('/contacts')
  const found = new Set(body.map(({ id }: { id: string }) => id))
  expect(acknowledged.filter((id) => !found.has(id))).toEqual([])
  const invited = await api.post('/employees', { name: 'Dan', email: 'dan@example.com' })
  expect(invited.status).toBe(201)
  await until(async () => (await lettersIn(livedIn.dataDir)).includes('dan@example.com'))
  await stop(service)
  expect(processesIn(livedIn.cwd)).toEqual([])
})

const lettersIn = async (dataDir: string) => {
  const dir = join(dataDir, 'mail')
  const names = (await readdir(dir).catch(() => [])).filter((name) => name.endsWith('.eml'))
  return (await Promise.all(names.map((name) => readFile(join(dir, name), 'utf8')))).join('\n')
}

test('api and worker, started at once on an empty folder, share one PostgreSQL until both have exited', async () => {
  const installation = await newInstallation()
  const role = (name: string) =>
    startService({ ...installation, command: [process.execPath, program, name], fromNothing: true })
  const [api, worker] = await Promise.all([role('api'), role('worker')])
  expect(api.stdout() + worker.stdout()).not.toContain('API key')

  const demo = await bellhop(['demo', '--json'], installation)
  const client = apiClient(api.url, JSON.parse(demo.stdout).api_key)
  const invited = await client.post('/employees', { name: 'Dan', email: 'dan@example.com' })
  expect(invited.status).toBe(201)
  await until(async () => (await lettersIn(installation.dataDir)).includes('dan@example.com'))

  await stop(worker)
  expect((await client.get('/employees')).body.employees).toHaveLength(4)
  await stop(api)
  expect(processesIn(installation.cwd)).toEqual([])
})

const wrongStarts: [variable: string, value: string, accepts: string][] = [
  ['PORT', 'http', 'a port from 1 to 65535, or 0 for any free one'],
  ['HOST', '192.0.2.1', 'an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them'],
  ['HOST', 'nowhere.invalid', 'an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them'],
]

test.each(wrongStarts)('%s=%s stops the start with one sentence', async (variable, value, accepts) => {
  const env = { ...livedIn.env, PORT: '0', LOG_LEVEL: 'warn', [variable]: value }
  const { code, stdout, stderr } = await bellhop(['serve'], { ...livedIn, env })
  expect({ code, stdout, stderr }).toEqual({
    code: 1,
    stdout: '',
    stderr: `bellhop: ${variable} must be ${accepts}.\n`,
  })
})

/** There is no company until the service is first ready. */
const unused = await newInstallation('kept-here')

test('a .env file in the folder is read, and the environment overrides it', async () => {
  const { cwd } = unused
  const file = join(cwd, '.env')
  await writeFile(file, 'BELLHOP_DATA_DIR=./kept-here\nLOG_LEVEL=loud\nMETRICS_TOKEN=\n')
  onTestFinished(() => rm(file))
  const refused = await bellhop(['company', 'list'], { cwd, env: {} })
  expect(refused.stderr).toContain('LOG_LEVEL must be')
  const taken = await bellhop(['company', 'list'], { cwd, env: { LOG_LEVEL: 'warn' } })
  expect(taken).toEqual({ code: 0, stdout: 'There are no companies yet.\n', stderr: '' })
  expect(await readdir(cwd)).toContain('kept-here')
})

test('a start that finds its port in use says so and creates no demo company', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await until(() => other.listening)
  const { port } = other.address() as AddressInfo
  const env = { ...unused.env, PORT: String(port), LOG_LEVEL: 'warn' }
  const failed = await bellhop(['serve'], { ...unused, env })
  expect(failed.code).toBe(1)
  expect(failed.stdout).toBe('')
  expect(failed.stderr).toMatch(
    /^bellhop: Port \d+ of 127\.0\.0\.1 is already in use[^\n]+ set PORT [^\n]+\.\n$/,
  )
  expect(processesIn(unused.cwd)).toEqual([])
  other.close()
  expect((await bellhop(['company', 'list'], unused)).stdout).toBe('There are no companies yet.\n')
})

test('serve --json prints one object with the URL and the demo, and nothing else on standard output', async () => {
  const command = [process.execPath, program, 'serve', '--json']
  const PORT = String(await freePort())
  const service = await startService({ ...unused, env: { ...unused.env, PORT }, command })
  const { status, url, demo } = JSON.parse(service.stdout())
  expect({ status, url, demo }).toEqual({
    status: 'ready',
    url: `http://127.0.0.1:${PORT}`,
    demo: { email: expect.any(String), password: expect.any(String), api_key: expect.any(String) },
  })
  expect((await apiClient(url, demo.api_key).get('/company')).status).toBe(200)
  const said = service.stdout()
  await stop(service)
  expect(service.stdout()).toBe(said)
})

test('at a terminal the log is formatted for people, without secrets and phone numbers', async () => {
  const installation = await newInstallation()
  const log = await builtModule('server/platform/log.ts')
  const source = `
    const { createLog } = await import(${JSON.stringify(log)})
    const log = createLog({ level: 'info' })
    log.warn({ caller: '+4520304050', password: 'hunter2', note: 'two words', err: new Error('boom') }, 'it rang')`
  await writeFile(join(installation.cwd, 'log.mjs'), source)
  const command = `${process.execPath} log.mjs`
  const shown = await run('script', ['-qec', command, '/dev/null'], { cwd: installation.cwd, env: {} })
  const [line, next] = shown.stdout.split('\r\n')
  expect(line).toMatch(
    /^\d\d:\d\d:\d\d warn  it rang caller=\+45…50 password="?\[secret\]"? note="two words"$/,
  )
  expect(next).toBe('Error: boom')
  const piped = await run(process.execPath, ['log.mjs'], { cwd: installation.cwd, env: {} })
  expect(JSON.parse(piped.stderr)).toMatchObject({ level: 'warn', msg: 'it rang', caller: '+45…50' })
})
