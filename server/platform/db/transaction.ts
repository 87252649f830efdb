import type postgres from 'postgres'

import { connectionLost, type Line } from './line.ts'

type Tx = postgres.TransactionSql

/**
 * The driver sends its ROLLBACK or COMMIT also on a connection that is gone, and that ends the process
 * (github.com/porsager/postgres/issues/1208). So it never learns how the work on such a connection ended:
 * begin() itself rejects when the connection closes.
 */
export async function transact<T>(line: Line, run: (tx: Tx) => Promise<T>): Promise<T> {
  return (await line.sql.begin(async (tx) => {
    try {
      const result = await run(refusingOnceLost(tx, line))
      return line.lost ? never<T>() : result
    } catch (error) {
      if (line.lost) return never<T>()
      throw error
    }
  })) as T
}

/** Every way to send something is refused once the connection is gone. */
function refusingOnceLost(tx: Tx, line: Line): Tx {
  return new Proxy(tx, {
    apply(target, self, args) {
      if (line.lost) throw connectionLost()
      return Reflect.apply(target, self, args) as unknown
    },
  })
}

function never<T>(): Promise<T> {
  return new Promise(() => {})
}
