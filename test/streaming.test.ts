import { readFile, writeFile } from 'node:fs/promises'

import { beforeAll, describe, expect, test } from 'vitest'

import type { DedicatedSql } from '../server/platform/db/database.ts'
import { apiClient } from './harness/api-client.ts'
import {
  connectToEmbedded,
  newFolder,
  type Service,
  startService,
} from './harness/processes/bellhop-process.ts'

const CONTACTS = 100_000
const CONTACTS_PER_STATEMENT = 1_000
const LIMIT = 60 * 1024 * 1024

let service: Service
let sql: DedicatedSql
let key: string
let idle: number
/** Every phone number of the company, newest contact first. */
let newestFirst: string[]

beforeAll(async () => {
  const dataDir = await newFolder()
  // A single connection: a request that does not release it would block all others.
  const env = { BELLHOP_DATA_DIR: dataDir, DATABASE_POOL_SIZE: '1' }
  service = await startService({ env, cwd: dataDir })
  key = /bh_\w+-?[\w-]*/.exec(service.stdout())![0]
  sql = connectToEmbedded(dataDir)
  await sql`delete from contacts`
  // Without the triggers, which take most of the time: they only prepare searches.
  await sql`set session_replication_role to replica`
  for (let first = 1; first <= CONTACTS; first += CONTACTS_PER_STATEMENT)
    await sql`
      insert into contacts
        (company_id, phone, phone_formatted, name, email, company_name, note, searched_text, slice)
      select companies.id, '+45' || (20000000 + n), '+45 ' || (20000000 + n), 'Contact ' || n, n || '@example.com',
        'Company ' || n, repeat('Note. ', 20), repeat('note. ', 25),
        (select max(contact_slices.id) from contact_slices where company_id = companies.id)
      from companies, generate_series(${first}::integer, ${first + CONTACTS_PER_STATEMENT - 1}::integer) as n`
  await sql`reset session_replication_role`
  await sql`analyze contacts`
  const rows = await sql<{ phone: string }[]>`select phone from contacts order by id desc`
  newestFirst = rows.map((row) => row.phone)
  await apiClient(service.url, key).get('/company')
  idle = (await memory()).now
  return () => sql.end()
})

describe('the list of 100,000 contacts', () => {
  test('has each of them once, newest first, and takes less than 60 MB, however often it is read', async () => {
    await forgetPeak()
    for (let time = 0; time < 4; time++) expect(await readList()).toEqual(newestFirst)
    expect((await memory()).peak - idle).toBeLessThan(LIMIT)
  })

  test('takes less than 60 MB also for three concurrent reads', async () => {
    await forgetPeak()
    const lists = await Promise.all([readList(), readList(), readList()])
    for (const list of lists) expect(list).toEqual(newestFirst)
    expect((await memory()).peak - idle).toBeLessThan(LIMIT)
  })
})

async function readList(): Promise<string[]> {
  const { status, body } = await apiClient(service.url, key).get('/contacts')
  expect(status).toBe(200)
  return (body as { phone: string }[]).map((contact) => contact.phone)
}

async function memory(): Promise<{ now: number; peak: number }> {
  const status = await readFile(`/proc/${service.pid}/status`, 'utf8')
  const bytes = (name: string) => Number(new RegExp(`${name}:\\s*(\\d+) kB`).exec(status)![1]) * 1024
  return { now: bytes('VmRSS'), peak: bytes('VmHWM') }
}

/** Resets the kernel's peak. */
async function forgetPeak(): Promise<void> {
  await writeFile(`/proc/${service.pid}/clear_refs`, '5')
}
