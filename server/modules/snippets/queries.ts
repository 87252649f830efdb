import { type Queryable, type Tx, updateColumns } from '../../platform/db/database.ts'
import type { Snippet, SnippetCreate, SnippetUpdate } from './schemas.ts'

const columns = (sql: Queryable) => sql`id, title, text, position, created_at, updated_at`

export function selectSnippets(sql: Queryable, companyId: string) {
  return sql<Snippet[]>`
    select ${columns(sql)} from text_snippets where company_id = ${companyId} order by position, id`
}

export async function selectSnippet(sql: Queryable, companyId: string, id: string) {
  const [row] = await sql<Snippet[]>`
    select ${columns(sql)} from text_snippets where company_id = ${companyId} and id = ${id}`
  return row
}

export async function insertSnippet(tx: Tx, companyId: string, values: SnippetCreate) {
  const [row] = await tx<Snippet[]>`
    insert into text_snippets ${tx({ company_id: companyId, ...values })} returning ${columns(tx)}`
  return row!
}

export async function updateSnippetRow(tx: Tx, companyId: string, id: string, values: SnippetUpdate) {
  const [row] = await tx<Snippet[]>`
    update text_snippets set ${updateColumns(tx, values)}
    where company_id = ${companyId} and id = ${id} returning ${columns(tx)}`
  return row
}

export async function deleteSnippetRow(tx: Tx, companyId: string, id: string) {
  const rows = await tx`delete from text_snippets where company_id = ${companyId} and id = ${id} returning id`
  return rows.length === 1
}
