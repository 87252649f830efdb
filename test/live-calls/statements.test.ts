import { afterAll, expect, inject, test } from 'vitest'

import { openDatabase } from '../../server/platform/db/database.ts'
import { startEdge } from '../../server/roles/edge.ts'
import { eventually } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { startPostgresProxy } from '../harness/processes/postgres-proxy.ts'

/** Heartbeats, and the search for edges and phones that are gone. */
const BACKGROUND =
  /edges set alive_at|edges where\s+alive_at|edges order by alive_at|device_registrations\s+where\s+expires_at|edge_commands/
/** Of a call into the queue that is answered. Statements are most of what such a call costs. */
const CEILING = { statements: 13, writes: 7 }

const phoneSystem = await openPhoneSystem()
const { bellhop, dial } = phoneSystem

/** An edge whose statements are counted. */
const server = inject('postgres')
const proxy = await startPostgresProxy(`${server.host}/.s.PGSQL.${server.port}`)
const { database } = bellhop.db.address as { database: string }
const db = openDatabase({ ...proxy.address, user: server.user, database }, { poolSize: 5 })
const edge = await startEdge({ ...bellhop.parts, db })
phoneSystem.connectCarrier('counted', edge.port)
afterAll(async () => {
  await edge.stop()
  await db.close()
})

test('a call into the queue, to its end, takes few statements and few writes if nobody follows it', async () => {
  const company = await bellhop.newCompany()
  const anna = await phoneSystem.hireAt(edge.port)(company, 'Anna', 700)
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const ended = async () => {
    const [row] = await bellhop.db.sql<{ count: number }[]>`
      select count(*)::int as count from calls where company_id = ${company.companyId} and state = 'ended'`
    return row!.count
  }

  async function call() {
    const before = { ended: await ended(), writes: proxy.sent().length }
    const customer = await dial(number, { over: 'counted' })
    await customer.connected()
    const phone = await anna.rings()
    await phone.answer()
    await Promise.all([customer.hears(700), phone.hears(440)])
    customer.hangUp()
    await phone.ended()
    await eventually(async () => expect(await ended()).toBe(before.ended + 1))
    return proxy
      .sent()
      .slice(before.writes)
      .map((write) => write.filter((statement) => !BACKGROUND.test(statement)))
      .filter((write) => write.length > 0)
  }

  // All statements of the second call are prepared already.
  await call()
  const writes = await call()
  expect(writes.flat().length, writes.flat().join('\n')).toBeLessThanOrEqual(CEILING.statements)
  expect(writes.length).toBeLessThanOrEqual(CEILING.writes)
})
