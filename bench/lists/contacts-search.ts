/**
 * Claim: a page of a contact search costs a company with a hundred thousand contacts at most 1.5 times what it costs one
 * with five thousand, whether few, many, all or none are found. Both companies are in one database, and pages have 50
 * contacts.
 */
import type { Sql } from '../../server/platform/db/database.ts'
import { type FixtureCompany, withFixture } from '../fixture.ts'
import { load } from '../load.ts'
import { type Bench, compare, type Finding, TIMINGS } from '../measure.ts'

const CONTACTS = { many: 100_000, few: 5_000 }
const GOAL = 1 / 1.5

/** Everybody has one of these first names, so that few have the rare ones below. */
const FIRST_NAMES = ['Anna', 'Bo', 'Cecilie', 'Dorte', 'Erik', 'Frida', 'Gustav', 'Hanne', 'Ida', 'Jens']
const LAST_NAMES = ['Hansen', 'Jensen', 'Nielsen', 'Holm', 'Østergaard', 'Møller', 'Dahl', 'Krogh', 'Lund']

const SEARCHES: Record<string, string> = {
  'a name of ten': 'giraffe',
  'a name of nobody': 'zebra',
  'the number of one': '+45 20 00 79 19',
  'a number of nobody': '99 99 99 99',
  'a letter of a tenth': 'a',
  'a company of all': 'bench',
  'the country code of all': '+45',
  'a name of ten and a company of all': 'bench giraffe',
}

export const contactsSearch: Bench = {
  name: 'contacts-search',
  run: () =>
    withFixture(async ({ sql, addCompany, startBellhop }) => {
      const many = await addCompany()
      const few = await addCompany()
      await seedContacts(sql, few, CONTACTS.few)
      await seedContacts(sql, many, CONTACTS.many)
      await sql`vacuum analyze contacts`
      await sql`vacuum analyze contact_words`
      const url = await startBellhop()
      const findings: Finding[] = []
      for (const [name, q] of Object.entries(SEARCHES)) {
        const pagesOf = (company: FixtureCompany) =>
          load(url, [`/api/v1/contacts/search?${new URLSearchParams({ q }).toString()}`], {
            'x-api-key': company.apiKey,
          })
        findings.push({
          what: `GET /contacts/search for ${name}, pages/s`,
          sides: ['100,000 contacts:', '5,000 contacts:'],
          goal: GOAL,
          ...(await compare(pagesOf(many), pagesOf(few), TIMINGS.brisk)),
        })
      }
      return findings
    }),
}

/** In parts, because a statement may not take longer than requests may. */
async function seedContacts(sql: Sql, { companyId }: FixtureCompany, contacts: number): Promise<void> {
  const part = 5_000
  for (let first = 1; first <= contacts; first += part) {
    await sql`
      insert into contacts (company_id, phone, phone_formatted, name, email, company_name)
      select ${companyId}, '+45' || 20000000 + n * 7919 % 10000000, '',
        case when n % ${contacts / 10} = 0 then 'Giraffe'
          else (${FIRST_NAMES}::text[])[1 + n % ${FIRST_NAMES.length}] end
          || ' ' || (${LAST_NAMES}::text[])[1 + n / 7 % ${LAST_NAMES.length}],
        'p' || n || '@example.com', 'Bench'
      from generate_series(${first}::integer, ${first + part - 1}::integer) as n`
  }
}
