import { setTimeout as pause } from 'node:timers/promises'

import type { DatabaseAddress } from '../../../server/platform/db/address.ts'
import { migrate } from '../../../server/platform/db/migrate.ts'
import { BIG_TABLES } from '../../upgrade/big-tables.ts'
import { ask } from './database.ts'

/** A lock that keeps others from writing a table, or from reading it. */
export interface HeldLock {
  table: string
  mode: string
  ms: number
}

/** Modes that conflict with the writes of calls, texts and events. */
const MODES = ['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock']

const LOOK_MS = 3

/**
 * Migrates the filled database, and looks all the while at the locks of whoever migrates: returns the longest of each
 * table and mode. A statement that comes at the wrong moment waits for so long.
 */
export async function migrateAndWatch(address: DatabaseAddress) {
  const begun = new Map<string, number>()
  const longest = new Map<string, HeldLock>()
  const state = { isDone: false }
  const note = (key: string, now: number) => {
    const ms = now - begun.get(key)!
    begun.delete(key)
    const [table, mode] = key.split(' ') as [string, string]
    if (ms > (longest.get(key)?.ms ?? -1)) longest.set(key, { table, mode, ms })
  }
  const watch = ask(address, async (sql) => {
    let looks = 0
    while (!state.isDone) {
      const rows = await sql<{ key: string }[]>`
        select distinct relname || ' ' || mode as key
        from pg_locks join pg_class c on c.oid = relation join pg_stat_activity using (pid)
        where application_name = 'bellhop migrate' and granted and mode = any(${MODES}) and relname = any(${BIG_TABLES})`
      const now = performance.now()
      const held = new Set(rows.map(({ key }) => key))
      for (const key of begun.keys()) if (!held.has(key)) note(key, now)
      for (const key of held) if (!begun.has(key)) begun.set(key, now)
      looks++
      await pause(LOOK_MS)
    }
    for (const key of begun.keys()) note(key, performance.now())
    return looks
  })
  const since = performance.now()
  const applied = await migrate(address).finally(() => (state.isDone = true))
  const ms = performance.now() - since
  const looks = await watch
  return {
    applied,
    ms,
    lookEveryMs: ms / looks,
    locks: [...longest.values()].toSorted((a, b) => b.ms - a.ms),
  }
}
