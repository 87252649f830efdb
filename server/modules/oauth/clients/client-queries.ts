import type { Queryable, Sql, Tx } from '../../../platform/db/database.ts'
import { firstRow, oneRow, oneValue } from '../../../platform/db/rows.ts'

export interface ClientRow {
  id: string
  name: string
  redirect_uris: string[]
  first_party: boolean
  metadata_url: string | null
  metadata_read_at: Date | null
  /** When somebody first consented to it. */
  used_at: Date | null
  created_at: Date
}

const columns = (sql: Queryable) =>
  sql`id, name, redirect_uris, first_party, metadata_url, metadata_read_at, used_at, created_at`

interface NewClient {
  name: string
  redirect_uris: string[]
  first_party?: boolean
  registered_from?: string
  created_at?: Date
}

export function insertClient(tx: Tx, values: NewClient) {
  return oneRow(tx<ClientRow[]>`insert into oauth_clients ${tx({ ...values })} returning ${columns(tx)}`)
}

export function selectClient(sql: Queryable, id: string) {
  return firstRow(sql<ClientRow[]>`select ${columns(sql)} from oauth_clients where id = ${id}`)
}

export function selectClientByMetadata(sql: Queryable, url: string) {
  return firstRow(sql<ClientRow[]>`select ${columns(sql)} from oauth_clients where metadata_url = ${url}`)
}

export function upsertClientByMetadata(
  tx: Tx,
  url: string,
  { name, redirect_uris, readAt }: { name: string; redirect_uris: string[]; readAt: Date },
) {
  const values = { metadata_url: url, name, redirect_uris, metadata_read_at: readAt, created_at: readAt }
  return oneRow(tx<ClientRow[]>`
    insert into oauth_clients ${tx(values)}
    on conflict (metadata_url) do update set
      name = excluded.name, redirect_uris = excluded.redirect_uris, metadata_read_at = excluded.metadata_read_at
    returning ${columns(tx)}`)
}

/** Its document was removed, so the cached copy no longer counts. */
export async function forgetMetadata(sql: Queryable, url: string) {
  await sql`update oauth_clients set metadata_read_at = null where metadata_url = ${url}`
}

/** Serialises registrations from one address, so that each sees the previous ones. */
export async function lockRegistrar(tx: Tx, address: string) {
  await tx`select pg_advisory_xact_lock(hashtextextended('oauth registration ' || ${address}, 0))`
}

export function countRegistrations(tx: Tx, address: string, since: Date) {
  return oneValue(tx<{ count: number }[]>`
    select count(*)::int as count from oauth_clients
    where registered_from = ${address} and created_at > ${since}`)
}

export async function markClientUsed(tx: Tx, id: string, at: Date) {
  await tx`update oauth_clients set used_at = ${at} where id = ${id} and used_at is null`
}

/** Clients of the operator stay, used or not. */
export async function deleteUnusedClients(sql: Sql, madeBefore: Date) {
  await sql`
    delete from oauth_clients where used_at is null and not first_party and created_at < ${madeBefore}`
}
