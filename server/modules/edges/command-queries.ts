import type { Queryable } from '../../platform/db/database.ts'
import { firstRow } from '../../platform/db/rows.ts'

/** Stored for the edge of the call; undefined if no edge has it. */
export function insertCommand(tx: Queryable, companyId: string, callId: string, command: unknown) {
  return firstRow(tx<{ id: string; edge_id: string }[]>`
    insert into edge_commands (company_id, edge_id, call_id, command)
    select company_id, edge_id, id, ${tx.json(command)} from calls
    where company_id = ${companyId} and id = ${callId} and state <> 'ended'
      and edge_id in (select id from edges)
    returning id, edge_id`)
}

/** A question of an operator concerns no company and no call. */
const NONE = '00000000-0000-0000-0000-000000000000'

interface AskedEdge {
  company_id: string
  id: string
  edge_id: string
  sip_host: string
  sip_port: number
}

/** Stored for every edge that sends heartbeats. */
export async function insertQuestions(tx: Queryable, question: unknown, silentSeconds: number) {
  return tx<AskedEdge[]>`
    with asked as (
      insert into edge_commands (company_id, edge_id, call_id, command)
      select ${NONE}, id, ${NONE}, ${tx.json(question)} from edges
      where alive_at > now() - make_interval(secs => ${silentSeconds})
      returning company_id, id, edge_id)
    select a.company_id, a.id, a.edge_id, e.sip_host, e.sip_port
    from asked a join edges e on e.id = a.edge_id order by e.started_at`
}

export async function deleteCommand(sql: Queryable, companyId: string, id: string) {
  await sql`delete from edge_commands where company_id = ${companyId} and id = ${id}`
}

export interface TakenCommand {
  company_id: string
  id: string
  call_id: string
  command: unknown
}

/** In order of arrival. Each command is claimed once. */
export async function takeCommands(sql: Queryable, edgeId: string) {
  const taken = await sql<TakenCommand[]>`
    update edge_commands set taken_at = now() where edge_id = ${edgeId} and taken_at is null
    returning company_id, id, call_id, command`
  return [...taken].toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

export async function updateAnswer(sql: Queryable, companyId: string, id: string, answer: unknown) {
  await sql`
    update edge_commands set answer = ${sql.json(answer)}
    where company_id = ${companyId} and id = ${id}`
}

export function selectAnswer(sql: Queryable, companyId: string, id: string) {
  return firstRow(sql<{ answer: unknown }[]>`
    select answer from edge_commands where company_id = ${companyId} and id = ${id}`)
}

/** Only if it was not claimed yet. */
export async function deleteUntaken(sql: Queryable, companyId: string, id: string) {
  const { count } = await sql`
    delete from edge_commands where company_id = ${companyId} and id = ${id} and taken_at is null`
  return count === 1
}

export async function deleteOldCommands(sql: Queryable, olderThanSeconds: number) {
  await sql`
    delete from edge_commands where created_at < now() - make_interval(secs => ${olderThanSeconds})`
}
