import { z } from 'zod'

import type { Database } from '../../../platform/db/database.ts'
import { type Route, route } from '../../../platform/http/route.ts'
import { Id } from '../../../platform/ids.ts'
import { Contact } from '../schemas.ts'
import { findDoubles, listContactNumbers, mergeContacts, removeNumber } from './doubles.ts'
import { ContactMerge, ContactNumber, Doubles } from './schemas.ts'

const params = z.object({ id: Id('con') })

export const doubleRoutes = ({ db }: { db: Database }): Route[] => [
  route(
    {
      method: 'GET',
      path: '/contacts/doubles',
      name: 'find_double_contacts',
      toolSet: 'administration',
      summary: 'Find contacts of the same name or e-mail address, which may be the same person',
      reply: { 200: Doubles },
    },
    ({ actor }) => findDoubles(db.sql, actor),
  ),
  route(
    {
      method: 'POST',
      path: '/contacts/:id/merge',
      name: 'merge_contacts',
      toolSet: 'administration',
      summary: 'Make several contacts one, which has the numbers of all',
      params,
      body: ContactMerge,
      example: { contact_ids: ['con_01h455vb4pex5vsknk084sn03r'], name: 'Anna Holm' },
      reply: { 200: Contact },
    },
    ({ actor, params: { id }, body }) => db.tx((tx) => mergeContacts(tx, actor, id, body)),
  ),
  route(
    {
      method: 'GET',
      path: '/contacts/:id/numbers',
      name: 'list_contact_numbers',
      toolSet: 'administration',
      summary: 'List the numbers of a contact, which has several after a merge',
      params,
      reply: { 200: z.object({ numbers: z.array(ContactNumber) }) },
    },
    async ({ actor, params: { id } }) => ({ numbers: await listContactNumbers(db.sql, actor, id) }),
  ),
  route(
    {
      method: 'DELETE',
      path: '/contacts/:id/numbers/:phone',
      name: 'remove_contact_number',
      toolSet: 'administration',
      summary: 'Take a further number away from a contact',
      params: params.extend({
        phone: z.string().meta({ description: 'E.164.', examples: ['+4520112233'] }),
      }),
      reply: { 204: null },
    },
    ({ actor, params: { id, phone } }) => db.tx((tx) => removeNumber(tx, actor, id, phone)),
  ),
]
