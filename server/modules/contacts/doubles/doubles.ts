import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { AppError, fail, fieldError, notFound } from '../../../platform/errors.ts'
import type { Actor } from '../../../platform/http/route.ts'
import { recordEvent } from '../../webhooks/index.ts'
import { CONTACT_LIMITS } from '../limits.ts'
import { updateContactRow } from '../queries.ts'
import type { Contact } from '../schemas.ts'
import {
  countNumbers,
  deleteFurtherNumber,
  lockContacts,
  lockDoubles,
  selectDoubles,
  selectContactNumbers,
  updateMain,
} from './queries.ts'
import type { ContactMerge, ContactNumber, Doubles } from './schemas.ts'

const tooManyNumbers = () =>
  new AppError({
    status: 422,
    code: 'too_many_numbers',
    message: `A contact has at most ${CONTACT_LIMITS.numbers} numbers.`,
  })

export async function findDoubles(sql: Queryable, { companyId }: Actor): Promise<Doubles> {
  const found = await selectDoubles(sql, companyId, CONTACT_LIMITS.doubles + 1)
  // Contacts that have both in common are one group.
  const byIds = new Map(found.map(({ contacts }) => [contacts.map(({ id }) => id).join(), contacts]))
  const groups = [...byIds.values()].map((contacts) => ({ contacts: contacts.map(parsed) }))
  return { groups: groups.slice(0, CONTACT_LIMITS.doubles), more: groups.length > CONTACT_LIMITS.doubles }
}

/**
 * The contacts become one, with the numbers of all. Those that are gone are reported as deleted, so that whoever keeps
 * a copy of the address book has the same.
 */
export async function mergeContacts(
  tx: Tx,
  { companyId }: Actor,
  id: string,
  { contact_ids, ...values }: ContactMerge,
): Promise<Contact> {
  if (contact_ids.includes(id)) throw fieldError('contact_ids', 'must be other contacts')
  const ids = [...new Set(contact_ids)]
  const locked = await lockContacts(tx, companyId, [id, ...ids])
  const find = (wanted: string) => locked.find((contact) => contact.id === wanted) ?? fail(notFound())
  const main = find(id)
  const others = ids.map(find)
  if ((await countNumbers(tx, companyId, [id, ...ids])) > CONTACT_LIMITS.numbers) throw tooManyNumbers()
  const filled = { ...filledFrom([main, ...others]), ...values }
  await lockDoubles(tx, companyId, [id, ...ids], filled)
  await updateMain(tx, companyId, id, ids)
  const merged = await updateContactRow(tx, companyId, id, filled)
  for (const contact of others) await recordEvent(tx, companyId, 'contact.deleted', { contact })
  await recordEvent(tx, companyId, 'contact.updated', { contact: merged })
  return merged
}

/** What each has first; and all notes, of which none must be lost. */
function filledFrom(contacts: Contact[]) {
  const first = (field: 'name' | 'email' | 'company_name') =>
    contacts.map((contact) => contact[field]).find((value) => value !== null) ?? null
  const notes = [...new Set(contacts.flatMap(({ note }) => note ?? []))].join('\n\n')
  return {
    name: first('name'),
    email: first('email'),
    company_name: first('company_name'),
    note: notes.slice(0, CONTACT_LIMITS.noteCharacters) || null,
  }
}

export async function listContactNumbers(
  sql: Queryable,
  { companyId }: Actor,
  id: string,
): Promise<ContactNumber[]> {
  const numbers = await selectContactNumbers(sql, companyId, id)
  return numbers.length > 0 ? numbers : fail(notFound())
}

/** The number has no contact then. */
export async function removeNumber(tx: Tx, { companyId }: Actor, id: string, phone: string): Promise<void> {
  if (!(await deleteFurtherNumber(tx, companyId, id, phone))) throw notFound()
}

/** PostgreSQL has written the times as texts. */
const parsed = (contact: Contact): Contact => ({
  ...contact,
  created_at: new Date(contact.created_at),
  updated_at: new Date(contact.updated_at),
})
