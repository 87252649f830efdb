import type { Client } from 'pg'

import { throwWithCode } from './connection.ts'
import { createSql, type Tx } from './sql.ts'

/** `mode` is such as `read only`. */
export async function transact<T>(client: Client, run: (tx: Tx) => Promise<T>, mode = ''): Promise<T> {
  let isOver = false
  let failure: unknown
  const tx = createSql<Tx>('transaction', async (statement) => {
    // A concurrent query in a failed transaction would run after the ROLLBACK, outside of any transaction.
    if (isOver) throw new Error('the transaction is over')
    return client
      .query(statement)
      .catch(throwWithCode)
      .catch((error: unknown) => {
        failure ??= error
        throw error
      })
  })
  await client.query(`begin ${mode}`).catch(throwWithCode)
  try {
    const result = await run(tx)
    isOver = true
    const { command } = await client.query('commit').catch(throwWithCode)
    // PostgreSQL rolls back if a query failed, even if its error was caught.
    if (command !== 'COMMIT') throw failure
    return result
  } catch (error) {
    isOver = true
    // Fails only on a lost connection, on which PostgreSQL rolls back by itself.
    await client.query('rollback').catch(() => {})
    throw error
  }
}
