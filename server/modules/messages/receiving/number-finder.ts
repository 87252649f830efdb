import type { FairTurns } from '../../../platform/async/fair-turns.ts'
import type { Dependencies } from '../../../platform/dependencies.ts'
import { fail, notFound } from '../../../platform/errors.ts'
import { findNumberThatReceives, type TextingNumber } from '../../numbers/index.ts'
import { MESSAGE_LIMITS } from '../limits.ts'

/** In whose turns numbers without a company are looked up. */
export const NOBODY = 'nobody'

/**
 * Finds the business number of a callback. One that could not receive the last time is looked up in the turns of nobody:
 * a flood to it has no company, and would slow all of them.
 */
export function createNumberFinder({ db, turns }: Dependencies<'db'> & { turns: FairTurns }) {
  const unable = new Set<string>()

  async function find(number: string): Promise<TextingNumber | undefined> {
    const found = await findNumberThatReceives(db.sql, number)
    if (found) unable.delete(number)
    else {
      if (unable.size >= MESSAGE_LIMITS.numbersRemembered) unable.clear()
      unable.add(number)
    }
    return found
  }

  return async (number: string): Promise<TextingNumber> => {
    const found = unable.has(number) ? await turns.run(NOBODY, () => find(number)) : await find(number)
    return found ?? fail(notFound())
  }
}
