import { z } from 'zod'

import type { Database } from '../../platform/db/database.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { Id } from '../../platform/ids.ts'
import { requireMessaging } from '../company/index.ts'
import { Snippet, SnippetCreate, SnippetUpdate } from './schemas.ts'
import { createSnippet, deleteSnippet, listSnippets, readSnippet, updateSnippet } from './snippets.ts'

const params = z.object({ id: Id('sni') })

export const snippetRoutes = ({ db }: { db: Database }): Route[] => [
  route(
    {
      method: 'GET',
      path: '/text_snippets',
      name: 'list_text_snippets',
      summary: 'List the text snippets by position',
      require: requireMessaging(db),
      reply: { 200: z.array(Snippet) },
    },
    ({ actor }) => listSnippets(db.sql, actor),
  ),
  route(
    {
      method: 'POST',
      path: '/text_snippets',
      name: 'create_text_snippet',
      summary: 'Create a text snippet',
      require: requireMessaging(db),
      body: SnippetCreate,
      example: { title: 'Opening hours', text: 'We are open from 8 to 16, Monday to Friday.' },
      reply: { 201: Snippet },
    },
    ({ actor, body }) => db.tx((tx) => createSnippet(tx, actor, body)),
  ),
  route(
    {
      method: 'GET',
      path: '/text_snippets/:id',
      name: 'get_text_snippet',
      summary: 'Read a text snippet',
      require: requireMessaging(db),
      params,
      reply: { 200: Snippet },
    },
    ({ actor, params }) => readSnippet(db.sql, actor, params.id),
  ),
  route(
    {
      method: 'PATCH',
      path: '/text_snippets/:id',
      name: 'update_text_snippet',
      summary: 'Change a text snippet',
      require: requireMessaging(db),
      params,
      body: SnippetUpdate,
      example: { position: 3 },
      reply: { 200: Snippet },
    },
    ({ actor, params, body }) => db.tx((tx) => updateSnippet(tx, actor, params.id, body)),
  ),
  route(
    {
      method: 'DELETE',
      path: '/text_snippets/:id',
      name: 'delete_text_snippet',
      summary: 'Delete a text snippet',
      require: requireMessaging(db),
      params,
      reply: { 204: null },
    },
    ({ actor, params }) => db.tx((tx) => deleteSnippet(tx, actor, params.id)),
  ),
]
