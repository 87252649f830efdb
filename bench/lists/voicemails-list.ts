/**
 * Claim: the list of voicemails, which is not paged, costs a company with a hundred thousand of them at most 1.5 times
 * as much for each as one with ten thousand. The time to its first bytes is measured as well: before them those not
 * listened to are counted, a fifth of all.
 */
import { Client } from 'undici'

import { withFixture, type FixtureCompany } from '../fixture.ts'
import { type Bench, compare, type Contender, TIMINGS } from '../measure.ts'
import { seedVoicemails } from '../seed.ts'

const VOICEMAILS = { many: 100_000, few: 10_000 }

export const voicemailsList: Bench = {
  name: 'voicemails-list',
  run: () =>
    withFixture(async ({ db, addCompany, startBellhop }) => {
      const many = await addCompany()
      const few = await addCompany()
      await seedVoicemails(db, few, VOICEMAILS.few)
      await seedVoicemails(db, many, VOICEMAILS.many)
      const url = await startBellhop()
      const claim = {
        sides: ['100,000 voicemails:', '10,000 voicemails:'] as [string, string],
        goal: 1 / 1.5,
      }
      const whole = await compare(
        readWhole(url, many, VOICEMAILS.many),
        readWhole(url, few, VOICEMAILS.few),
        TIMINGS.heavy,
      )
      const beginning = await compare(readBeginning(url, many), readBeginning(url, few), TIMINGS.brisk)
      return [
        { what: 'GET /voicemails, voicemails/s', ...claim, ...whole },
        { what: 'GET /voicemails until the first bytes, 1/s', ...claim, ...beginning },
      ]
    }),
}

const wanted = ({ apiKey }: FixtureCompany) => ({
  method: 'GET' as const,
  path: '/api/v1/voicemails',
  headers: { 'x-api-key': apiKey },
})

/** Reads the list repeatedly; counts voicemails per second. */
function readWhole(url: string, company: FixtureCompany, voicemails: number): Contender {
  const client = new Client(url)
  return async (ms) => {
    const start = performance.now()
    let read = 0
    while (performance.now() - start < ms) {
      const { statusCode, body } = await client.request(wanted(company))
      let bytes = 0
      for await (const chunk of body) bytes += (chunk as Buffer).length
      if (statusCode !== 200 || bytes < voicemails * 100) throw new Error(`${statusCode}, ${bytes} bytes`)
      read += voicemails
    }
    return (read / (performance.now() - start)) * 1000
  }
}

/** Disconnects at the first bytes; counts how many times per second they arrive. */
function readBeginning(url: string, company: FixtureCompany): Contender {
  return async (ms) => {
    const start = performance.now()
    let waitedMs = 0
    let begun = 0
    while (performance.now() - start < ms) {
      const client = new Client(url)
      const asked = performance.now()
      const { body } = await client.request(wanted(company))
      for await (const _ of body) break
      waitedMs += performance.now() - asked
      begun++
      await client.destroy()
    }
    return (begun / waitedMs) * 1000
  }
}
