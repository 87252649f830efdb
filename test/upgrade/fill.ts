import { expect, test } from 'vitest'

import { openDatabase } from '../../server/platform/db/database.ts'
import { migrate } from '../../server/platform/db/migrate.ts'
import { openPhoneSystem } from '../harness/calls/phone-system.ts'
import { startEmbeddingService } from '../harness/peers/embedding-service.ts'
import { startOutsidePostgres } from '../harness/processes/outside-postgres.ts'
import { KEYS } from './dump.ts'
import { fillCalls } from './fill-calls.ts'
import { fillRecords } from './fill-records.ts'
import { fillSignIn } from './fill-sign-in.ts'
import { fillTeam } from './fill-team.ts'
import { writeDump } from './write-dump.ts'

const postgres = await startOutsidePostgres()
const url = await postgres.newDatabase()

const embeddings = await startEmbeddingService()
const phoneSystem = await openPhoneSystem(
  {
    ...KEYS,
    BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1',
    EMBEDDINGS: 'openai',
    EMBEDDINGS_URL: embeddings.url,
    EMBEDDINGS_MODEL: 'few-words',
  },
  {},
  {
    async newDatabase() {
      await migrate({ url })
      return { db: openDatabase({ url }, { poolSize: 5 }), drop: () => postgres.stop() }
    },
  },
)

test('writes a dump of a database in which every table has rows', async () => {
  const { bellhop } = phoneSystem
  const company = await bellhop.newCompany({ messaging: true })
  const records = await fillRecords(bellhop, company)
  const people = await fillSignIn(bellhop, company)
  const carol = await fillTeam(bellhop, company)
  // Last, because the dump is taken during a conversation, while a caller waits.
  await fillCalls(phoneSystem, company, carol)

  expect(await emptyTables()).toEqual([])
  const api = { key: company.key, companyId: company.companyId, employeeId: company.employeeId }
  const at = bellhop.clock.now().toISOString()
  await writeDump(url, { at, api, ...records, ...people })
})

async function emptyTables(): Promise<string[]> {
  const { sql } = phoneSystem.bellhop.db
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`
  const empty: string[] = []
  for (const { name } of tables) {
    const [row] = await sql`select from ${sql(name)} limit 1`
    if (!row) empty.push(name)
  }
  return empty
}
