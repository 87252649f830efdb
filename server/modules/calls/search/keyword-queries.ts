import type { Fragment, Queryable } from '../../../platform/db/database.ts'
import { CALL_LIMITS } from '../limits.ts'
import { callConditions, type CallsWhere } from '../record/queries.ts'

export interface Scored {
  id: string
  /** From 0 to 1. */
  score: number
}

/** After this many slices, the number of matches shows whether the query is rare. */
const SLICES_TRIED = 3
/** With fewer matches in them than this, all older calls are searched at once. */
const SELDOM = 16

/** Calls with every word; if there are none, calls with the most distinctive words. */
export async function findByKeywords(
  sql: Queryable,
  companyId: string,
  where: CallsWhere,
  query: string,
): Promise<Scored[]> {
  const words = plainWords(query)
  const whole = await selectWithEveryWord(sql, companyId, where, words)
  return whole.length > 0 ? whole : await selectWithSomeWords(sql, companyId, where, words)
}

/** websearch_to_tsquery would exclude a word after a dash, even in "returns - bicycle". */
const plainWords = (query: string) => query.replace(/(?<![\p{L}\p{N}])-/gu, ' ')

/**
 * Reads the company's slices from the newest, until there are enough matches to rank. For a rare query, reading each
 * slice is not worthwhile: the index finds its matches among all calls as quickly as in one slice.
 */
function newestHolding(sql: Queryable, companyId: string, where: CallsWhere, wanted: Fragment, most: number) {
  const { direction, outcome, ...others } = where
  // One condition on the words: of two, PostgreSQL looks up one in the index and compares the other call by call.
  const all = outcome === undefined ? wanted : sql`(${wanted} && ${`'outcome=${outcome}'`}::tsquery)`
  const matches = sql`
    words is not null and words @@ ${all}
    ${direction === undefined ? sql`` : sql`and direction = ${direction}`} ${callConditions(sql, others)}`
  return sql`
    with recursive searched (slices, next_slice, ids, found) as (
      select 0, max(id), '{}'::uuid[], 0 from call_slices where company_id = ${companyId}
      union all
      select
        slices + 1,
        case when not seldom then
          (select max(id) from call_slices where company_id = ${companyId} and id < next_slice)
        end,
        matching.ids,
        found + cardinality(matching.ids)
      from (select *, slices >= ${SLICES_TRIED} and found < ${SELDOM} as seldom from searched) searched
      cross join lateral (
        select coalesce(array_agg(id), '{}') as ids from (
          select id from calls where not seldom and slice = next_slice and ${matches}
          union all
          (
            select id from calls
            -- The slice is added to nothing, so that the index is not asked for it.
            where seldom and company_id = ${companyId} and slice + 0 <= next_slice and ${matches}
            order by id desc limit ${most}
          )
        ) hits
      ) matching
      where next_slice is not null and found < ${most}
    )
    select matching_id as id from searched cross join unnest(ids) as matching_id order by 1 desc limit ${most}`
}

/** The text search configurations of the languages of the company's numbers. */
const spoken = (sql: Queryable, companyId: string) => sql`
  select distinct text_search_config(language) as config from business_numbers where company_id = ${companyId}`

function selectWithEveryWord(sql: Queryable, companyId: string, where: CallsWhere, query: string) {
  return sql<Scored[]>`
    with wanted as materialized (
      select websearch_to_tsquery('simple', ${query}) || websearch_to_tsquery(config, ${query}) as words
      from (${spoken(sql, companyId)}) spoken
    ),
    any_wanted as materialized (
      select string_agg('(' || words::text || ')', ' | ')::tsquery as words from wanted where numnode(words) > 0
    ),
    newest as (
      ${newestHolding(sql, companyId, where, sql`(select words from any_wanted)`, CALL_LIMITS.ranked)}
    ),
    ranked as (
      select newest.id, (select max(ts_rank_cd(c.words, wanted.words)) from wanted) as rank
      -- Each by itself: a join, planned for a company of average size, would read all calls of a large one.
      from newest cross join lateral (
        select words from calls where company_id = ${companyId} and calls.id = newest.id offset 0
      ) c
    )
    select id, coalesce(rank / nullif(max(rank) over (), 0), 1)::float8 as score
    from ranked order by rank desc, id desc limit ${CALL_LIMITS.taken}`
}

/**
 * The fewer calls have a word, the more it counts; a word that no call has counts most. Stop words of the company's
 * languages, such as "the" and "og", are not looked up.
 */
function selectWithSomeWords(sql: Queryable, companyId: string, where: CallsWhere, query: string) {
  const newest = (wanted: Fragment) => newestHolding(sql, companyId, where, wanted, CALL_LIMITS.callsOfWord)
  return sql<Scored[]>`
    with spoken as materialized (${spoken(sql, companyId)}),
    terms as materialized (
      select word, lexemes.* from (
        select word from unnest(tsvector_to_array(to_tsvector('simple', ${query}))) as word
        where word ~ '^[[:alnum:]]+$'
          and not exists (select from spoken where length(to_tsvector(config, word)) = 0)
        order by length(word) desc, word limit ${CALL_LIMITS.words}
      ) longest
      cross join lateral (
        select string_agg(quote_literal(lexeme), ' | ')::tsquery as words,
          string_agg(quote_literal(lexeme) || ':*', ' | ')
            filter (where length(lexeme) >= ${CALL_LIMITS.beginningLetters})::tsquery as beginnings
        from spoken cross join unnest(tsvector_to_array(to_tsvector(config, word))) as lexeme
      ) lexemes
    ),
    holding as materialized (
      select word, hit.id from terms cross join lateral (${newest(sql`terms.words`)}) hit
    ),
    seldom as materialized (
      select word, beginnings from terms left join holding using (word)
      where beginnings is not null group by word, beginnings having count(id) < ${CALL_LIMITS.seldomCalls}
    ),
    hits as materialized (
      select word, id from holding
      union
      select word, hit.id from seldom cross join lateral (${newest(sql`seldom.beginnings`)}) hit
    ),
    weights as (
      select word, ln(1 + ${CALL_LIMITS.callsOfWord} / greatest(count(hits.id), 0.5)) as weight
      from terms left join hits using (word) group by word
    )
    select id, (sum(weight) / (select sum(weight) from weights))::float8 as score
    from hits join weights using (word)
    group by id order by score desc, id desc limit ${CALL_LIMITS.taken}`
}
