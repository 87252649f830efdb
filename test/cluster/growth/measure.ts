import { fetch } from 'undici'

import {
  connect,
  type Database,
  type DedicatedSql,
  openDatabase,
} from '../../../server/platform/db/database.ts'
import { type MeasuredCompany, openCompany } from './companies.ts'
import { type Comparison, costOf } from './costs.ts'
import type { FilledServer } from './database.ts'
import { MEASURED } from './fill/series.ts'
import { listsOf } from './lists.ts'
import { worksOf } from './writes.ts'

/** What grows with more than the pages that it shows; docs/operating/scale.md says so. */
const EXCUSES: Record<string, string> = {
  '/calls/today': 'counts the calls of the day',
  '/activity/unseen': 'counts the threads that nobody has seen',
  'leases on endpoints': 'asks every endpoint that has something waiting',
  'gauge of overdue deliveries': 'asks every endpoint',
}

/** One of the two databases, with its API. */
export interface Side {
  /** Of its API. */
  address: string
  /** The superuser's, to look at the statistics. */
  sql: DedicatedSql
  /** As the service connects to it. */
  db: Database
  companies: Record<string, MeasuredCompany>
}

export async function openSide(
  server: FilledServer,
  name: string,
  api: string,
  secret: string,
  closes: (() => Promise<void> | void)[],
): Promise<Side> {
  const address = await server.database(name)
  const sql = connect(address, { max: 1, statement_timeout: 0 })
  closes.push(() => sql.end())
  const db = openDatabase(address, { poolSize: 1 })
  closes.push(() => db.close())
  const companies: Record<string, MeasuredCompany> = {}
  for (const [size, place] of Object.entries(MEASURED))
    companies[size] = await openCompany(sql, place, secret)
  return { address: api, sql, db, companies }
}

export async function* compareLists({ small, full }: { small: Side; full: Side }): AsyncIterable<Comparison> {
  const searches = await costliestSearches(small)
  for (const size of Object.keys(MEASURED)) {
    const [fewer, more] = [small.companies[size]!, full.companies[size]!]
    const pathsOfFull = listsOf(more)
    for (const [index, path] of listsOf(fewer).entries()) {
      const ofSmall = searches.get(searchedList(path)) ?? (await costOfPath(small, fewer, path))
      const ofFull = await costOfPath(full, more, pathsOfFull[index]!)
      yield {
        what: `${size}: GET ${path.replace(/(num|web)_[a-z0-9]+/, '…')}`,
        small: ofSmall.cost,
        full: ofFull.cost,
        items: { small: ofSmall.items, full: ofFull.items },
        excuse: EXCUSES[path.split('?', 1)[0]!],
      }
    }
  }
}

/**
 * What a search of each list costs in the largest company of the smaller database, at most. A search reads matches up to
 * its limits: one that has few there and many in the other database is compared with one that has many in both.
 */
async function costliestSearches(small: Side): Promise<Map<string, CostOfPath>> {
  const company = small.companies.largest!
  const costliest = new Map<string, CostOfPath>()
  for (const path of listsOf(company)) {
    const list = searchedList(path)
    if (list === '') continue
    const [one, other] = [costliest.get(list), await costOfPath(small, company, path)]
    costliest.set(list, one && one.cost.pages > other.cost.pages ? one : other)
  }
  return costliest
}

/** The path without what is searched for; empty if nothing is. */
const searchedList = (path: string) => (SEARCH.test(path) ? path.replace(SEARCH, '') : '')
const SEARCH = /\bq(uery)?=\w+/

type CostOfPath = Awaited<ReturnType<typeof costOfPath>>

async function costOfPath({ address, sql }: Side, { key }: MeasuredCompany, path: string) {
  let items = 1
  const cost = await costOf(sql, async () => {
    const response = await fetch(`http://${address}/api/v1${path}`, { headers: { 'x-api-key': key } })
    const body = await response.text()
    if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${body}`)
    items = itemsOf(body)
  })
  return { cost, items }
}

/** The entries of the list, or 1 if it is none. */
function itemsOf(body: string): number {
  const answer: unknown = body === '' ? {} : JSON.parse(body)
  const list = Array.isArray(answer) ? answer : Object.values(answer as object).find(Array.isArray)
  return list?.length ?? 1
}

export async function* compareWorks(
  { small, full }: { small: Side; full: Side },
  secret: string,
): AsyncIterable<Comparison> {
  const worksOfSmall = await worksOf(small.db, small.companies.largest!, secret)
  const worksOfFull = await worksOf(full.db, full.companies.largest!, secret)
  for (const [what, work] of Object.entries(worksOfSmall)) {
    const rounds = { warmUp: 7, counted: 20 }
    yield {
      what,
      small: await costOf(small.sql, work, rounds),
      full: await costOf(full.sql, worksOfFull[what]!, rounds),
      excuse: EXCUSES[what],
    }
  }
}
