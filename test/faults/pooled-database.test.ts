import { expect, test } from 'vitest'

import { openDatabase } from '../../server/platform/db/database.ts'
import { migrate } from '../../server/platform/db/migrate.ts'
import { callIs, followCallEvents } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { openCable } from '../harness/peers/cable-socket.ts'
import { startOutsidePostgres } from '../harness/processes/outside-postgres.ts'
import { startPgBouncer } from '../harness/processes/pgbouncer.ts'

const SESSIONS = 2
const postgres = await startOutsidePostgres()
const direct = { url: await postgres.newDatabase() }
const address = { url: await startPgBouncer(direct.url, { sessions: SESSIONS }), direct }

test('on PgBouncer in transaction mode, calls, webhooks and the live channel work', async () => {
  const { bellhop, dial, hire } = await openPhoneSystem(
    { BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' },
    {},
    {
      async newDatabase() {
        await migrate(address)
        return { db: openDatabase(address, { poolSize: 5 }), drop: async () => {} }
      },
    },
  )
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const told = await followCallEvents(bellhop, company)
  const cable = await openCable(bellhop.url, { key: company.key })
  await cable.subscribe()
  const customer = await dial(number)
  await customer.connected()
  const phone = await anna.rings()
  await phone.answer()
  await Promise.all([customer.hears(700), phone.hears(440)])
  await callIs(company, 'bridged')
  customer.hangUp()
  await callIs(company, 'ended')
  expect((await told()).map(({ event }) => event)).toEqual([
    'call.initiated',
    'call.queued',
    'call.answered',
    'call.ended',
  ])
  await cable.message()
})

test('clients that share two sessions get their own rows, in statements and transactions', async () => {
  const db = openDatabase(address, { poolSize: 8 })
  const pids = new Set<number>()
  const work = async (serial: number) => {
    const [alone] = await db.sql`select ${serial}::int as serial`
    const within = await db.tx(async (tx) => {
      const [first, second] = await Promise.all([
        tx`select ${serial}::int as serial, pg_backend_pid() as pid`,
        tx`select ${`text ${serial}`}::text as text`,
      ])
      const [last] = await tx`select ${serial}::int as serial, pg_backend_pid() as pid`
      pids.add(last!.pid)
      return { first: first[0], second: second[0], last }
    })
    const session = { serial, pid: within.last!.pid }
    expect(alone).toEqual({ serial })
    expect(within).toEqual({ first: session, second: { text: `text ${serial}` }, last: session })
  }
  await Promise.all(Array.from({ length: 200 }, (_, serial) => work(serial)))
  expect(pids.size).toBe(SESSIONS)
  await db.close()
})
