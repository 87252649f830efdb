import type { Queryable, Tx } from '../../platform/db/database.ts'
import { fail, notFound } from '../../platform/errors.ts'
import type { Actor } from '../../platform/http/route.ts'
import { formatPhone } from '../../platform/text/phone.ts'
import type { SimulatedCustomers } from '../simulator/index.ts'
import { deleteDismissal, insertDismissal, selectOnboarding } from './queries.ts'
import { type Onboarding, type OnboardingUpdate, STEPS } from './schemas.ts'

/** What a newcomer has yet to see, and what of it has happened. */
export async function readOnboarding(
  sql: Queryable,
  people: SimulatedCustomers,
  actor: Actor,
): Promise<Onboarding> {
  const { dismissed, may_text, number, number_for_texts, ...done } =
    (await selectOnboarding(sql, actor)) ?? fail(notFound())
  return {
    dismissed,
    demo: number !== null && !done.add_number,
    number: formatted(number),
    number_for_texts: formatted(number_for_texts),
    simulated_calls: people.call !== undefined,
    simulated_texts: people.text !== undefined,
    steps: STEPS.filter((step) => step !== 'receive_text' || may_text).map((step) => ({
      step,
      done: done[step],
    })),
  }
}

export async function updateOnboarding(
  tx: Tx,
  people: SimulatedCustomers,
  actor: Actor,
  { dismissed }: OnboardingUpdate,
): Promise<Onboarding> {
  await (dismissed ? insertDismissal(tx, actor) : deleteDismissal(tx, actor))
  return readOnboarding(tx, people, actor)
}

const formatted = (number: string | null) =>
  number === null ? null : { number, number_formatted: formatPhone(number) }
