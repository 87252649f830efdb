/**
 * Goal: a company that floods the service with requests, texts, webhook deliveries or calls does not slow the requests,
 * deliveries or calls of another company by more than a fifth, beyond what the same work of any other program on the
 * machine would. The two are on the same process and the same PostgreSQL.
 */
import { type Fixture, withFixture } from '../fixture.ts'
import type { Bench, Finding } from '../measure.ts'
import { besideCalls } from './call-flood.ts'
import { besideRequests } from './request-flood.ts'
import { besideWebhooks } from './webhook-flood.ts'

const CONTACTS = { neighbour: 1_000, noisy: 5_000 }
const TOKEN = 'of-the-bench'
const UNKNOWN_NUMBER = '+4599999999'
const PATHS = { page: '/api/v1/contacts/search?limit=50', all: '/api/v1/contacts' }

export const noisyNeighbour: Bench = {
  name: 'noisy-neighbour',
  run: async () => [
    ...(await withFixture(measureFloods)),
    ...(await withFixture(besideWebhooks)),
    ...(await withFixture(besideCalls)),
  ],
}

async function measureFloods(fixture: Fixture): Promise<Finding[]> {
  const { sql } = fixture
  const noisy = await fixture.addCompany()
  const addContacts = async (companyId: string, count: number) => {
    // Each takes a lock until the statement ends.
    for (let from = 1; from <= count; from += 1_000)
      await sql`
        insert into contacts (company_id, phone, phone_formatted, name, email, company_name, note)
        select ${companyId}, '+45' || (20000000 + n), '+45 ' || (20000000 + n), 'Contact ' || n, n || '@example.com', 'Dahl', 'Red bike'
        from generate_series(${from}::int, ${from + 999}::int) as n`
  }
  await addContacts(fixture.companyId, CONTACTS.neighbour)
  await addContacts(noisy.companyId, CONTACTS.noisy)
  await sql`vacuum analyze contacts`
  const [number] = await sql<{ number: string }[]>`
    update business_numbers set sms_capable = true where company_id = ${noisy.companyId} returning number`
  const url = await fixture.startBellhop({
    SMS_PROVIDER: 'twilio',
    TWILIO_ACCOUNT_SID: 'AC0123456789abcdef0123456789abcdef',
    TWILIO_AUTH_TOKEN: TOKEN,
  })
  const neighbour = { url, path: PATHS.page, apiKey: fixture.apiKey }
  const { apiKey } = noisy
  return [
    ...(await besideRequests(fixture, 'quick requests', neighbour, {
      kind: 'requests',
      url,
      path: PATHS.page,
      apiKey,
    })),
    ...(await besideRequests(fixture, 'slow requests', neighbour, {
      kind: 'requests',
      url,
      path: PATHS.all,
      apiKey,
    })),
    ...(await besideRequests(fixture, 'texts', neighbour, {
      kind: 'texts',
      url,
      to: number!.number,
      token: TOKEN,
    })),
    ...(await besideRequests(fixture, 'texts that nobody receives', neighbour, {
      kind: 'texts',
      url,
      to: UNKNOWN_NUMBER,
      token: TOKEN,
    })),
  ]
}
