import type postgres from 'postgres'

type Sql = postgres.Sql
type Tx = postgres.TransactionSql

/**
 * The driver sends its ROLLBACK or COMMIT also on a connection that is gone, and that ends the process
 * (github.com/porsager/postgres/issues/1208). So it never learns how the work on such a connection ended:
 * begin() itself rejects when the connection closes.
 */
export async function transact<T>(sql: Sql, run: (tx: Tx) => Promise<T>): Promise<T> {
  let gone: unknown
  const outcome = sql.begin(async (tx) => {
    try {
      const result = await run(refusingOnce(tx, () => gone))
      return gone ? never<T>() : result
    } catch (error) {
      if (gone || endsConnection(error)) return never<T>()
      throw error
    }
  })
  outcome.catch((error: unknown) => (gone = error))
  return (await outcome) as T
}

/** Every way to send something is refused once there is a reason to. */
function refusingOnce(tx: Tx, reason: () => unknown): Tx {
  return new Proxy(tx, {
    apply(target, self, args) {
      if (reason()) throw reason()
      return Reflect.apply(target, self, args) as unknown
    },
  })
}

const LOST_CONNECTION = /^(CONNECTION_CLOSED|CONNECTION_DESTROYED|ECONNRESET|EPIPE)$/

/** After a FATAL of PostgreSQL (it shuts down, say) the connection closes too. */
function endsConnection(error: unknown): boolean {
  const { code, severity } = (error ?? {}) as { code?: string; severity?: string }
  return LOST_CONNECTION.test(code ?? '') || severity === 'FATAL' || severity === 'PANIC'
}

function never<T>(): Promise<T> {
  return new Promise(() => {})
}
