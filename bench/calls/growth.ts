/**
 * Claim: a call costs PostgreSQL the same after a day's calls as on the first morning: live state leaves nothing behind
 * that later calls step over, and no statement reads history. A call is what its steps write: it starts, waits in the
 * queue, is answered by its employee and ends. Compared is the CPU time of PostgreSQL in calls a core-second, around
 * the 10,000th call of one database and around the 500th of another one on the same server, in turns. Vacuum runs as it
 * does in an installation, and its time counts.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import {
  answerCall,
  endCall,
  queueCall,
  setCallState,
  startInboundCall,
} from '../../server/modules/calls/index.ts'
import { createCompany } from '../../server/modules/company/index.ts'
import { createDevice } from '../../server/modules/devices/index.ts'
import { createEmployeeWithPassword } from '../../server/modules/employees/index.ts'
import { addNumber } from '../../server/modules/numbers/index.ts'
import { createVault, randomToken } from '../../server/platform/crypto/crypto.ts'
import { createDatabaseIfMissing } from '../../server/platform/db/create-database.ts'
import { type Database, openDatabase } from '../../server/platform/db/database.ts'
import { migrate } from '../../server/platform/db/migrate.ts'
import { withFixture } from '../fixture.ts'
import { type Bench, compare, type Contender } from '../measure.ts'

const CALLS = { old: 10_000, young: 500, perTurn: 60 }
const ROUNDS = 10
const LINES = 40
/** Calls that run at once. */
const AT_ONCE = 8

export const growth: Bench = {
  name: 'growth',
  run: () =>
    withFixture(async ({ db, sql }) => {
      const young = await openAnother(db)
      try {
        const postgresMs = cpuOf(await postmasterOf(sql))
        const aged = await startCalls(db)
        const fresh = await startCalls(young)
        await aged(CALLS.old - (ROUNDS / 2) * CALLS.perTurn)
        await fresh(CALLS.young - (ROUNDS / 2) * CALLS.perTurn)
        const contender =
          (call: (count: number) => Promise<void>): Contender =>
          async () => {
            const before = postgresMs()
            await call(CALLS.perTurn)
            return (CALLS.perTurn / (postgresMs() - before)) * 1_000
          }
        const timing = { warmUpMs: 1, roundMs: 1, rounds: ROUNDS }
        const comparison = await compare(contender(aged), contender(fresh), timing)
        return [
          {
            what: 'calls that a core of PostgreSQL stores in a second',
            sides: [`after ${CALLS.old} calls:`, `after ${CALLS.young} calls:`],
            goal: 0.87,
            ...comparison,
          },
        ]
      } finally {
        await young.close()
      }
    }),
}

async function openAnother({ address }: Database): Promise<Database> {
  if ('url' in address) throw new Error('the bench has an embedded database')
  const other = { ...address, database: 'young' }
  await createDatabaseIfMissing(address, other.database)
  await migrate(other)
  return openDatabase(other, { poolSize: 10 })
}

/** A company whose numbers have an employee each, with a phone; returns how to make calls to them, several at once. */
async function startCalls(db: Database): Promise<(count: number) => Promise<void>> {
  const [edge] = await db.sql<{ id: string }[]>`
    insert into edges (sip_host, sip_port, alive_at) values ('127.0.0.1', 1, now() + interval '1 hour') returning id`
  const edgeId = edge!.id
  const lines = await db.tx(async (tx) => {
    const { id: companyId } = await createCompany(tx, { name: 'Growth', country: 'DK' })
    const made = []
    for (let line = 0; line < LINES; line++) {
      const employee = { name: `Employee ${line}`, email: `${line}@growth.example`, password: randomToken() }
      const { id: employeeId } = await createEmployeeWithPassword(tx, { companyId }, employee, neverSignsIn)
      const number = { name: `Line ${line}`, number: `+45${31_000_000 + line}`, language: 'en' } as const
      const { id: numberId } = await addNumber(tx, companyId, number)
      const device = await createDevice(tx, createVault('bench'), employeeId, {})
      await tx`
        insert into device_registrations (company_id, employee_id, device_id, username, key, edge_id, binding, expires_at)
        select ${companyId}, ${employeeId}, id, ${device.username}, 'key', ${edgeId}, '{}', now() + interval '1 hour'
        from devices where username = ${device.username}`
      made.push({ companyId, employeeId, numberId, remoteNumber: `+45${20_000_000 + line}` })
    }
    return made
  })
  const call = async ({ companyId, employeeId, numberId, remoteNumber }: (typeof lines)[number]) => {
    const at = new Date()
    const start = { companyId, numberId, edgeId, remoteNumber, startedAt: at }
    const ref = { companyId, callId: await db.tx((tx) => startInboundCall(tx, start)) }
    await db.tx((tx) => setCallState(tx, ref, 'playing_audio'))
    const place = { numberId, edgeId, employeeIds: [employeeId], joinedAt: at, isFirst: true }
    await db.tx((tx) => queueCall(tx, ref, place))
    await db.tx((tx) => answerCall(tx, ref, { employeeId, at, state: 'bridged', recording: 'off' }))
    await db.tx((tx) => endCall(tx, ref, { at, reason: 'customer_hung_up' }))
  }
  return async (count) => {
    let next = 0
    const keepCalling = async () => {
      while (next < count) await call(lines[next++ % LINES]!)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, keepCalling))
  }
}

/** In place of a hash, which takes longer than everything else here. */
const neverSignsIn = () => Promise.resolve('none')

async function postmasterOf(sql: Database['sql']): Promise<number> {
  const [row] = await sql<{ dir: string }[]>`select current_setting('data_directory') as dir`
  return Number(readFileSync(join(row!.dir, 'postmaster.pid'), 'utf8').split('\n')[0])
}

/** CPU time of PostgreSQL so far: of its processes, which are all children of the postmaster, and of those that ended. */
function cpuOf(postmaster: number): () => number {
  const seen = new Map<string, number>()
  return () => {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const parent = readProcess(pid, 'stat').split(') ')[1]?.split(' ')[1]
      if (Number(parent) !== postmaster && Number(pid) !== postmaster) continue
      const spent = Number(readProcess(pid, 'schedstat').split(' ', 1)[0]) / 1e6
      if (spent > 0) seen.set(pid, spent)
    }
    return [...seen.values()].reduce((sum, ms) => sum + ms, 0)
  }
}

/** Empty if it has ended. */
function readProcess(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
}
