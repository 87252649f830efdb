/**
 * Claim: a page of calls costs a company with a million of them at most 1.5 times what it costs one with ten thousand,
 * whatever the filters, and also in a search for words that half of them contain, ten of them, or none. Both companies
 * are in one database, and pages have 50 calls.
 */
import { encodeId } from '../../server/platform/ids.ts'
import { withFixture, type FixtureCompany } from '../fixture.ts'
import { load } from '../load.ts'
import { type Bench, compare, type Finding, TIMINGS } from '../measure.ts'
import { COMMON_WORD, NO_WORD, RARE_WORD, seedCalls } from '../seed.ts'

const CALLS = { many: 1_000_000, few: 10_000 }
const GOAL = 1 / 1.5

type Query = (company: FixtureCompany) => Record<string, string>

const PAGES: Record<string, Query> = {
  'without a filter': () => ({}),
  'of a number': ({ numberIds }) => ({ main_number_id: encodeId('num', numberIds[0]) }),
  outbound: () => ({ direction: 'outbound' }),
  'of a number, outbound': ({ numberIds }) => ({
    main_number_id: encodeId('num', numberIds[0]),
    direction: 'outbound',
  }),
  'of a person': () => ({ phone_number: '+4520000007' }),
  'of nobody': () => ({ phone_number: '+4599999999' }),
  'in progress (none)': () => ({ state: 'bridged' }),
  'with a word of half of them': () => ({ query: COMMON_WORD }),
  'with a word of ten of them': () => ({ query: RARE_WORD }),
  'with a word of none of them': () => ({ query: NO_WORD }),
}

export const callsList: Bench = {
  name: 'calls-list',
  run: () =>
    withFixture(async ({ db, addCompany, startBellhop }) => {
      const many = await addCompany()
      const few = await addCompany()
      await seedCalls(db, [
        { ...few, calls: CALLS.few },
        { ...many, calls: CALLS.many },
      ])
      const url = await startBellhop()
      const findings: Finding[] = []
      for (const [name, query] of Object.entries(PAGES)) {
        const pagesOf = (company: FixtureCompany) => {
          const path = `/api/v1/calls?${new URLSearchParams({ limit: '50', ...query(company) }).toString()}`
          return load(url, [path], { 'x-api-key': company.apiKey })
        }
        findings.push({
          what: `GET /calls ${name}, pages/s`,
          sides: ['1,000,000 calls:', '10,000 calls:'],
          goal: GOAL,
          ...(await compare(pagesOf(many), pagesOf(few), TIMINGS.brisk)),
        })
      }
      return findings
    }),
}
