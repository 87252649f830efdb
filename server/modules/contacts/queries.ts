import { type Fragment, type Queryable, type Tx, updateColumns } from '../../platform/db/database.ts'
import { firstRow, oneRow } from '../../platform/db/rows.ts'
import type { Contact } from './schemas.ts'

type ContactValues = Partial<Omit<Contact, 'id' | 'created_at' | 'updated_at'>>

const columns = (sql: Queryable) =>
  sql`id, name, email, phone, phone_formatted, company_name, note, created_at, updated_at`

export function insertContact(tx: Tx, companyId: string, values: ContactValues) {
  return oneRow(tx<Contact[]>`
    insert into contacts ${tx({ company_id: companyId, ...values })} returning ${columns(tx)}`)
}

/** Undefined if the number has a contact already. */
export function insertContactOnce(tx: Tx, companyId: string, values: ContactValues) {
  return firstRow(tx<Contact[]>`
    insert into contacts ${tx({ company_id: companyId, ...values })}
    on conflict (company_id, phone) do nothing returning ${columns(tx)}`)
}

/** Undefined if there is nothing to fill in. */
export function fillContactBlanks(
  tx: Tx,
  companyId: string,
  phone: string,
  { name, email, company_name, note }: Pick<Contact, 'name' | 'email' | 'company_name' | 'note'>,
) {
  return firstRow(tx<Contact[]>`
    update contacts
    set name = coalesce(name, ${name}), email = coalesce(email, ${email}),
      company_name = coalesce(company_name, ${company_name}), note = coalesce(note, ${note}), updated_at = now()
    where company_id = ${companyId} and id = (${contactIdOf(tx, companyId, phone)}) and (
      (name is null and ${name}::text is not null) or (email is null and ${email}::text is not null)
      or (company_name is null and ${company_name}::text is not null)
      or (note is null and ${note}::text is not null)
    )
    returning ${columns(tx)}`)
}

export function updateContactRow(tx: Tx, companyId: string, id: string, values: ContactValues) {
  return oneRow(tx<Contact[]>`
    update contacts set ${updateColumns(tx, values)}
    where company_id = ${companyId} and id = ${id} and main_id is null returning ${columns(tx)}`)
}

/** The contact, which nobody else changes until the transaction ends. */
export function lockContact(tx: Tx, companyId: string, id: string) {
  return firstRow(tx<Contact[]>`
    select ${columns(tx)} from contacts
    where company_id = ${companyId} and id = ${id} and main_id is null for no key update`)
}

export function deleteContactRow(tx: Tx, companyId: string, id: string) {
  return firstRow(tx<Contact[]>`
    delete from contacts where company_id = ${companyId} and id = ${id} and main_id is null returning ${columns(tx)}`)
}

export function selectContact(sql: Queryable, companyId: string, id: string) {
  // Written out, because this is the most frequent query: building `columns` takes a tenth of its time.
  return firstRow(sql<Contact[]>`
    select id, name, email, phone, phone_formatted, company_name, note, created_at, updated_at
    from contacts where company_id = ${companyId} and id = ${id} and main_id is null`)
}

export function selectContactsByPhone(sql: Queryable, companyId: string, phone: string) {
  return sql<Contact[]>`
    select ${columns(sql)} from contacts
    where company_id = ${companyId} and id = (${contactIdOf(sql, companyId, phone)})`
}

/** Whose number it is, be it the first or a further one. */
const contactIdOf = (sql: Queryable, companyId: string, phone: string) =>
  sql`select coalesce(main_id, id) from contacts where company_id = ${companyId} and phone = ${phone}`

/** What the address book calls a number, as an expression on what the caller selects from; null when it does not. */
export const contactNameOf = (sql: Queryable, companyId: Fragment, phone: Fragment) => sql`(
  select coalesce(nullif(trim(name), ''), nullif(trim(company_name), '')) from contacts
  where company_id = ${companyId} and phone = ${phone} order by id limit 1
)`

/** The newest contacts made before `beforeId`; ids rise with time, so the primary key serves the order. */
export function selectContactsBefore(
  sql: Queryable,
  companyId: string,
  beforeId: string | undefined,
  limit: number,
) {
  return sql<Contact[]>`
    select ${columns(sql)} from contacts
    where company_id = ${companyId} and main_id is null ${beforeId ? sql`and id < ${beforeId}` : sql``}
    order by id desc limit ${limit}`
}
