import { z } from 'zod'

import type { Database } from '../../platform/db/database.ts'
import { AppError, fail, notFound } from '../../platform/errors.ts'
import { type Actor, type Route, route } from '../../platform/http/route.ts'
import { findNumberToTry } from '../numbers/index.ts'

/** Calls and texts of simulated customers, which reach the company like real ones. */
export interface SimulatedCustomers {
  /** Calls the number and speaks to whoever answers. False if there are too many simulated calls. */
  call?: (call: { from: string; to: string }) => boolean
  text?: (text: { from: string; to: string; text: string }) => Promise<void>
}

export interface SimulatorParts {
  db: Database
  people: SimulatedCustomers
}

const tooMany = () =>
  new AppError({
    status: 429,
    code: 'too_many_simulated_calls',
    message: 'There are too many simulated calls. Wait until one of them ends.',
  })
const noNumber = () =>
  new AppError({ status: 409, code: 'no_business_number', message: 'Add a business number first.' })

const OFF = { when: 'The simulator is off.' }
const NO_NUMBER = { when: 'The company has no business number: `no_business_number`.' }

const PERSON = '+4520304050'
const TEXT = 'Hi! Is my bike ready? Best regards, Mikkel'

const Simulated = z
  .object({ from: z.string(), to: z.string().meta({ description: 'The business number.' }) })
  .meta({ id: 'Simulated' })

/** Where the simulator is off, these routes respond with 404, as if they did not exist. */
export const simulatorRoutes = ({ db, people }: SimulatorParts): Route[] => [
  route(
    {
      method: 'GET',
      path: '/simulator',
      name: 'get_simulator',
      summary: 'Read what can be simulated, if the simulator is on',
      toolSet: 'administration',
      reply: { 200: z.object({ calls: z.boolean(), texts: z.boolean() }).meta({ id: 'Simulator' }) },
      refusals: { 404: OFF },
    },
    () => {
      const can = { calls: people.call !== undefined, texts: people.text !== undefined }
      return can.calls || can.texts ? can : fail(notFound())
    },
  ),
  route(
    {
      method: 'POST',
      path: '/simulated_calls',
      name: 'simulate_call',
      summary: 'Have a simulated customer call the company, if the simulator is on',
      toolSet: 'administration',
      reply: { 202: Simulated },
      refusals: {
        404: OFF,
        409: NO_NUMBER,
        429: { when: 'There are too many simulated calls: `too_many_simulated_calls`.' },
      },
    },
    async ({ actor }) => {
      const call = people.call ?? fail(notFound())
      const simulated = { from: PERSON, to: await numberOf(db, actor, 'for calls') }
      return call(simulated) ? simulated : fail(tooMany())
    },
  ),
  route(
    {
      method: 'POST',
      path: '/simulated_texts',
      name: 'simulate_text',
      summary: 'Have a simulated customer text the company, if the simulator is on',
      toolSet: 'administration',
      reply: { 202: Simulated },
      refusals: { 404: OFF, 409: NO_NUMBER },
    },
    async ({ actor }) => {
      const text = people.text ?? fail(notFound())
      const simulated = { from: PERSON, to: await numberOf(db, actor, 'for texts') }
      await text({ ...simulated, text: TEXT })
      return simulated
    },
  ),
]

const numberOf = async (db: Database, actor: Actor, wanted: 'for calls' | 'for texts'): Promise<string> =>
  (await findNumberToTry(db.sql, actor, wanted)) ?? fail(noNumber())
