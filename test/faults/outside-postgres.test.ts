import { access, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { beforeAll, describe, expect, test } from 'vitest'

import { connect, type Sql } from '../../server/platform/db/database.ts'
import { type ApiClient, apiClient } from '../harness/api-client.ts'
import {
  bellhop,
  connectToEmbedded,
  newFolder,
  program,
  type Service,
  startService,
  until,
} from '../harness/processes/bellhop-process.ts'
import { type OutsidePostgres, startOutsidePostgres } from '../harness/processes/outside-postgres.ts'
import { DUMPS, KEYS, loadDump, migrationsAfter, readRemembered } from '../upgrade/dump.ts'

let outside: OutsidePostgres
beforeAll(async () => {
  outside = await startOutsidePostgres()
})

async function newInstallation() {
  const cwd = await newFolder()
  const DATABASE_URL = await outside.newDatabase()
  const env = { DATABASE_URL, BELLHOP_DATA_DIR: join(cwd, 'data'), BELLHOP_SECRET: 's'.repeat(32) }
  const json = async (...args: string[]): Promise<any> => {
    const { code, stdout, stderr } = await bellhop([...args, '--json'], { cwd, env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return JSON.parse(stdout)
  }
  return { cwd, env, json }
}

test('on an external PostgreSQL 15 the service and every command work, and nothing is embedded', async () => {
  const { cwd, env, json } = await newInstallation()
  const service = await startService({ cwd, env })
  expect(service.stdout()).not.toContain('API key')
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
  expect(await json('company', 'list')).toEqual({ companies: [] })

  const company = (await json('company', 'create', '--name', 'A', '--country', 'DK', '--messaging')).id
  const person = ['--name', 'Ann', '--email', 'ann@example.com', '--password', 'correct horse']
  const employee = (await json('employee', 'create', '--company', company, ...person)).id
  const { id, key } = await json('api-key', 'create', '--employee', employee, '--name', 'test')
  const number = ['--company', company, '--number', '+4570123456', '--name', 'Shop', '--sms']
  const added = await json('number', 'add', ...number)
  await json('number', 'registration', '--number', added.id, '--status', 'pending')
  await json('device', 'create', '--employee', employee)
  await json('oauth-client', 'create', '--name', 'App', '--redirect-uri', 'https://app.example')

  const api = apiClient(service.url, key)
  const phones = ['+4520000001', '+4520000002', '+4520000003']
  for (const phone of phones) expect((await api.post('/contacts', { phone })).status).toBe(201)
  const listed = (await api.get('/contacts')).body.map((contact: { phone: string }) => contact.phone)
  expect(listed).toEqual(phones.toReversed())
  expect((await api.post('/contacts', { phone: phones[0] })).status).toBe(422)
  expect((await api.delete(`/employees/${employee}`)).status).toBe(403)
  await json('api-key', 'revoke', '--key', id)
  await until(async () => (await api.get('/contacts')).status === 401)

  service.signal('SIGTERM')
  expect(await service.ended).toBe(0)
  await expect(access(join(cwd, 'data', 'postgres'))).rejects.toThrow('ENOENT')
})

test('secrets that are not set are logged once, however many roles the process has', async () => {
  const { cwd, env } = await newInstallation()
  const { BELLHOP_SECRET: _, ...unset } = env
  const service = await startService({ cwd, env: unset })
  const told = service.stderr().match(/\w+ is not set; using the \w+/g)
  expect(told?.toSorted()).toEqual([
    'BELLHOP_SECRET is not set; using the secret',
    'MESSAGE_KEYS is not set; using the keys',
  ])
})

test('connections are encrypted as sslmode says, and the certificate is verified only if it asks for that', async () => {
  const { cwd, env, json } = await newInstallation()
  const parameters = { require: '', 'verify-full': `&sslrootcert=${outside.certificate}` }
  for (const [mode, more] of Object.entries(parameters)) {
    const DATABASE_URL = `${env.DATABASE_URL}?sslmode=${mode}${more}`
    const service = await startService({ cwd, env: { ...env, DATABASE_URL } })
    expect(service.stderr()).not.toContain('SECURITY WARNING')
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
    const sql = connect({ url: DATABASE_URL }, { max: 1 })
    const sessions = await sql`
      select distinct application_name, ssl from pg_stat_activity join pg_stat_ssl using (pid)
      where datname = current_database() and application_name like 'bellhop%'`
    await sql.end()
    expect(new Set(sessions.map(({ ssl }) => ssl))).toEqual(new Set([true]))
    expect(sessions.map(({ application_name }) => application_name)).toContain('bellhop jobs')
    service.signal('SIGTERM')
    expect(await service.ended).toBe(0)
  }
  const unverified = { ...env, DATABASE_URL: `${env.DATABASE_URL}?sslmode=verify-full` }
  const { code, stderr } = await bellhop(['company', 'list'], { cwd, env: unverified })
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('self-signed certificate') })
  expect(await json('company', 'list')).toEqual({ companies: [] })
})

test('a demo company is created there only with --demo, and only once', async () => {
  const { cwd, env } = await newInstallation()
  const command = [process.execPath, program, 'serve', '--demo']
  const first = await startService({ cwd, env, command })
  const key = /API key\s+(\S+)/.exec(first.stdout())![1]!
  expect((await apiClient(first.url, key).get('/employees')).body.employees).toHaveLength(3)
  first.signal('SIGTERM')
  await first.ended
  const second = await startService({ cwd, env, command })
  expect(second.stdout()).not.toContain('API key')
  expect((await apiClient(second.url, key).get('/employees')).body.employees).toHaveLength(3)
})

describe('several processes on one database', () => {
  let installation: Awaited<ReturnType<typeof newInstallation>>
  let apis: Service[]
  let clients: ApiClient[]
  let employee: string
  beforeAll(async () => {
    installation = await newInstallation()
    const { cwd, env, json } = installation
    const role = (name: string) => startService({ cwd, env, command: [process.execPath, program, name] })
    apis = (await Promise.all([role('api'), role('api'), role('worker')])).slice(0, 2)
    const { api_key } = await json('demo')
    clients = apis.map(({ url }) => apiClient(url, api_key))
    const { companies } = await json('company', 'list')
    employee = (await json('employee', 'list', '--company', companies[0].id)).employees[0].id
  })

  test('an invitation requested at one process is sent by another', async () => {
    const invited = await clients[0]!.post('/employees', { name: 'Dan', email: 'dan@example.com' })
    expect(invited.status).toBe(201)
    const dir = join(installation.cwd, 'data', 'mail')
    await until(async () => (await readdir(dir).catch(() => [])).some((name) => name.endsWith('.eml')))
    const [message] = await readdir(dir)
    expect(await readFile(join(dir, message!), 'utf8')).toContain('dan@example.com')
    for (const api of apis) expect(api.stderr()).not.toContain('.eml')
  })

  test('a key revoked beside two API processes is refused by both', async () => {
    const { json } = installation
    for (const client of clients) expect((await client.get('/company')).status).toBe(200)
    const { api_keys } = await json('api-key', 'list', '--employee', employee)
    await json('api-key', 'revoke', '--key', api_keys[0].id)
    for (const client of clients) await until(async () => (await client.get('/company')).status === 401)
  })

  test('without BELLHOP_SECRET a device is sealed with the secret of this machine, and a warning says so', async () => {
    const { cwd, env } = installation
    const { BELLHOP_SECRET: _, ...without } = env
    const create = ['device', 'create', '--employee', employee, '--json']
    const { code, stdout, stderr } = await bellhop(create, { cwd, env: without })
    expect(code).toBe(0)
    expect(JSON.parse(stdout).id).toMatch(/^dev_/)
    expect(JSON.parse(stderr)).toMatchObject({ level: 'warn', path: join(cwd, 'data', 'secret') })
  })
})

test('a database that refuses or is too old stops the start with one sentence', async () => {
  const { cwd, env } = await newInstallation()
  const fail = async (url: string) => {
    const { code, stdout, stderr } = await bellhop(['serve'], { cwd, env: { ...env, DATABASE_URL: url } })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    return stderr
  }
  const change = (part: 'password' | 'pathname', value: string) =>
    Object.assign(new URL(env.DATABASE_URL), { [part]: value }).href
  expect(await fail(change('password', 'wrong'))).toMatch(
    /^bellhop: The database of DATABASE_URL refused the connection: password authentication failed [^\n]+\.\n$/,
  )
  expect(await fail(change('pathname', '/nothing'))).toBe(
    'bellhop: The database of DATABASE_URL refused the connection: database "nothing" does not exist.\n',
  )
  await outside.asSuperuser(
    env.DATABASE_URL,
    `create database ascii owner bellhop encoding 'SQL_ASCII' locale 'C' template template0`,
  )
  expect(await fail(change('pathname', '/ascii'))).toBe(
    'bellhop: The database ascii has the encoding SQL_ASCII, and Bellhop needs UTF8. ' +
      'Create one with: createdb --encoding=UTF8 --template=template0 NAME\n',
  )
  // As PostgreSQL 13 would respond.
  await outside.asSuperuser(
    env.DATABASE_URL,
    `create schema old;
     grant usage on schema old to public;
     create function old.current_setting(text) returns text language sql as $$ select '130011' $$;
     alter role bellhop in database ${new URL(env.DATABASE_URL).pathname.slice(1)}
       set search_path = old, pg_catalog, public`,
  )
  expect(await fail(env.DATABASE_URL)).toBe(
    'bellhop: DATABASE_URL must name a PostgreSQL 14 or newer; this one is 13.\n',
  )
})

const firstRelease = DUMPS[0]!
const lastRelease = DUMPS.at(-1)!

async function expectTexts(url: string, release: string): Promise<void> {
  const { api, contact, texts } = await readRemembered(release)
  const client = apiClient(url, api.key)
  expect((await client.get(`/contacts/${contact.id}`)).body).toMatchObject(contact)
  for (const { id, text } of texts) expect((await client.get(`/messages/${id}`)).body.text).toBe(text)
}

async function countRows(sql: Sql, table: string) {
  const [row] = await sql`select count(*)::int as rows from ${sql(table)}`
  return { table, ...row }
}

test('the database of the last release is migrated there, and serves its employees', async () => {
  const { cwd, env } = await newInstallation()
  await loadDump({ url: env.DATABASE_URL }, lastRelease)
  const service = await startService({ cwd, env: { ...env, ...KEYS } })
  await expectTexts(service.url, lastRelease)
})

test('it is copied into an embedded database of a newer PostgreSQL, once, with all its data', async () => {
  const { cwd, env } = await newInstallation()
  const { DATABASE_URL, ...embedded } = env
  await loadDump({ url: DATABASE_URL }, firstRelease)
  const copy = () =>
    bellhop(['copy-database', '--from', DATABASE_URL, '--json'], { cwd, env: { ...embedded, ...KEYS } })
  const { code, stdout, stderr } = await copy()
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(stdout)).toEqual({
    tables: expect.any(Number),
    migrated: await migrationsAfter(firstRelease),
  })
  expect(await copy()).toEqual({
    code: 1,
    stdout: '',
    stderr: 'bellhop: The data folder already has a database: move it away first.\n',
  })

  const service = await startService({ cwd, env: { ...embedded, ...KEYS } })
  await expectTexts(service.url, firstRelease)
  const [source, target] = [connect({ url: DATABASE_URL }, { max: 1 }), connectToEmbedded(join(cwd, 'data'))]
  for (const table of ['calls', 'contacts', 'employees', 'messages', 'voicemails'])
    expect(await countRows(target, table)).toEqual(await countRows(source, table))
  // The migrations add those of callers without a number, so the source may have fewer.
  const [inbox] = await target`
    select (select count(*) from inbox_items)::int as items,
      ((select count(*) from calls) + (select count(*) from messages) + (select count(*) from voicemails))::int as all`
  expect(inbox!.items).toBe(inbox!.all)
  await source.end()
  await target.end()
})
