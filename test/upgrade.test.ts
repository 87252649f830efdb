import { generate } from 'otplib'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'

import type { Sql } from '../server/platform/db/database.ts'
import { migrate } from '../server/platform/db/migrate.ts'
import { apiClient } from './harness/api-client.ts'
import { formBrowser } from './harness/browser/form-browser.ts'
import { startRegisteredPhone, startTestEdge } from './harness/calls/edge.ts'
import { cloneDatabase, emptyDatabase, type Harness, harness } from './harness/index.ts'
import { contextServer } from './harness/peers/context-server.ts'
import { oauthApplication } from './harness/peers/oauth.ts'
import { webhookSink } from './harness/peers/webhook-sink.ts'
import {
  DUMPS,
  KEYS,
  loadDump,
  migrationsAfter,
  readRemembered,
  readSection,
  readStatements,
  type Remembered,
} from './upgrade/dump.ts'

type Row = Record<string, unknown>

/** A database of an older version. */
async function olderDatabase(name: string) {
  const made = await emptyDatabase()
  await loadDump(made.db.address, name)
  return made
}

/** By table, including those of the job queue. */
async function readRows(sql: Sql): Promise<Map<string, Row[]>> {
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('public', 'graphile_worker')`
  const rows = new Map<string, Row[]>()
  for (const { name } of tables) {
    const read = await sql.unsafe<{ row: Row }[]>(`select to_jsonb(t) as row from ${name} t`)
    rows.set(
      name,
      read.map(({ row }) => row),
    )
  }
  return rows
}

/** Rows that have been lost or changed, compared by the columns that still exist. */
function lostRows(table: string, before: Row[], after: Row[]): string[] {
  const columns = Object.keys(before[0] ?? {}).filter((column) => !after[0] || column in after[0])
  const textOf = (row: Row) => `${table} ${JSON.stringify(columns.map((column) => row[column]))}`
  const left = after.map(textOf)
  return before.map(textOf).filter((text) => {
    const at = left.indexOf(text)
    if (at !== -1) left.splice(at, 1)
    return at === -1
  })
}

describe.each(DUMPS)('a database as of %s', (name) => {
  test('is migrated, and every row is unchanged', async () => {
    const { db, drop } = await olderDatabase(name)
    const before = await readRows(db.sql)
    expect(await migrate(db.address)).toEqual(await migrationsAfter(name))
    const after = await readRows(db.sql)
    await db.close()
    await drop()
    const lost = [...before].flatMap(([table, rows]) => lostRows(table, rows, after.get(table) ?? []))
    expect(lost).toEqual([])
    expect([...before.values()].flat().length).toBeGreaterThan(100)
    const migrations = after.get('public.schema_migrations')!
    expect(migrations.filter(({ hash }) => hash === null)).toEqual([])
  })

  test('serves its employees as before: their records, texts, sign-in, applications, webhooks and phones', async () => {
    const remembered = await readRemembered(name)
    const bellhop = await harness(
      { BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1', ...KEYS },
      { newDatabase: () => broughtUpToDate(name), startAt: new Date(remembered.at) },
    )
    await expectRecords(bellhop, remembered)
    await expectSignIn(bellhop, remembered)
    await expectDeliveries(bellhop, remembered)
    const edge = await startTestEdge(bellhop)
    await (await startRegisteredPhone({ ...remembered.device, port: edge.port })).registered()
  })
})

async function broughtUpToDate(name: string) {
  const made = await olderDatabase(name)
  await migrate(made.db.address)
  return made
}

async function expectRecords({ url }: Harness, { api: { key }, contact, texts }: Remembered) {
  const api = apiClient(url, key)
  expect((await api.get(`/contacts/${contact.id}`)).body).toMatchObject(contact)
  const found = await api.get(`/contacts/search?q=${encodeURIComponent(contact.name)}`)
  expect(found.body.items).toContainEqual(expect.objectContaining({ id: contact.id }))
  for (const { id, text } of texts) expect((await api.get(`/messages/${id}`)).body.text).toBe(text)
  const threads = (await api.get('/inbox')).body.threads as unknown[]
  expect(threads.length).toBeGreaterThan(2)
  expect(threads).toContainEqual(expect.objectContaining({ phone_number: 'DSB Info', unseen_count: 1 }))
  expect((await api.get('/calls?query=brakes')).body.calls).toHaveLength(1)
  for (const path of [
    '/voicemails',
    '/calls',
    '/employees',
    '/webhooks',
    '/integrations',
    '/activity/unseen',
  ])
    expect((await api.get(path)).status).toBe(200)
}

async function expectSignIn(bellhop: Harness, { person, oauth }: Remembered) {
  // The code with which the app was set up is not accepted twice.
  bellhop.clock.advance(60_000)
  const browser = formBrowser(bellhop.url)
  const { email, password, totpSecret } = person
  await browser.submit('/sign-in', '/sign-in', { email, password })
  const epoch = Math.floor(bellhop.clock.now().getTime() / 1000)
  await browser.submit('/sign-in/code', '/sign-in/code', {
    code: await generate({ secret: totpSecret, epoch }),
  })
  expect((await browser.get('/account')).status).toBe(200)
  const application = oauthApplication(bellhop)
  expect(await application.statusWith(oauth.accessToken)).toBe(200)
  const refreshed = await application.refresh(oauth.clientId, oauth.refreshToken)
  expect(await application.statusWith(refreshed.body.access_token)).toBe(200)
}

/** Pending deliveries are made, and signed with the secrets that receivers already have. */
async function expectDeliveries(bellhop: Harness, { api: { key }, webhook, integration }: Remembered) {
  const api = apiClient(bellhop.url, key)
  const sink = await webhookSink()
  for (const { id } of (await api.get('/webhooks')).body as { id: string }[])
    expect((await api.patch(`/webhooks/${id}`, { url: sink.url, active: true })).status).toBe(200)
  const { deliveries } = (await api.get(`/webhooks/${webhook.id}/deliveries`)).body
  for (const { id } of deliveries)
    expect((await api.post(`/webhooks/${webhook.id}/deliveries/${id}/replay`)).status).toBe(202)
  await bellhop.deliverWebhooks()
  const replayed = sink.received.filter(({ headers }) =>
    deliveries.some(({ id }: { id: string }) => id === headers['webhook-id']),
  )
  expect(replayed).toHaveLength(deliveries.length)
  expect(replayed.map(({ body }) => body.event)).toContain('message.received')
  for (const { headers, raw } of replayed) expect(isSigned(webhook.signing_secret, headers, raw)).toBe(true)

  const crm = await contextServer(() => ({}))
  await api.patch(`/integrations/${integration.id}`, { url: crm.url })
  await api.post(`/integrations/${integration.id}/test`, { phone: '+4520112233' })
  expect(isSigned(integration.signing_secret, crm.asked[0]!.headers, crm.asked[0]!.body)).toBe(true)
}

function isSigned(secret: string, headers: Record<string, unknown>, body: string): boolean {
  const at = new Date(Number(headers['webhook-timestamp']) * 1000)
  const signature = new Webhook(secret).sign(String(headers['webhook-id']), at, body)
  return String(headers['webhook-signature']).split(' ').includes(signature)
}

/** During an upgrade, processes of the last release run beside those of this code. */
describe('beside the last release', () => {
  const last = DUMPS.at(-1)!

  test('all of its queries still work', async () => {
    const { db, drop } = await cloneDatabase()
    const statements = await readStatements(last)
    expect(statements.length).toBeGreaterThan(300)
    const refused: string[] = []
    for (const statement of statements)
      await db.sql
        .unsafe(`prepare asked as ${statement}; deallocate asked`)
        .catch((error: Error) => refused.push(`${error.message}: ${statement}`))
    await db.close()
    await drop()
    expect(refused).toEqual([])
  })

  test('all rows that it writes are accepted, without the columns it does not know', async () => {
    const { db, drop } = await cloneDatabase()
    const inserts = [...(await readSection(last, 'data')).matchAll(/^INSERT INTO public\.(\w+) .*?\);$/gms)]
    expect(inserts.length).toBeGreaterThan(40)
    const refused: string[] = []
    // Foreign keys and triggers are not checked here: the rows come in no particular order.
    await db.tx(async (tx) => {
      await tx`set local session_replication_role to replica`
      await tx`truncate schema_migrations`
      for (const [statement, table] of inserts) {
        await tx`savepoint before`
        await tx.unsafe(statement).catch(async (error: Error) => {
          refused.push(`${table}: ${error.message}`)
          await tx`rollback to before`
        })
      }
    })
    await db.close()
    await drop()
    expect(refused).toEqual([])
  })
})
