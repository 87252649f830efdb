import type { DatabaseAddress } from './address.ts'
import { connect } from './database.ts'

/** Any number, the same in every process: who holds it looks for the database and creates it. */
const CREATION_LOCK = 7_205_592

/** `address` is of another database on the same server. Several processes may start on an empty one at once. */
export async function createDatabaseIfMissing(address: DatabaseAddress, name: string): Promise<void> {
  const sql = connect(address, { max: 1 })
  try {
    await sql`select pg_advisory_lock(${CREATION_LOCK})`
    const [found] = await sql`select from pg_database where datname = ${name}`
    // By default it would have the encoding of the server's locale.
    if (!found) await sql`create database ${sql(name)} encoding 'UTF8' template template0`
  } finally {
    await sql.end()
  }
}
