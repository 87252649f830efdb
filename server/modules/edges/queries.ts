import type { Queryable, Tx } from '../../platform/db/database.ts'
import { firstRow, hasRow, oneValue } from '../../platform/db/rows.ts'

export interface EdgeAddress {
  sip_host: string
  sip_port: number
}

export function selectNewId(sql: Queryable) {
  return oneValue(sql<{ id: string }[]>`select new_id() as id`)
}

/** Also for an edge that was wrongly declared dead. */
export async function upsertEdge(sql: Queryable, id: string, { sip_host, sip_port }: EdgeAddress) {
  await sql`
    insert into edges (id, sip_host, sip_port) values (${id}, ${sip_host}, ${sip_port})
    on conflict (id) do update set alive_at = now()`
}

/** Undefined if the edge does not exist any more. The one statement of an idle edge: it also finds commands. */
export function updateHeartbeat(sql: Queryable, id: string) {
  return firstRow(sql<{ has_commands: boolean }[]>`
    update edges set alive_at = now() where id = ${id}
    returning exists (
      select from edge_commands where edge_id = edges.id and taken_at is null
    ) as has_commands`)
}

export async function updateDraining(sql: Queryable, id: string) {
  await sql`update edges set draining = true where id = ${id}`
}

export function selectIsKnown(sql: Queryable, id: string) {
  return hasRow(sql`select from edges where id = ${id}`)
}

export function selectEdgeAddress(sql: Queryable, id: string) {
  return firstRow(sql<EdgeAddress[]>`select sip_host, sip_port from edges where id = ${id}`)
}

/** Its registrations must be deleted before. */
export async function deleteEdge(tx: Tx, id: string) {
  await tx`delete from edges where id = ${id}`
}

const silent = (sql: Queryable, seconds: number) => sql`alive_at < now() - make_interval(secs => ${seconds})`

/** The time that each edge has left to send a heartbeat before it counts as dead. */
export function selectTimesLeft(sql: Queryable, silentSeconds: number) {
  return sql<{ id: string; left_ms: number }[]>`
    select id, ceil(extract(epoch from alive_at - now() + make_interval(secs => ${silentSeconds})) * 1000)::int as left_ms
    from edges order by alive_at`
}

/** Locks it until the transaction ends. False if it is gone, or sends heartbeats again. */
export function lockDeadEdge(tx: Tx, id: string, silentSeconds: number) {
  return hasRow(tx`
    select from edges where id = ${id} and ${silent(tx, silentSeconds)} for update`)
}

export function lockEdge(tx: Tx, id: string) {
  return hasRow(tx`select from edges where id = ${id} for update`)
}

/** The addresses of the running edges, oldest first. */
export async function selectRunningEdges(sql: Queryable, silentSeconds: number): Promise<EdgeAddress[]> {
  return sql<EdgeAddress[]>`
    select sip_host, sip_port from edges
    where alive_at > now() - make_interval(secs => ${silentSeconds}) and not draining
    order by started_at`
}
