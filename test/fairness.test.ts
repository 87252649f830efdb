import { beforeAll, expect, test } from 'vitest'

import { API_TURNS } from '../server/api/limits.ts'
import { openDatabase } from '../server/platform/db/database.ts'
import { cloneDatabase, type Harness, harness } from './harness/index.ts'
import { untilWaiting } from './harness/routes/insert-barrier.ts'

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

test('a burst of slow requests leaves connections to other companies, and none of it is refused', async () => {
  const [busy, quiet] = [await bellhop.newCompany(), await bellhop.newCompany()]
  let burst: Promise<{ status: number }[]> = Promise.resolve([])
  await bellhop.db.tx(async (tx) => {
    await tx`lock table contacts in access exclusive mode`
    burst = Promise.all(Array.from({ length: 200 }, () => busy.api.get('/contacts')))
    await untilWaiting(tx, POOL_SIZE - API_TURNS.sparedConnections)
    for (let i = 0; i < 3; i++) expect((await quiet.api.get('/company')).status).toBe(200)
  })
  expect((await burst).map(({ status }) => status)).toEqual(Array.from({ length: 200 }, () => 200))
})
