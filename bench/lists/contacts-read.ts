/**
 * Claim: reading a contact by its id with an API key costs little more than the query itself. Bellhop as it runs in
 * production (key check, validation, response check, request log, metrics) serves at least 0.75 times as many requests
 * as a bare Fastify route that runs the same SELECT through the same driver with as many connections, and neither
 * authenticates nor logs.
 */
import { encodeId } from '../../server/platform/ids.ts'
import { withFixture } from '../fixture.ts'
import { load } from '../load.ts'
import { type Bench, compare, TIMINGS } from '../measure.ts'

const CONTACTS = 1_000

export const contactsRead: Bench = {
  name: 'contacts-read',
  run: () =>
    withFixture(async ({ sql, companyId, apiKey, startBellhop, startBare }) => {
      const contacts = await sql<{ id: string }[]>`
        insert into contacts (company_id, phone, phone_formatted, name, email, company_name, note)
        select ${companyId}, '+45' || (20000000 + n), '+45 ' || (20000000 + n), 'Contact ' || n, n || '@example.com', 'Dahl', 'Red bike'
        from generate_series(1, ${CONTACTS}) as n returning id`
      await sql`vacuum analyze contacts`
      const ours = contacts.map(({ id }) => `/api/v1/contacts/${encodeId('con', id)}`)
      const bare = contacts.map(({ id }) => `/contacts/${id}`)
      const comparison = await compare(
        load(await startBellhop(), ours, { 'x-api-key': apiKey }),
        load(await startBare('lists/contacts-read.bare.js'), bare),
        TIMINGS.thorough,
      )
      return [
        { what: 'GET /contacts/:id, requests/s', sides: ['Bellhop', 'bare'], goal: 0.75, ...comparison },
      ]
    }),
}
