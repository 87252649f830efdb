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
  /** Must be fulfilled before the last group commits. */
  let condition: Promise<unknown> | undefined
  let isMet = true
  let committed: Promise<void> | undefined
  let isRolledBack = false

  /** The BEGIN is sent with the first group: if it fails, PostgreSQL skips that. A single group is a transaction anyway. */
  function flush(): void {
    if (!group) return
    // A statement that could not be written is missing in the group, which must not commit then.
    const commits = isLastGroup && failure === undefined
    if (commits && isMet) {
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
    if (!commits || isMet) return
    isOver = true
    committed = condition!.then(commit)
    // It is awaited after the statements.
    committed.catch(() => {})
  }

  /** Does not wait for the statements before it. */
  async function commit(): Promise<void> {
    // After a ROLLBACK the connection is somebody else's.
    if (isRolledBack) return
    const last = new StatementGroup()
    const done = last.add(COMMIT)
    last.sendOn(client)
    await done
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

  const commitNow = (once?: Promise<unknown>) => {
    if (!mayCommitEarly) throw new Error('the transaction may have more statements')
    isLastGroup = true
    if (!once) return
    condition = once
    isMet = false
    const meet = () => (isMet = true)
    once.then(meet, () => {})
  }

  try {
    const result = await run(Object.assign(sql, { mayCommitEarly, commitNow }))
    if (committed) {
      await condition
      await committed.catch(throwWithCode)
      if (failure !== undefined) throw failure
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
    isRolledBack = true
    flush()
    // Fails only on a lost connection, on which PostgreSQL rolls back by itself.
    if (begun) await client.query('rollback').catch(() => {})
    throw error
  }
}

const COMMIT = { name: nameOf('commit'), text: 'commit', values: [] }
