import type { Cursors } from '../../../platform/crypto/cursors.ts'
import type { Database } from '../../../platform/db/database.ts'
import { type Route, route } from '../../../platform/http/route.ts'
import { Id } from '../../../platform/ids.ts'
import { briefThreadParams as params, NOT_A_NUMBER } from '../thread-params.ts'
import { createNote, deleteNote, listNotes, markMentionsSeen } from './notes.ts'
import { Note, NoteCreate, NoteFilter, NotePage } from './schemas.ts'

export const noteRoutes = ({ db, cursors }: { db: Database; cursors: Cursors }): Route[] => [
  route(
    {
      method: 'GET',
      path: '/inbox/:phone_number/notes',
      name: 'list_notes',
      summary: 'List internal notes about an external number, newest first',
      toolSet: 'administration',
      params,
      query: NoteFilter,
      reply: { 200: NotePage },
    },
    ({ actor, params, query }) => listNotes({ db, cursors }, actor, params.phone_number, query),
  ),
  route(
    {
      method: 'POST',
      path: '/inbox/:phone_number/notes',
      name: 'create_note',
      summary: 'Write an internal note about an external number; the customer never sees it',
      toolSet: 'administration',
      params,
      body: NoteCreate,
      example: { text: 'Wants the bike before Friday.' },
      reply: { 201: Note },
    },
    ({ actor, params, body }) => createNote(db, actor, params.phone_number, body),
  ),
  route(
    {
      method: 'POST',
      path: '/inbox/:phone_number/notes/seen',
      name: 'mark_mentions_seen',
      summary: 'Mark the notes that mention you as seen',
      toolSet: 'administration',
      params,
      reply: { 204: null },
      refusals: { 422: NOT_A_NUMBER },
    },
    ({ actor, params }) => markMentionsSeen(db, actor, params.phone_number),
  ),
  route(
    {
      method: 'DELETE',
      path: '/inbox/:phone_number/notes/:id',
      name: 'delete_note',
      summary: 'Delete an internal note of your own',
      toolSet: 'administration',
      params: params.extend({ id: Id('not') }),
      reply: { 204: null },
      refusals: { 403: { when: 'A coworker wrote it.' }, 422: NOT_A_NUMBER },
    },
    ({ actor, params }) => deleteNote(db, actor, params.phone_number, params.id),
  ),
]
