import type { Fragment, Queryable } from '../../../platform/db/database.ts'
import { allValues, oneValue } from '../../../platform/db/rows.ts'
import { CONTACT_LIMITS } from '../limits.ts'
import type { Contact, ContactSearch } from '../schemas.ts'

/** Beginnings of words, of which a contact must have one. */
export type Term = string[]

/** A contact with its place in the order, or nothing but the total if there is none. */
export type FoundContact = Contact & { name_key: string; total: number | null }

export interface Place {
  nameKey: string
  id: string
}

interface Part {
  sort: ContactSearch['sort']
  after: Place | undefined
  limit: number
}

const LAST_CHARACTER = '\u{10ffff}'

/** The words of a text as contacts are found by them. */
export function selectSearchWords(sql: Queryable, text: string): Promise<string[]> {
  return allValues(
    sql<{ word: string }[]>`select word from search_words(${text}) as word order by length(word) desc`,
  )
}

/** For each term, how many words of contacts begin with it; at most one more than are sorted. */
export async function countWords(sql: Queryable, companyId: string, terms: Term[]): Promise<number[]> {
  const counts = terms.map(
    (term) => sql`(
      select count(*) from (
        select from (${entriesOf(sql, companyId, term)}) as entries limit ${CONTACT_LIMITS.wordsSorted + 1}
      ) as few
    )::integer`,
  )
  return oneValue(sql<{ counts: number[] }[]>`select array[${joined(sql, counts, sql`, `)}] as counts`)
}

/** Those of the first term, of which there are few, that have the others too: all of them are counted and sorted. */
export function selectFewContacts(
  sql: Queryable,
  companyId: string,
  [first, ...others]: Term[],
  { sort, after, limit }: Part,
): PromiseLike<FoundContact[]> {
  const numbers =
    others.length === 0
      ? sql`select name_key, contact_id as id from (${entriesOf(sql, companyId, first!)}) as entries`
      : sql`
        select contacts.name_key, id from (${entriesOf(sql, companyId, first!)}) as entries
        join contacts on company_id = ${companyId} and id = contact_id
        where ${joined(
          sql,
          others.map((term) => hasTerm(sql, term)),
          sql` and `,
        )}`
  return sql<FoundContact[]>`
    with further as materialized (
      select f.id, main.id as main_id, main.name_key from contacts f
      join contacts main on main.company_id = ${companyId} and main.id = f.main_id
      where f.company_id = ${companyId} and f.main_id is not null
    ), matched as materialized (
      select distinct coalesce(further.name_key, numbers.name_key) as name_key, coalesce(main_id, numbers.id) as id
      from (${numbers}) as numbers left join further on further.id = numbers.id
    ),
    page as (
      select * from matched where ${isAfter(sql, sort, after)} order by ${orderOf(sql, sort)} limit ${limit}
    )
    select ${columns(sql)}, total
    from (select count(*)::integer as total from matched) as counted
    left join (select contacts.* from page join contacts using (id) where company_id = ${companyId}) as found on true
    order by ${orderOf(sql, sort)}`
}

/** Walks the address book in its order until it has enough with all terms, which many contacts have. Not counted. */
export function selectManyContacts(
  sql: Queryable,
  companyId: string,
  terms: Term[],
  { sort, after, limit }: Part,
): PromiseLike<FoundContact[]> {
  const hasAll = joined(
    sql,
    terms.map((term) => hasTerm(sql, term)),
    sql` and `,
  )
  return sql<FoundContact[]>`
    select ${columns(sql)}, null::integer as total from contacts
    where company_id = ${companyId} and main_id is null and ${isAfter(sql, sort, after)} and (
      -- For each contact by itself: of "exists", PostgreSQL would first read all further numbers of the company.
      ${hasAll} or (
        select true from contacts further
        where further.company_id = ${companyId} and further.main_id = contacts.id and ${hasAll} limit 1
      )
    )
    order by ${orderOf(sql, sort)} limit ${limit}`
}

/** Counted up to a limit, along indexes alone. */
export function selectAllContacts(
  sql: Queryable,
  companyId: string,
  { sort, after, limit }: Part,
  counted = CONTACT_LIMITS.counted,
): PromiseLike<FoundContact[]> {
  const countUpToLimit = (rows: Fragment) => sql`
    (select count(*)::integer from (${rows} limit ${counted + 1}) as few)`
  const numbers = countUpToLimit(sql`select from contacts where company_id = ${companyId}`)
  const further = countUpToLimit(
    sql`select from contacts where company_id = ${companyId} and main_id is not null`,
  )
  return sql<FoundContact[]>`
    select ${columns(sql)}, total
    from (
      select case when numbers <= ${counted} then numbers - further end as total
      from (select ${numbers} as numbers, ${further} as further) as both_counted
    ) as counted
    left join (
      select * from contacts where company_id = ${companyId} and main_id is null and ${isAfter(sql, sort, after)}
      order by ${orderOf(sql, sort)} limit ${limit}
    ) as found on true
    order by ${orderOf(sql, sort)}`
}

const columns = (sql: Queryable) =>
  sql`id, name, email, phone, phone_formatted, company_name, note, created_at, updated_at, name_key`

/** The entries of the index of words that begin with the term: a contact may have several. */
const entriesOf = (sql: Queryable, companyId: string, term: Term): Fragment =>
  joined(
    sql,
    term.map(
      (word) => sql`
        select name_key, contact_id from contact_words
        where company_id = ${companyId} and word >= ${word} and word < ${word + LAST_CHARACTER}`,
    ),
    sql` union all `,
  )

/** Whether a contact has the term. With LIKE, PostgreSQL would expect few to have it, and sort the whole book. */
const hasTerm = (sql: Queryable, term: Term): Fragment =>
  sql`(${joined(
    sql,
    term.map((word) =>
      /^\d+$/.test(word)
        ? sql`strpos(words, ${` ${word}`}) > 0 or strpos(phone, ${word}) > 0`
        : sql`strpos(words, ${` ${word}`}) > 0`,
    ),
    sql` or `,
  )})`

const isAfter = (sql: Queryable, sort: ContactSearch['sort'], after: Place | undefined): Fragment => {
  if (!after) return sql`true`
  return sort === 'name' ? sql`(name_key, id) > (${after.nameKey}, ${after.id})` : sql`id < ${after.id}`
}

/** Ids rise with time. */
const orderOf = (sql: Queryable, sort: ContactSearch['sort']): Fragment =>
  sort === 'name' ? sql`name_key, id` : sql`id desc`

const joined = (sql: Queryable, fragments: Fragment[], by: Fragment): Fragment =>
  fragments.reduce((all, next) => sql`${all}${by}${next}`)
