import { setTimeout as pause } from 'node:timers/promises'

import type { Fault } from './fault.ts'

const LIMITS = { everyMs: 50 }

/**
 * Running statements are cancelled with the error of a statement timeout (57014): one now and then, or each that is
 * seen.
 */
export const statementsTimeOut: Fault = {
  name: 'statements-time-out',
  async run({ world: { stage }, chance, say, hold }) {
    const share = chance.pick([0.2, 1])
    say(share === 1 ? 'all that are seen' : 'some')
    const sql = stage.postgres.connect()
    const over = new AbortController()
    const cancel = async () => {
      while (!over.signal.aborted) {
        await sql`
          select pg_cancel_backend(pid) from pg_stat_activity
          where usename = 'bellhop' and state = 'active' and random() < ${share}`.catch(() => {})
        await pause(LIMITS.everyMs)
      }
    }
    const cancelling = cancel()
    await hold(3_000, 12_000)
    over.abort()
    await cancelling
    await sql.end()
  },
}
