import type postgres from 'postgres'

import { connectionLost, type DatabaseConnection } from './connection.ts'

type Tx = postgres.TransactionSql

/**
 * The driver sends ROLLBACK or COMMIT even on a lost connection, and that ends the process
 * (github.com/porsager/postgres/issues/1208). So it never learns how the work on such a connection ended: begin()
 * itself rejects when the connection closes.
 */
export async function transact<T>(line: DatabaseConnection, run: (tx: Tx) => Promise<T>): Promise<T> {
  return (await line.sql.begin(async (tx) => {
    let isOver = false
    const refusal = () => (line.lost ? connectionLost() : isOver ? transactionOver() : undefined)
    try {
      const result = await run(refusing(tx, refusal))
      return line.lost ? never<T>() : result
    } catch (error) {
      if (line.lost) return never<T>()
      throw error
    } finally {
      isOver = true
    }
  })) as T
}

/** Rejects every query once there is a reason to. */
function refusing(tx: Tx, refusal: () => Error | undefined): Tx {
  return new Proxy(tx, {
    apply(target, self, args) {
      const error = refusal()
      if (error) throw error
      return Reflect.apply(target, self, args) as unknown
    },
  })
}

/** A concurrent query in a failed transaction would otherwise run after the ROLLBACK, outside of any transaction. */
function transactionOver(): Error {
  return new Error('the transaction is over')
}

function never<T>(): Promise<T> {
  return new Promise(() => {})
}
