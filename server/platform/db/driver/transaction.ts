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
  const begin = control(`begin ${mode}`)
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
  /** The last group, until its condition is met: a Sync is missing. */
  let open: StatementGroup | undefined

  /** The BEGIN is sent with the first group: if it fails, PostgreSQL skips that. A single group is a transaction anyway. */
  function flush(): void {
    if (!group) return
    const current = group
    group = undefined
    // A statement that could not be written is missing in the group, which must not commit then.
    if (!isLastGroup || failure !== undefined) {
      if (!begun) {
        begun = current.addFirst(begin)
        ignoreFailure(begun)
      }
      current.sendOn(client)
      return
    }
    isOver = true
    if (isMet) {
      committed = current.done
      if (begun) ignoreFailure(current.add(COMMIT))
      if (condition) current.sendForEarlyResultsOn(client)
      else current.sendOn(client)
      return
    }
    open = current
    open.sendOpenOn(client)
    committed = condition!.then(commitOpen, async (error: unknown) => {
      await rollBackOpen()
      throw error
    })
    // It is awaited after the statements.
    committed.catch(() => {})
  }

  async function commitOpen(): Promise<void> {
    // It may have failed before.
    if (!open) return
    const last = open
    open = undefined
    if (begun) ignoreFailure(last.add(COMMIT))
    last.end()
    await last.done
  }

  async function rollBackOpen(): Promise<void> {
    if (!open) return
    const last = open
    open = undefined
    // Without a BEGIN, PostgreSQL would warn of the ROLLBACK in its log.
    if (!begun) {
      ignoreFailure(last.add(begin))
      ignoreFailure(last.add(ROLLBACK))
    }
    last.end()
    await last.done.catch(() => {})
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
    await rollBackOpen()
    flush()
    // Fails only on a lost connection, on which PostgreSQL rolls back by itself.
    if (begun) await client.query('rollback').catch(() => {})
    throw error
  }
}

const control = (text: string) => ({ name: nameOf(text), text, values: [] })
const [COMMIT, ROLLBACK] = [control('commit'), control('rollback')]

/** If it fails, so do the statements after it. */
function ignoreFailure(result: Promise<unknown>): void {
  result.catch(() => {})
}
