import type { Sql } from '../../platform/db/database.ts'

export interface DatabaseSession {
  applicationName: string
  /** Null on a Unix socket. */
  address: string | null
}

/** The connections of this role to this database: PostgreSQL hides the names of other roles' connections. */
export async function selectSessions(sql: Sql): Promise<DatabaseSession[]> {
  return sql<DatabaseSession[]>`
    select application_name as "applicationName", host(client_addr) as address from pg_stat_activity
    where datname = current_database() and usename = current_user and pid <> pg_backend_pid()`
}

/** As people write it, and as a number that can be compared. */
export async function selectServerState(sql: Sql): Promise<{ version: string; versionNumber: number }> {
  const [row] = await sql<{ version: string; versionNumber: number }[]>`
    select split_part(current_setting('server_version'), ' ', 1) as version,
      current_setting('server_version_num')::int as "versionNumber"`
  return row!
}

export async function selectNow(sql: Sql): Promise<Date> {
  const [row] = await sql<{ now: Date }[]>`select clock_timestamp() as now`
  return row!.now
}
