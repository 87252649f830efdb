import type { Queryable, Tx } from '../../platform/db/database.ts'

export interface EdgeAddress {
  sip_host: string
  sip_port: number
}

export async function selectNewId(sql: Queryable) {
  const [row] = await sql<{ id: string }[]>`select new_id() as id`
  return row!.id
}

/** Also for an edge that was wrongly declared dead. */
export async function upsertEdge(sql: Queryable, id: string, { sip_host, sip_port }: EdgeAddress) {
  await sql`
    insert into edges (id, sip_host, sip_port) values (${id}, ${sip_host}, ${sip_port})
    on conflict (id) do update set alive_at = now()`
}

/** False if the edge does not exist any more. */
export async function updateHeartbeat(sql: Queryable, id: string) {
  const { count } = await sql`update edges set alive_at = now() where id = ${id}`
  return count === 1
}

export async function updateDraining(sql: Queryable, id: string) {
  await sql`update edges set draining = true where id = ${id}`
}

export async function selectIsKnown(sql: Queryable, id: string) {
  const rows = await sql`select from edges where id = ${id}`
  return rows.length === 1
}

/** Its registrations must be deleted before. */
export async function deleteEdge(tx: Tx, id: string) {
  await tx`delete from edges where id = ${id}`
}

const silent = (sql: Queryable, seconds: number) => sql`alive_at < now() - make_interval(secs => ${seconds})`

/** Edges without a heartbeat for this long. */
export async function selectDeadEdges(sql: Queryable, silentSeconds: number) {
  const rows = await sql<{ id: string }[]>`
    select id from edges where ${silent(sql, silentSeconds)} order by alive_at`
  return rows.map((row) => row.id)
}

/** Locks it until the transaction ends. False if it is gone, or sends heartbeats again. */
export async function lockDeadEdge(tx: Tx, id: string, silentSeconds: number) {
  const rows = await tx`
    select from edges where id = ${id} and ${silent(tx, silentSeconds)} for update`
  return rows.length === 1
}

export async function lockEdge(tx: Tx, id: string) {
  const rows = await tx`select from edges where id = ${id} for update`
  return rows.length === 1
}

/** The address of the oldest running edge; undefined if none runs. */
export async function selectRunningEdge(sql: Queryable, silentSeconds: number) {
  const [row] = await sql<EdgeAddress[]>`
    select sip_host, sip_port from edges
    where alive_at > now() - make_interval(secs => ${silentSeconds}) and not draining
    order by started_at limit 1`
  return row
}
