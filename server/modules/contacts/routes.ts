import { z } from 'zod'

import { createCursors } from '../../platform/crypto/cursors.ts'
import type { Database } from '../../platform/db/database.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { Id } from '../../platform/ids.ts'
import { findPhoneErrors } from '../company/index.ts'
import {
  createContact,
  deleteContact,
  findContactsByPhone,
  listContacts,
  readContact,
  updateContact,
} from './contacts.ts'
import { doubleRoutes } from './doubles/routes.ts'
import { Contact, ContactCreate, ContactPage, ContactSearch, ContactUpdate } from './schemas.ts'
import { searchContacts } from './search/search.ts'

const params = z.object({ id: Id('con') })

export function contactRoutes({ db, secret }: { db: Database; secret: string }): Route[] {
  const cursors = createCursors(secret)
  return [
    route(
      {
        method: 'GET',
        path: '/contacts',
        name: 'list_contacts',
        summary: 'List all contacts, newest first, or find the one with a phone number',
        query: z.object({
          phone: z
            .string()
            .optional()
            .meta({ description: 'E.164, or a national number of the company’s country.' }),
        }),
        reply: { 200: z.array(Contact) },
      },
      ({ actor, query }) =>
        query.phone === undefined
          ? listContacts(db.sql, actor)
          : findContactsByPhone(db.sql, actor, query.phone),
    ),
    route(
      {
        method: 'GET',
        path: '/contacts/search',
        name: 'search_contacts',
        summary: 'Search contacts by name, company, e-mail address or phone number, page by page',
        query: ContactSearch,
        reply: { 200: ContactPage },
      },
      ({ actor, query }) => searchContacts({ sql: db.sql, cursors }, actor, query),
    ),
    ...doubleRoutes({ db }),
    route(
      {
        method: 'POST',
        path: '/contacts',
        name: 'create_contact',
        summary: 'Create a contact',
        body: ContactCreate,
        findMoreErrors: findPhoneErrors(db, 'phone'),
        example: { phone: '+4570123456', name: 'Anna Holm', company_name: 'Holm & Co' },
        reply: { 201: Contact },
      },
      ({ actor, body }) => db.tx((tx) => createContact(tx, actor, body)),
    ),
    route(
      {
        method: 'GET',
        path: '/contacts/:id',
        name: 'get_contact',
        summary: 'Read a contact',
        params,
        reply: { 200: Contact },
      },
      ({ actor, params }) => readContact(db.sql, actor, params.id),
    ),
    route(
      {
        method: 'PATCH',
        path: '/contacts/:id',
        name: 'update_contact',
        summary: 'Change a contact',
        params,
        body: ContactUpdate,
        findMoreErrors: findPhoneErrors(db, 'phone'),
        example: { note: 'Prefers to be called in the morning.' },
        reply: { 200: Contact },
      },
      ({ actor, params, body }) => db.tx((tx) => updateContact(tx, actor, params.id, body)),
    ),
    route(
      {
        method: 'DELETE',
        path: '/contacts/:id',
        name: 'delete_contact',
        summary: 'Delete a contact',
        params,
        reply: { 204: null },
      },
      ({ actor, params }) => db.tx((tx) => deleteContact(tx, actor, params.id)),
    ),
  ]
}
