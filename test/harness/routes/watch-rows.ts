import { isDeepStrictEqual } from 'node:util'

import { expect } from 'vitest'

import type { Sql } from '../../../server/platform/db/database.ts'
import { allRows, type Rows } from './rows.ts'

export interface RowWatch {
  /** Takes a new baseline for the comparison, and forgets earlier requests. */
  lookAgain(): Promise<void>
  /** A request that must change nothing. `name` describes it in a failure; `again` repeats it. */
  note(name: string, again: () => Promise<unknown>): void
  /** Fails if a row differs from the baseline. A request that changes rows again when it is repeated is named. */
  expectNoChange(): Promise<void>
}

/** One comparison covers many requests: reading all tables takes PostgreSQL longer than a request. */
export function watchRows(sql: () => Sql): RowWatch {
  let before: Rows
  let noted: { name: string; again: () => Promise<unknown> }[] = []

  const lookAgain = async () => {
    noted = []
    before = await allRows(sql())
  }

  const changingAgain = async () => {
    const names: string[] = []
    for (const { name, again } of noted) {
      const earlier = await allRows(sql())
      await again()
      if (!isDeepStrictEqual(await allRows(sql()), earlier)) names.push(name)
    }
    return names
  }

  return {
    lookAgain,
    note: (name, again) => void noted.push({ name, again }),
    async expectNoChange() {
      const expected = before
      const found = await allRows(sql())
      const isSame = isDeepStrictEqual(found, expected)
      const names = isSame ? [] : await changingAgain()
      // The next route starts from what is there now.
      if (isSame) noted = []
      else await lookAgain()
      expect(found, `rows changed; these requests change rows again: ${names.join(', ') || 'none'}`).toEqual(
        expected,
      )
    },
  }
}
