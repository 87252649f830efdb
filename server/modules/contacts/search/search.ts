import type { Cursors } from '../../../platform/crypto/cursors.ts'
import type { Queryable } from '../../../platform/db/database.ts'
import type { Actor } from '../../../platform/http/route.ts'
import { CONTACT_LIMITS } from '../limits.ts'
import type { ContactPage, ContactSearch } from '../schemas.ts'
import {
  countWords,
  type FoundContact,
  type Place,
  selectAllContacts,
  selectFewContacts,
  selectManyContacts,
} from './queries.ts'
import { termsOf } from './terms.ts'

const NOTHING: ContactPage = { items: [], next_cursor: null, total: 0 }

/** A page of the contacts that have all words of the query, or of all contacts. */
export async function searchContacts(
  { sql, cursors }: { sql: Queryable; cursors: Cursors },
  { companyId }: Actor,
  { q = '', sort, limit, cursor }: ContactSearch,
): Promise<ContactPage> {
  const list = ['contacts', companyId, q, sort]
  const after = cursor === undefined ? undefined : placeOf(cursors.read(list, cursor))
  const rows = await find(sql, companyId, q, { sort, after, limit: limit + 1 })
  if (!rows) return NOTHING
  const found = rows.filter((row) => row.id !== null)
  const page = found.slice(0, limit)
  const last = page.at(-1)
  return {
    items: page,
    next_cursor: last && found.length > limit ? cursors.make(list, [last.name_key, last.id]) : null,
    total: rows.length === 0 ? null : rows[0]!.total,
  }
}

/** Undefined if there is nothing in the query to look for. */
async function find(
  sql: Queryable,
  companyId: string,
  query: string,
  part: { sort: ContactSearch['sort']; after: Place | undefined; limit: number },
): Promise<FoundContact[] | undefined> {
  if (query === '') return selectAllContacts(sql, companyId, part)
  const terms = await termsOf(sql, query)
  if (terms.length === 0) return undefined
  const counts = await countWords(sql, companyId, terms)
  const rarestFirst = terms
    .map((term, index) => ({ term, count: counts[index]! }))
    .toSorted((a, b) => a.count - b.count)
  const sorted = rarestFirst.map(({ term }) => term)
  return rarestFirst[0]!.count > CONTACT_LIMITS.wordsSorted
    ? selectManyContacts(sql, companyId, sorted, part)
    : selectFewContacts(sql, companyId, sorted, part)
}

const placeOf = ([nameKey, id]: string[]): Place => ({ nameKey: nameKey!, id: id! })
