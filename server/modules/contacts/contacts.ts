import { type Batches, inBatches } from '../../platform/async/batches.ts'
import { type Queryable, type Tx, violatesConstraint } from '../../platform/db/database.ts'
import { fail, fieldError, notFound } from '../../platform/errors.ts'
import type { Actor } from '../../platform/http/route.ts'
import { formatPhone, normalizePhone } from '../../platform/text/phone.ts'
import { companyCountry, NOT_A_PHONE_NUMBER } from '../company/index.ts'
import { recordEvent } from '../webhooks/index.ts'
import {
  deleteContactRow,
  fillContactBlanks,
  insertContact,
  insertContactOnce,
  lockContact,
  selectContact,
  selectContactsBefore,
  selectContactsByPhone,
  updateContactRow,
} from './queries.ts'
import type { Contact, ContactCreate, ContactUpdate } from './schemas.ts'

const BATCH_SIZE = 100

export async function createContact(tx: Tx, actor: Actor, input: ContactCreate): Promise<Contact> {
  const values = { ...input, ...(await e164(tx, actor, input.phone)) }
  const contact = await insertContact(tx, actor.companyId, values).catch(phoneTaken)
  await recordEvent(tx, actor.companyId, 'contact.created', { contact })
  return contact
}

export async function updateContact(
  tx: Tx,
  actor: Actor,
  id: string,
  input: ContactUpdate,
): Promise<Contact> {
  const values = input.phone === undefined ? input : { ...input, ...(await e164(tx, actor, input.phone)) }
  const before = (await lockContact(tx, actor.companyId, id)) ?? fail(notFound())
  if (Object.entries(values).every(([field, value]) => before[field as keyof Contact] === value))
    return before
  const contact = await updateContactRow(tx, actor.companyId, id, values).catch(phoneTaken)
  await recordEvent(tx, actor.companyId, 'contact.updated', { contact })
  return contact
}

export async function deleteContact(tx: Tx, actor: Actor, id: string): Promise<void> {
  const contact = (await deleteContactRow(tx, actor.companyId, id)) ?? fail(notFound())
  await recordEvent(tx, actor.companyId, 'contact.deleted', { contact })
}

export async function readContact(sql: Queryable, actor: Actor, id: string): Promise<Contact> {
  return (await selectContact(sql, actor.companyId, id)) ?? fail(notFound())
}

type Identity = Pick<Contact, 'name' | 'email' | 'company_name' | 'note'>

/**
 * Creates a contact from what an integration knows about a number (E.164), or fills in its blank fields. Concurrent
 * calls create one contact; what employees have entered stays.
 */
export async function mergeContact(
  tx: Tx,
  companyId: string,
  phone: string,
  identity: Identity,
): Promise<void> {
  const values = { ...identity, phone, phone_formatted: formatPhone(phone) }
  const created = await insertContactOnce(tx, companyId, values)
  if (created) return recordEvent(tx, companyId, 'contact.created', { contact: created })
  const filled = await fillContactBlanks(tx, companyId, phone, identity)
  if (filled) await recordEvent(tx, companyId, 'contact.updated', { contact: filled })
}

/** By its number in E.164. */
export async function findContactByPhone(
  sql: Queryable,
  companyId: string,
  phone: string,
): Promise<Contact | undefined> {
  const [contact] = await selectContactsByPhone(sql, companyId, phone)
  return contact
}

/** At most one; none if the input cannot be a phone number. */
export async function findContactsByPhone(sql: Queryable, actor: Actor, input: string): Promise<Contact[]> {
  const phone = normalizePhone(input, await companyCountry(sql, actor.companyId))
  return phone ? selectContactsByPhone(sql, actor.companyId, phone) : []
}

/** All contacts, newest first. */
export const listContacts = (sql: Queryable, { companyId }: Actor): Batches<Contact> =>
  inBatches(BATCH_SIZE, (beforeId, limit) => selectContactsBefore(sql, companyId, beforeId, limit))

async function e164(sql: Queryable, actor: Actor, input: string) {
  const phone = normalizePhone(input, await companyCountry(sql, actor.companyId))
  if (!phone) throw fieldError('phone', NOT_A_PHONE_NUMBER)
  return { phone, phone_formatted: formatPhone(phone) }
}

function phoneTaken(error: unknown): never {
  throw violatesConstraint(error, 'contacts_phone')
    ? fieldError('phone', 'is already used by another contact')
    : error
}
