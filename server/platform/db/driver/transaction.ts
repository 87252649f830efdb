import type { Client } from 'pg'

import { throwWithCode } from './connection.ts'
import { createSql, nameOf, type Tx } from './sql.ts'
import { StatementGroup } from './statement-group.ts'

interface TransactionOptions {
  /** Such as `read only`. */
  mode?: string
  mayCommitEarly?: boolean
}

export async function transact<T>(
  client: Client,
  run: (tx: Tx) => Promise<T>,
  { mode = '', mayCommitEarly = false }: TransactionOptions = {},
): Promise<T> {
  let begun: Promise<unknown> | undefined
  let isOver = false
  let failure: unknown
  /** The statements of this tick. */
  let group: StatementGroup | undefined
  let isLastGroup = false
  let committed: Promise<void> | undefined

  /** The BEGIN is sent with the first group: if it fails, PostgreSQL skips that. A single group is a transaction anyway. */
  function flush(): void {
    if (!group) return
    // A statement that could not be written is missing in the group, which must not commit then.
    if (isLastGroup && failure === undefined) {
      isOver = true
      committed = group.done
      // If it fails, so does the group.
      if (begun) group.add(COMMIT).catch(() => {})
    } else if (!begun) {
      const text = `begin ${mode}`
      begun = group.addFirst({ name: nameOf(text), text, values: [] })
      // The statements after it fail too.
      begun.catch(() => {})
    }
    group.sendOn(client)
    group = undefined
  }

  function openGroup(): StatementGroup {
    process.nextTick(flush)
    return new StatementGroup()
  }

  const sql = createSql<Tx>('transaction', async (statement) => {
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

  const commitNow = () => {
    if (!mayCommitEarly) throw new Error('the transaction may have more statements')
    isLastGroup = true
  }

  try {
    const result = await run(Object.assign(sql, { mayCommitEarly, commitNow }))
    if (committed) {
      await committed.catch(throwWithCode)
      return result
    }
    isOver = true
    if (!begun) return result
    flush()
    const { command } = await client.query('commit').catch(throwWithCode)
    // PostgreSQL rolls back if a query failed, even if its error was caught.
    if (command !== 'COMMIT') throw failure
    return result
  } catch (error) {
    isOver = true
    isLastGroup = false
    flush()
    // Fails only on a lost connection, on which PostgreSQL rolls back by itself.
    if (begun) await client.query('rollback').catch(() => {})
    throw error
  }
}

const COMMIT = { name: nameOf('commit'), text: 'commit', values: [] }
