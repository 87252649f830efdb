import net from 'node:net'

import type postgres from 'postgres'

type Sql = postgres.Sql

/** One connection to PostgreSQL, opened when it is first used. */
export interface Line {
  readonly sql: Sql
  /** True from the moment the connection is gone, before anyone who waited for its answers is told. */
  readonly lost: boolean
  close(): Promise<void>
}

interface LineOptions {
  connect(options: postgres.Options<{}>): Sql
  /** What to wait for before dialling. */
  pause(): Promise<void>
  onLost(): void
  closeSeconds: number
}

/** What the driver hands to a `socket` option of ours. */
interface Dialled {
  path: string | false
  host: string[]
  port: number[]
}

/**
 * The driver (postgres.js 3.4.9) uses the state of a lost connection for the next one: bytes that were never
 * sent, queries that were never answered, a write timer that no longer runs. Then a query hangs for ever, or
 * each new connection times out (github.com/porsager/postgres issues 1133, 1193, 1216). So each connection has
 * a driver of its own, which may dial once and ends with it: all that still waits in it is rejected.
 */
export function openLine({ connect, pause, onLost, closeSeconds }: LineOptions): Line {
  let dials = 0
  let lost = false
  const end = () => {
    if (lost) return
    lost = true
    // Nothing is left to end but the driver's own memory of it.
    sql.end({ timeout: 0 }).catch(() => {})
    onLost()
  }
  const dial = async ({ path, host, port }: Dialled): Promise<net.Socket> => {
    const attempt = dials++
    await pause()
    // Several hosts in the address are tried in their order.
    if (lost || attempt >= host.length) {
      end()
      // With more than one host the driver would wait for the next instead of giving up.
      host.length = 1
      throw connectionLost()
    }
    if (path) return net.connect(path)
    // The driver checks a certificate against the socket's `host`.
    return Object.assign(net.connect(port[attempt]!, host[attempt]), { host: host[attempt] })
  }
  // `socket` is documented by the driver, but missing in its types. A planned end is a loss too, so there is none.
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
