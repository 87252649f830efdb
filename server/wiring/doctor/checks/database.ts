import { OLDEST_SERVER_VERSION, readMigrationState } from '../../../platform/db/migrate.ts'
import type { Check } from '../check.ts'
import { ok, problem } from '../finding.ts'
import { selectServerState } from '../queries.ts'

/** Reachable, of a supported version, and migrated. */
export const database: Check = {
  name: 'database',
  async run({ database }) {
    if (!database.isOpen) return [database.finding]
    const { version, versionNumber } = await selectServerState(database.sql)
    if (versionNumber < OLDEST_SERVER_VERSION)
      return [
        problem(
          `PostgreSQL ${version} is too old.`,
          'Upgrade it to PostgreSQL 14 or newer, or use the embedded one.',
        ),
      ]
    const { pending, unknown, changed } = await readMigrationState(database.sql)
    if (unknown.length > 0)
      return [
        problem(
          `The database is newer than this Bellhop: it has ${unknown.join(', ')}.`,
          'Install the version of Bellhop that migrated it, or a newer one.',
        ),
      ]
    if (changed.length > 0)
      return [
        problem(
          `These migrations were changed after they were applied: ${changed.join(', ')}.`,
          'Restore the files of db/migrations of this version of Bellhop.',
        ),
      ]
    if (pending.length > 0) return [notMigrated(pending)]
    return [ok(`PostgreSQL ${version} responds, and no migration is pending.`)]
  },
}

const notMigrated = (pending: string[]) =>
  problem(
    `${pending.length === 1 ? 'A migration is' : `${pending.length} migrations are`} pending, from ${pending[0]} on.`,
    'Run `bellhop migrate`, or restart Bellhop: every start migrates the database.',
  )
