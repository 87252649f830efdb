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
