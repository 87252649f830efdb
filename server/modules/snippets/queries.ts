import { type Queryable, type Tx, updateColumns } from '../../platform/db/database.ts'
import { firstRow, hasRow, oneRow } from '../../platform/db/rows.ts'
import type { Snippet, SnippetCreate, SnippetUpdate } from './schemas.ts'

const columns = (sql: Queryable) => sql`id, title, text, position, created_at, updated_at`

export function selectSnippets(sql: Queryable, companyId: string) {
  return sql<Snippet[]>`
    select ${columns(sql)} from text_snippets where company_id = ${companyId} order by position, id`
}

export function selectSnippet(sql: Queryable, companyId: string, id: string) {
  return firstRow(sql<Snippet[]>`
    select ${columns(sql)} from text_snippets where company_id = ${companyId} and id = ${id}`)
}

export function insertSnippet(tx: Tx, companyId: string, values: SnippetCreate) {
  return oneRow(tx<Snippet[]>`
    insert into text_snippets ${tx({ company_id: companyId, ...values })} returning ${columns(tx)}`)
}

export function updateSnippetRow(tx: Tx, companyId: string, id: string, values: SnippetUpdate) {
  return firstRow(tx<Snippet[]>`
    update text_snippets set ${updateColumns(tx, values)}
    where company_id = ${companyId} and id = ${id} returning ${columns(tx)}`)
}

export function deleteSnippetRow(tx: Tx, companyId: string, id: string) {
  return hasRow(tx`delete from text_snippets where company_id = ${companyId} and id = ${id} returning id`)
}
