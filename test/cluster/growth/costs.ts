import type { DedicatedSql } from '../../../server/platform/db/database.ts'

/** What something costs PostgreSQL, on average of its repetitions. */
export interface Cost {
  /** Pages of 8 kB that were read or changed, from memory or from disk. */
  pages: number
  /** The shortest time of each statement, so that other programs of the machine do not count. */
  ms: number
  /** Statements, the most expensive first. */
  statements: { query: string; pages: number }[]
}

/** PostgreSQL plans a prepared statement anew five times before it settles on a plan. */
const ROUNDS = { warmUp: 7, counted: 5 }

/** All that happens in the database while `run` is repeated counts. */
export async function costOf(sql: DedicatedSql, run: () => Promise<void>, rounds = ROUNDS): Promise<Cost> {
  for (let round = 0; round < rounds.warmUp; round++) await run()
  await sql`
    select pg_stat_statements_reset(0, (select oid from pg_database where datname = current_database()), 0)`
  for (let round = 0; round < rounds.counted; round++) await run()
  const rows = await sql<{ query: string; pages: number; ms: number }[]>`
    select query, (shared_blks_hit + shared_blks_read)::float8 / ${rounds.counted} as pages,
      min_exec_time * calls / ${rounds.counted} as ms
    from pg_stat_statements
    where dbid = (select oid from pg_database where datname = current_database())
      and query not like '%pg_stat_statements%'
    order by 2 desc`
  return {
    pages: rows.reduce((sum, { pages }) => sum + pages, 0),
    ms: rows.reduce((sum, { ms }) => sum + ms, 0),
    statements: rows.map(({ query, pages }) => ({ query: query.replace(/\s+/g, ' ').trim(), pages })),
  }
}

export interface Comparison {
  what: string
  full: Cost
  small: Cost
  /** Entries of the list: the small database does not fill every page. */
  items?: { small: number; full: number }
  /** Why it may cost more, if it may. */
  excuse?: string
}

/** What a list may cost, as a multiple of what it costs in the small database; 50 pages take less than 0.1 ms. */
const ALLOWED = { times: 1.5, morePages: 50 }

/** As if both lists had the same length. */
const growthIn = ({ full, small, items = { small: 1, full: 1 } }: Comparison, unit: 'pages' | 'ms') =>
  full[unit] / small[unit] / Math.max(1, items.full / Math.max(1, items.small))

export const growthOf = (comparison: Comparison) => growthIn(comparison, 'pages')

/**
 * In pages and in time: pages count the levels of an index, each of which takes a hundred times the rows to be added, and
 * times depend on what else the machine does. An empty list has nothing to compare with.
 */
export const isOver = (comparison: Comparison) =>
  comparison.excuse === undefined &&
  comparison.items?.small !== 0 &&
  growthIn(comparison, 'pages') > ALLOWED.times &&
  growthIn(comparison, 'ms') > ALLOWED.times &&
  comparison.full.pages - comparison.small.pages > ALLOWED.morePages

export function lineOf(comparison: Comparison): string {
  const { what, full, small, items, excuse } = comparison
  return [
    what.padEnd(62),
    `${small.pages.toFixed(0).padStart(6)} → ${full.pages.toFixed(0).padStart(6)} pages`,
    `× ${growthOf(comparison).toFixed(2)}`,
    `${small.ms.toFixed(2).padStart(6)} → ${full.ms.toFixed(2).padStart(6)} ms`,
    items && items.small !== items.full ? `(${items.small} → ${items.full} items)` : '',
    isOver(comparison) ? 'OVER' : '',
    excuse ?? '',
  ].join('  ')
}
