import type { Client } from 'pg'

import { throwWithCode } from './connection.ts'
import { createSql, nameOf, type Tx } from './sql.ts'
import { StatementGroup } from './statement-group.ts'

/** `mode` is such as `read only`. */
export async function transact<T>(client: Client, run: (tx: Tx) => Promise<T>, mode = ''): Promise<T> {
  let begun: Promise<unknown> | undefined
  let isOver = false
  let failure: unknown
  /** The statements of this tick. */
  let group: StatementGroup | undefined

  const flush = () => {
    group?.sendOn(client)
    group = undefined
  }

  /** The BEGIN is sent with the first statement: if it fails, PostgreSQL skips that. */
  function openGroup(): StatementGroup {
    const opened = new StatementGroup()
    if (!begun) {
      const text = `begin ${mode}`
      begun = opened.add({ name: nameOf(text), text, values: [] })
      // The statement after it fails too.
      begun.catch(() => {})
    }
    process.nextTick(flush)
    return opened
  }

  const tx = createSql<Tx>('transaction', async (statement) => {
    // A concurrent query in a failed transaction would run after the ROLLBACK, outside of any transaction.
    if (isOver) throw new Error('the transaction is over')
    const { name } = statement
    try {
      group ??= openGroup()
      if (name !== undefined) return await group.add({ ...statement, name })
      flush()
      await begun
      return await client.query(statement)
    } catch (error) {
      failure ??= error
      return throwWithCode(error as Error)
    }
  })

  try {
    const result = await run(tx)
    isOver = true
    if (!begun) return result
    flush()
    const { command } = await client.query('commit').catch(throwWithCode)
    // PostgreSQL rolls back if a query failed, even if its error was caught.
    if (command !== 'COMMIT') throw failure
    return result
  } catch (error) {
    isOver = true
    flush()
    // Fails only on a lost connection, on which PostgreSQL rolls back by itself.
    if (begun) await client.query('rollback').catch(() => {})
    throw error
  }
}
