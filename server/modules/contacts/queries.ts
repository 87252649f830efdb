import { changesOf, type Queryable, type Tx } from '../../platform/db/database.ts'
import type { Contact } from './schemas.ts'

type ContactValues = Partial<Omit<Contact, 'id' | 'created_at' | 'updated_at'>>

const columns = (sql: Queryable) =>
  sql`id, name, email, phone, phone_formatted, company_name, note, created_at, updated_at`

export async function insertContact(tx: Tx, companyId: string, values: ContactValues) {
  const [row] = await tx<Contact[]>`
    insert into contacts ${tx({ company_id: companyId, ...values })} returning ${columns(tx)}`
  return row!
}

export async function updateContactRow(tx: Tx, companyId: string, id: string, values: ContactValues) {
  const [row] = await tx<Contact[]>`
    update contacts set ${changesOf(tx, values)}
    where company_id = ${companyId} and id = ${id} returning ${columns(tx)}`
  return row
}

export async function deleteContactRow(tx: Tx, companyId: string, id: string) {
  const [row] = await tx<Contact[]>`
    delete from contacts where company_id = ${companyId} and id = ${id} returning ${columns(tx)}`
  return row
}

export async function selectContact(sql: Queryable, companyId: string, id: string) {
  // Written out, as this is read the most: putting `columns` together takes a tenth of the query's time.
  const [row] = await sql<Contact[]>`
    select id, name, email, phone, phone_formatted, company_name, note, created_at, updated_at
    from contacts where company_id = ${companyId} and id = ${id}`
  return row
}

export function selectContactsByPhone(sql: Queryable, companyId: string, phone: string) {
  return sql<
    Contact[]
  >`select ${columns(sql)} from contacts where company_id = ${companyId} and phone = ${phone}`
}

/** The newest contacts made before `beforeId`; ids rise with time, so the primary key serves the order. */
export function selectContactsBefore(
  sql: Queryable,
  companyId: string,
  beforeId: string | undefined,
  limit: number,
) {
  return sql<Contact[]>`
    select ${columns(sql)} from contacts
    where company_id = ${companyId} ${beforeId ? sql`and id < ${beforeId}` : sql``}
    order by id desc limit ${limit}`
}
