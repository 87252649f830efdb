import { beforeAll, expect, test } from 'vitest'

import { API_TURNS } from '../server/api/limits.ts'
import { openDatabase } from '../server/platform/db/database.ts'
import { cloneDatabase, type Harness, harness } from './harness/index.ts'

const POOL_SIZE = 10

let bellhop: Harness

beforeAll(async () => {
  bellhop = await harness({ DATABASE_POOL_SIZE: String(POOL_SIZE) }, { newDatabase })
})

/** With one connection more, for the lock of the test. */
async function newDatabase() {
  const { db, drop } = await cloneDatabase()
  await db.close()
  return { db: openDatabase(db.address, { poolSize: POOL_SIZE + 1 }), drop }
}

/** While `run` does its work, whatever reads contacts waits. */
async function whileContactsAreLocked(run: () => Promise<void>): Promise<void> {
  await bellhop.db.tx(async (tx) => {
    await tx`lock table contacts in access exclusive mode`
    await run()
  })
}

async function countWaitingForLocks(): Promise<number> {
  const [row] = await bellhop.db.sql<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  return row!.count
}

test('a burst of slow requests leaves connections to other companies, and none of it is refused', async () => {
  const [busy, quiet] = [await bellhop.newCompany(), await bellhop.newCompany()]
  let burst: Promise<{ status: number }[]> = Promise.resolve([])
  await whileContactsAreLocked(async () => {
    burst = Promise.all(Array.from({ length: 200 }, () => busy.api.get('/contacts')))
    await expect.poll(countWaitingForLocks, { timeout: 60_000 }).toBe(POOL_SIZE - API_TURNS.sparedConnections)
    for (let i = 0; i < 3; i++) expect((await quiet.api.get('/company')).status).toBe(200)
  })
  expect((await burst).map(({ status }) => status)).toEqual(Array.from({ length: 200 }, () => 200))
})

test('the requests of a company that has used much wait until those of others are answered', async () => {
  const [busy, quiet] = [await bellhop.newCompany(), await bellhop.newCompany()]
  const answered: string[] = []
  const ask = async (name: string, api: typeof busy.api, path: string) => {
    expect((await api.get(path)).status).toBe(200)
    answered.push(name)
  }
  const { clock } = bellhop
  // It takes longer than a company may without being busy.
  let first: Promise<unknown> = Promise.resolve()
  await whileContactsAreLocked(async () => {
    first = busy.api.get('/contacts')
    await expect.poll(countWaitingForLocks, { timeout: 60_000 }).toBe(1)
    clock.advance(API_TURNS.placeMs)
  })
  await first
  let asked: Promise<void>[] = []
  await whileContactsAreLocked(async () => {
    asked = [ask('quiet', quiet.api, '/contacts')]
    await expect.poll(countWaitingForLocks, { timeout: 60_000 }).toBe(1)
    // One of the busy company starts then, because it has not had a turn for a while; the others wait.
    clock.advance(API_TURNS.pauseMs)
    asked.push(ask('busy', busy.api, '/company'))
    await asked[1]
    for (let i = 0; i < 5; i++) asked.push(ask('busy', busy.api, '/company'))
    await ask('quiet', quiet.api, '/company')
  })
  await Promise.all(asked)
  expect(answered).toEqual(['busy', 'quiet', 'quiet', ...Array.from({ length: 5 }, () => 'busy')])
})
