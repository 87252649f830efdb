import { type Client, type ClientConfig, DatabaseError } from 'pg'

import { systemClock, systemPause } from '../clock.ts'
import { PLATFORM_LIMITS } from '../limits.ts'
import type { DatabaseAddress } from './address.ts'
import { openConnection, throwWithCode } from './driver/connection.ts'
import { openPool } from './driver/pool.ts'
import { createSql, type Send, type Sql, type Statement, type Tx } from './driver/sql.ts'
import { StatementGroup } from './driver/statement-group.ts'
import { transact } from './driver/transaction.ts'

export type { Fragment, Queryable, Sql, Tx } from './driver/sql.ts'

export interface Database {
  sql: Sql
  address: DatabaseAddress
  /** All of `run` commits, or nothing. */
  tx<T>(run: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * The same. `run` may send its last statements with `commitNow`, which saves a round trip. If they have to be followed
   * by others, they call `refuse_early_commit()`, and `run` is repeated in an ordinary transaction.
   */
  step<T>(run: (tx: Tx) => Promise<T>): Promise<T>
  /** Connections that nothing uses at the moment. */
  countIdle(): number
  close(): Promise<void>
}

/** Connections of one purpose, with settings of their own. */
export interface DedicatedSql extends Sql {
  begin<T>(run: (tx: Tx) => Promise<T>, mode?: string): Promise<T>
  step: Database['step']
  countIdle(): number
  end(): Promise<void>
}

/** Of the database function `refuse_early_commit`. */
const EARLY_COMMIT_REFUSED = 'BH001'

export function openDatabase(address: DatabaseAddress, { poolSize }: { poolSize: number }): Database {
  const sql = connect(address, { max: poolSize })
  return { sql, address, tx: sql.begin, step: sql.step, countIdle: sql.countIdle, close: sql.end }
}

export function connect(
  address: DatabaseAddress,
  {
    max,
    idleMs = PLATFORM_LIMITS.idleConnectionMs,
    ...settings
  }: ClientConfig & { max: number; idleMs?: number },
): DedicatedSql {
  let lostAt = -Infinity
  const pool = openPool({ size: max, idleMs }, async ({ sockets, onLost: forget }) => {
    if (systemClock.now().getTime() - lostAt <= PLATFORM_LIMITS.redialMs)
      await systemPause(PLATFORM_LIMITS.redialMs)
    const onLost = () => {
      lostAt = systemClock.now().getTime()
      forget()
    }
    const opening = openConnection(address, { settings, sockets, onLost })
    opening.catch(onLost)
    return opening
  })
  const sql = createSql<Sql>('pool', (statement) =>
    pool.share((client) => runAlone(client, statement).catch(throwWithCode)),
  )
  const begin: DedicatedSql['begin'] = (run, mode) =>
    pool.reserve((client) => transact(client, run, { mode }))
  const step: Database['step'] = async (run) => {
    try {
      return await pool.reserve((client) => transact(client, run, { mayCommitEarly: true }))
    } catch (error) {
      if ((error as { code?: string }).code !== EARLY_COMMIT_REFUSED) throw error
      return begin(run)
    }
  }
  return Object.assign(sql, { begin, step, countIdle: pool.countIdle, end: pool.close })
}

function runAlone(client: Client, { name, ...statement }: Statement): ReturnType<Send> {
  if (name === undefined) return client.query(statement)
  const group = new StatementGroup()
  const result = group.add({ name, ...statement })
  group.sendOn(client)
  return result
}

/** The columns of an update, with the time of the change; without columns nothing changes. */
export function updateColumns(tx: Tx, values: object) {
  const changedAt = Object.keys(values).length > 0 ? tx`now()` : tx`updated_at`
  return tx({ ...values, updated_at: changedAt })
}

/** Whether the error is a violation of the named constraint or unique index. */
export function violatesConstraint(error: unknown, constraint: string): boolean {
  return error instanceof DatabaseError && error.constraint === constraint
}
