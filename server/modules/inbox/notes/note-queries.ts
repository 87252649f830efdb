import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { allValues, firstValue, oneValue } from '../../../platform/db/rows.ts'
import { employeesEver } from '../../employees/index.ts'
import { INBOX_LIMITS } from '../limits.ts'
import type { Note } from './schemas.ts'

/** The newest first; their ids rise with time. */
export function selectNotes(
  sql: Queryable,
  companyId: string,
  { phone, beforeId, id }: { phone: string; beforeId?: string; id?: string },
  limit: number,
) {
  return sql<Note[]>`
    select n.id, n.phone_number, n.text, n.created_at,
      (
        select json_build_object('id', e.id, 'name', e.name) from ${employeesEver(sql)} e
        where e.company_id = ${companyId} and e.id = n.author_id
      ) as author,
      coalesce((
        select json_agg(json_build_object('id', e.id, 'name', e.name) order by e.name, e.id)
        from note_mentions m join ${employeesEver(sql)} e on e.company_id = ${companyId} and e.id = m.employee_id
        where m.company_id = ${companyId} and m.note_id = n.id
      ), '[]') as mentions
    from thread_notes n
    where n.company_id = ${companyId} and n.phone_number = ${phone}
      ${beforeId === undefined ? sql`` : sql`and n.id < ${beforeId}`}
      ${id === undefined ? sql`` : sql`and n.id = ${id}`}
    order by n.id desc limit ${limit}`
}

export function insertNote(
  tx: Tx,
  companyId: string,
  {
    phone,
    authorId,
    text,
    mentioned,
  }: { phone: string; authorId: string; text: string; mentioned: string[] },
) {
  return oneValue(tx<{ id: string }[]>`
    with note as (
      insert into thread_notes (company_id, phone_number, author_id, text)
      values (${companyId}, ${phone}, ${authorId}, ${text}) returning id
    ), mentions as (
      insert into note_mentions (company_id, note_id, employee_id, phone_number)
      select ${companyId}, note.id, employee_id, ${phone}
      from note, unnest(${mentioned}::uuid[]) as employee_id
    )
    select id from note`)
}

export function selectNoteAuthor(sql: Queryable, companyId: string, phone: string, id: string) {
  return firstValue(sql<{ author_id: string }[]>`
    select author_id from thread_notes
    where company_id = ${companyId} and phone_number = ${phone} and id = ${id}`)
}

export async function deleteNoteRow(tx: Tx, companyId: string, id: string) {
  await tx`delete from thread_notes where company_id = ${companyId} and id = ${id}`
}

/** The threads with a mention of the employee that they have not seen, as a subquery or by itself. */
export const selectUnseenMentions = (sql: Queryable, companyId: string, employeeId: string) => sql`
  select distinct phone_number from note_mentions
  where company_id = ${companyId} and employee_id = ${employeeId} and seen_at is null
  limit ${INBOX_LIMITS.mentioningThreads}`

export const readUnseenMentions = (sql: Queryable, companyId: string, employeeId: string) =>
  allValues(sql<{ phone_number: string }[]>`${selectUnseenMentions(sql, companyId, employeeId)}`)

/** False if there were none. */
export async function updateMentionsSeen(tx: Tx, companyId: string, employeeId: string, phone: string) {
  const { count } = await tx`
    update note_mentions set seen_at = now()
    where company_id = ${companyId} and employee_id = ${employeeId} and phone_number = ${phone}
      and seen_at is null`
  return count > 0
}
