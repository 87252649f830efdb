import type { Fragment, Queryable, Tx } from '../../../platform/db/database.ts'
import { hasRow, oneValue } from '../../../platform/db/rows.ts'
import type { Contact } from '../schemas.ts'

const columns = (sql: Queryable) =>
  sql`id, name, email, phone, phone_formatted, company_name, note, created_at, updated_at`

/**
 * Contacts of the same name, without regard to case and accents, and those of the same e-mail address: up to `limit`
 * groups of either. Triggers keep what they have in common.
 */
export function selectDoubles(sql: Queryable, companyId: string, limit: number) {
  const groups = (field: string, hasValue: Fragment) => sql`(
    select (
      select json_agg(found order by found.id) from (
        select ${columns(sql)} from contacts where company_id = ${companyId} and main_id is null and ${hasValue}
      ) as found
    ) as contacts
    from contact_doubles where company_id = ${companyId} and field = ${field} order by value limit ${limit}
  )`
  return sql<{ contacts: Contact[] }[]>`
    ${groups('name', sql`name_key = value and trim(name) <> ''`)}
    union all
    ${groups('email', sql`lower(email) = value and email is not null`)}`
}

/** In the order of their ids, so that two requests do not wait for each other in a circle. */
export function lockContacts(tx: Tx, companyId: string, ids: string[]) {
  return tx<Contact[]>`
    select ${columns(tx)} from contacts
    where company_id = ${companyId} and id = any(${ids}::uuid[]) and main_id is null
    order by id for update`
}

/** What decides of which other contacts a contact is a double. */
type DoubleValues = Pick<Contact, 'name' | 'company_name' | 'email'>

/**
 * Takes every lock under which triggers keep doubles while these contacts become one with these values. In the order of
 * all other changes: one by one, as the rows change, two transactions would wait for each other in a circle.
 */
export async function lockDoubles(
  tx: Tx,
  companyId: string,
  ids: string[],
  { name, company_name, email }: DoubleValues,
) {
  await tx`
    select pg_advisory_xact_lock(lock) from (
      select distinct double_lock(${companyId}, field, value) as lock
      from contacts, lateral (
        select * from double_keys(main_id, name, name_key, email)
        union all
        select * from double_keys(
          main_id, ${name}, sort_key_of_contact(${name}, ${company_name}, phone), ${email}
        )
      ) as changed
      where company_id = ${companyId} and id = any(${ids}::uuid[])
      order by lock
    ) as in_order`
}

/** The numbers of these contacts become further numbers of the main one. */
export async function updateMain(tx: Tx, companyId: string, mainId: string, ids: string[]) {
  await tx`
    update contacts set main_id = ${mainId}
    where company_id = ${companyId} and (id = any(${ids}::uuid[]) or main_id = any(${ids}::uuid[]))`
}

export function countNumbers(sql: Queryable, companyId: string, ids: string[]) {
  return oneValue(sql<{ count: number }[]>`
    select count(*)::integer as count from contacts
    where company_id = ${companyId} and (id = any(${ids}::uuid[]) or main_id = any(${ids}::uuid[]))`)
}

/** The contact's own number first. */
export function selectContactNumbers(sql: Queryable, companyId: string, id: string) {
  return sql<{ phone: string; phone_formatted: string; main: boolean }[]>`
    select phone, phone_formatted, main_id is null as main from contacts
    where company_id = ${companyId} and (id = ${id} and main_id is null or main_id = ${id})
    order by main_id nulls first, id`
}

export function deleteFurtherNumber(tx: Tx, companyId: string, id: string, phone: string) {
  return hasRow(tx`
    delete from contacts
    where company_id = ${companyId} and main_id = ${id} and phone = ${phone} returning id`)
}
