import { createHash } from 'node:crypto'

import type { DedicatedSql } from '../../../../server/platform/db/database.ts'

export interface Size {
  companies: number
  calls: number
  /** Texts. */
  messages: number
  /** Of webhooks, each with a delivery. */
  events: number
}

/** A company of each kind that lists are read of: the largest, and one of the middle. */
export const MEASURED = { largest: 1, middle: 20 }

/** The number of whom every company has a twentieth of its calls and texts. */
export const BUSIEST = '+4520000000'

/** In half of all transcriptions, and in one of a thousand. */
export const WORDS = { common: 'invoice', rare: 'giraffe' }

export interface Filling {
  sql: DedicatedSql
  size: Size
  tell(line: string): void
  /** Runs statements of about the same length, as many at once as there are cores. */
  runAll(statements: Statement[]): Promise<void>
}

/** What to run, and what to say of it afterwards. */
export interface Statement {
  text: string
  done: string
}

/** Of five persons three are contacts, of whom a slice has 16,384 on average. */
export const PERSONS_PER_SLICE = 27_000

/** A random number below this leads to a company. */
export const SLOTS = 10_000

/** A number below `count`, for each `n` and purpose the same in every run. */
export const scattered = (n: string, purpose: string, count: string) =>
  `((hashint8extended(${n}, ${saltOf(purpose)}) & 2147483647) % (${count}))::int`

const saltOf = (purpose: string) => createHash('sha256').update(purpose).digest().readUInt32BE(0)

/** The company of the `n`th row of a kind, joined as `c`. */
export const companyOf = (n: string, kind: string) => `
  join growth.slots s on s.slot = ${scattered(n, kind, String(SLOTS))}
  join growth.companies c using (place)`

const AT_ONCE = 500_000

/** In steps of half a million rows. */
export async function insertInSteps(
  { runAll }: Filling,
  what: string,
  count: number,
  statement: (series: string) => string,
) {
  const statements: Statement[] = []
  for (let first = 1; first <= count; first += AT_ONCE) {
    const last = Math.min(count, first + AT_ONCE - 1)
    statements.push({
      text: statement(`generate_series(${first}::bigint, ${last}::bigint)`),
      done: `${what}: ${last.toLocaleString('en')} of ${count.toLocaleString('en')}`,
    })
  }
  await runAll(statements)
}

const PARTS = 4

/** For each part of the companies; `companies` is a query for their ids. */
export async function insertByParts(
  { runAll }: Filling,
  what: string,
  statement: (companies: string) => string,
) {
  await runAll(
    Array.from({ length: PARTS }, (_, part) => ({
      text: statement(`select id from growth.companies where place % ${PARTS} = ${part}`),
      done: `${what}: part ${part + 1} of ${PARTS}`,
    })),
  )
}
