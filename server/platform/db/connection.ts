import net from 'node:net'

import type postgres from 'postgres'

type Sql = postgres.Sql

/** One connection to PostgreSQL, opened on first use. */
export interface DatabaseConnection {
  readonly sql: Sql
  /** True as soon as the connection is lost, before its pending queries are rejected. */
  readonly lost: boolean
  close(): Promise<void>
}

interface ConnectionOptions {
  connect(options: postgres.Options<{}>): Sql
  /** Awaited before connecting. */
  pause(): Promise<void>
  onLost(): void
  closeSeconds: number
}

/** What the driver passes to our `socket` option. */
interface Dialled {
  path: string | false
  host: string[]
  port: number[]
}

/**
 * The driver (postgres.js 3.4.9) reuses the state of a lost connection for the next one: bytes that were never sent,
 * queries without a result, a write timer that has stopped. Then a query hangs for ever, or each new connection times
 * out (github.com/porsager/postgres issues 1133, 1193, 1216). So each connection has its own driver, which may
 * connect once: all that is pending is rejected with it.
 */
export function openConnection({
  connect,
  pause,
  onLost,
  closeSeconds,
}: ConnectionOptions): DatabaseConnection {
  let dials = 0
  let lost = false
  const end = () => {
    if (lost) return
    lost = true
    // The connection is already gone; this only frees the driver.
    sql.end({ timeout: 0 }).catch(() => {})
    onLost()
  }
  const dial = async ({ path, host, port }: Dialled): Promise<net.Socket> => {
    const attempt = dials++
    await pause()
    // Several hosts in the address are tried in order.
    if (lost || attempt >= host.length) {
      end()
      // With more than one host, the driver would wait for the next instead of failing.
      host.length = 1
      throw connectionLost()
    }
    if (path) return net.connect(path)
    // The driver verifies the certificate against the socket's `host`.
    return Object.assign(net.connect(port[attempt]!, host[attempt]), { host: host[attempt] })
  }
  // `socket` is documented, but missing in the driver's types. max_lifetime would count as a loss, so it is off.
  const options: postgres.Options<{}> & { socket: typeof dial } = {
    max: 1,
    max_lifetime: null,
    onclose: end,
    socket: dial,
  }
  const sql = connect(options)
  return {
    sql,
    get lost() {
      return lost
    },
    close: () => sql.end({ timeout: closeSeconds }),
  }
}

export function connectionLost(): Error {
  return Object.assign(new Error('the connection to PostgreSQL was lost'), { code: 'CONNECTION_CLOSED' })
}
