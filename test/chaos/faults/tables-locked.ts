import { type Fault, untilDone } from './fault.ts'

const TABLES = [
  'contacts',
  'calls',
  'call_queue',
  'employees',
  'companies',
  'device_registrations',
  'messages',
  'message_attempts',
  'webhook_deliveries',
  'transfers',
  'edges',
]

/** Somebody holds a lock on a table: statements that need it wait, some of them until they time out. */
export const tablesLocked: Fault = {
  name: 'tables-locked',
  async run({ world: { stage }, chance, say, hold }) {
    const table = chance.pick(TABLES)
    say(table)
    const sql = stage.postgres.connect()
    try {
      await sql.begin(async (tx) => {
        await tx.unsafe(`lock table ${table} in access exclusive mode`)
        await hold(3_000, 36_000)
      })
    } catch {
      // Another fault broke the connection, and with it the lock.
    } finally {
      await untilDone(() => sql.end())
    }
  },
}
