/**
 * Claim: a page of the inbox costs a company with a million items in a hundred thousand threads at most 1.5 times what
 * it costs one with ten thousand items in a thousand threads, wherever the page is and whatever the filter. Both
 * companies are in one database, pages have 50 threads, and both sides of a comparison have as many threads.
 */
import { Pool } from 'undici'

import { encodeId } from '../../server/platform/ids.ts'
import { withFixture, type FixtureCompany } from '../fixture.ts'
import { load } from '../load.ts'
import { type Bench, compare, type Finding, TIMINGS } from '../measure.ts'
import { COMMON_WORD, phoneOf, RARE_NAME, seedInboxes, TEXT_KEYS } from './seed-inbox.ts'

const THREADS = { many: 100_000, few: 1_000 }
const GOAL = 1 / 1.5
/** The number that the smaller company has. */
const DEEP_PAGES = { many: 1_000, few: 18 }

type Filter = (company: FixtureCompany) => Record<string, string>

const LISTS: Record<string, Filter> = {
  'first page': () => ({}),
  'of a number': ({ numberIds }) => ({ business_number_id: encodeId('num', numberIds[0]) }),
  'unseen only': () => ({ unseen: 'true' }),
  'a name of sixty contacts': () => ({ query: RARE_NAME }),
  'a word of all contacts': () => ({ query: COMMON_WORD }),
  'a word of none': () => ({ query: 'zebra' }),
  'a phone number': () => ({ query: '20 00 05 55' }),
  'a part of all phone numbers': () => ({ query: '+45 2' }),
}

export const inbox: Bench = {
  name: 'inbox',
  run: () =>
    withFixture(async ({ db, addCompany, startBellhop }) => {
      const many = await addCompany()
      const few = await addCompany()
      await seedInboxes(db, [
        { ...few, threads: THREADS.few },
        { ...many, threads: THREADS.many },
      ])
      const url = await startBellhop(TEXT_KEYS)
      const findings: Finding[] = []
      const measure = async (what: string, pathOf: (company: FixtureCompany) => string) => {
        const reads = (company: FixtureCompany) =>
          load(url, [pathOf(company)], { 'x-api-key': company.apiKey })
        findings.push({
          what: `${what}, pages/s`,
          sides: ['1,000,000 items:', '10,000 items:'],
          goal: GOAL,
          ...(await compare(reads(many), reads(few), TIMINGS.brisk)),
        })
      }
      for (const [name, filter] of Object.entries(LISTS)) {
        await measure(`GET /inbox ${name}`, (company) => listPath(filter(company)))
      }
      const deep = new Map([
        [many, await cursorAt(url, many, DEEP_PAGES.many)],
        [few, await cursorAt(url, few, DEEP_PAGES.few)],
      ])
      await measure('GET /inbox 1,000 pages deep', (company) => listPath({ cursor: deep.get(company)! }))
      await measure('GET /activity', () => `/api/v1/inbox/${phoneOf(555)}/activity`)
      return findings
    }),
}

const listPath = (filter: Record<string, string>) =>
  `/api/v1/inbox?${new URLSearchParams({ limit: '50', ...filter }).toString()}`

/** Pages through, as a client would. */
async function cursorAt(url: string, { apiKey }: FixtureCompany, pages: number): Promise<string> {
  const pool = new Pool(url, { connections: 1 })
  let cursor: string | undefined
  for (let page = 1; page < pages; page++) {
    const path = listPath(cursor === undefined ? {} : { cursor })
    const { body } = await pool.request({ method: 'GET', path, headers: { 'x-api-key': apiKey } })
    const { next_cursor } = (await body.json()) as { next_cursor: string | null }
    if (next_cursor === null) throw new Error(`the inbox ends at page ${page}`)
    cursor = next_cursor
  }
  await pool.close()
  return cursor!
}
