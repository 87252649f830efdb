import postgres from 'postgres'

import { systemClock } from '../clock.ts'
import { PLATFORM_LIMITS } from '../limits.ts'
import type { DatabaseAddress } from './address.ts'
import { arrayTypes } from './array-types.ts'
import { openConnection } from './connection.ts'
import { openPool } from './pool.ts'
import { transact } from './transaction.ts'

export type Sql = postgres.Sql
export type Tx = postgres.TransactionSql
/** The pool, or a transaction. */
export type Queryable = Sql | Tx

export interface Database {
  sql: Sql
  address: DatabaseAddress
  /** All of `run` commits, or nothing. */
  tx<T>(run: (tx: Tx) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export function openDatabase(address: DatabaseAddress, { poolSize }: { poolSize: number }): Database {
  let lostAt = -Infinity
  const pause = () =>
    new Promise<void>((resolve) => {
      const sinceMs = systemClock.now().getTime() - lostAt
      if (sinceMs > PLATFORM_LIMITS.redialMs) resolve()
      else systemClock.after(PLATFORM_LIMITS.redialMs, resolve)
    })
  const pool = openPool(poolSize, (onLost) =>
    openConnection({
      connect: (options) => connect(address, options),
      closeSeconds: PLATFORM_LIMITS.closeSeconds,
      pause,
      onLost() {
        lostAt = systemClock.now().getTime()
        onLost()
      },
    }),
  )
  return {
    sql: pool.sql,
    address,
    tx: (run) => pool.alone((line) => transact(line, run)),
    close: pool.close,
  }
}

/** Settings of every connection. */
export const SESSION_SETTINGS = {
  application_name: 'bellhop',
  statement_timeout: PLATFORM_LIMITS.statementMs,
  idle_in_transaction_session_timeout: PLATFORM_LIMITS.idleInTransactionMs,
}

export function connect(address: DatabaseAddress, options: postgres.Options<{}>): Sql {
  const settings: postgres.Options<{}> = {
    onnotice: () => {},
    fetch_types: false,
    types: arrayTypes,
    connect_timeout: PLATFORM_LIMITS.connectSeconds,
    backoff: (failures) => Math.min(0.05 * 2 ** failures, PLATFORM_LIMITS.reconnectSeconds),
    connection: SESSION_SETTINGS,
    ...options,
  }
  if ('url' in address) return postgres(address.url, settings)
  // The local socket needs no password.
  return postgres({ ...settings, ...address, password: '' })
}

/** The columns of an update, with the time of the change; without columns nothing changes. */
export function updateColumns(tx: Tx, values: object) {
  const changedAt = Object.keys(values).length > 0 ? tx`now()` : tx`updated_at`
  return tx({ ...values, updated_at: changedAt as never })
}

/** Whether the error is a violation of the named constraint or unique index. */
export function violatesConstraint(error: unknown, constraint: string): boolean {
  return error instanceof postgres.PostgresError && error.constraint_name === constraint
}
