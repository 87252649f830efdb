import type { Queryable, Tx } from '../../platform/db/database.ts'
import { fail, notFound } from '../../platform/errors.ts'
import type { Actor } from '../../platform/http/route.ts'
import {
  deleteSnippetRow,
  insertSnippet,
  selectSnippet,
  selectSnippets,
  updateSnippetRow,
} from './queries.ts'
import type { Snippet, SnippetCreate, SnippetUpdate } from './schemas.ts'

export async function listSnippets(sql: Queryable, actor: Actor): Promise<Snippet[]> {
  return selectSnippets(sql, actor.companyId)
}

export async function readSnippet(sql: Queryable, actor: Actor, id: string): Promise<Snippet> {
  return (await selectSnippet(sql, actor.companyId, id)) ?? fail(notFound())
}

export async function createSnippet(tx: Tx, actor: Actor, input: SnippetCreate): Promise<Snippet> {
  return insertSnippet(tx, actor.companyId, input)
}

export async function updateSnippet(
  tx: Tx,
  actor: Actor,
  id: string,
  input: SnippetUpdate,
): Promise<Snippet> {
  return (await updateSnippetRow(tx, actor.companyId, id, input)) ?? fail(notFound())
}

export async function deleteSnippet(tx: Tx, actor: Actor, id: string): Promise<void> {
  if (!(await deleteSnippetRow(tx, actor.companyId, id))) throw notFound()
}
