import type { Queryable } from '../../../platform/db/database.ts'
import { NUMBER_LIMITS } from '../limits.ts'
import { type CalledNumber, findNumberCalled } from './called-number.ts'

/** The numbers of the latest calls in memory, as they were then. */
export interface NumberCache {
  /** One that may have changed meanwhile: whoever uses it has `unchangedNumber` check that it has not. */
  find(meant: string[]): CalledNumber | undefined
  /** As `findNumberCalled`. */
  read(sql: Queryable, meant: string[]): Promise<CalledNumber | undefined>
}

export function createNumberCache(): NumberCache {
  const kept = new Map<string, CalledNumber>()

  function keep(number: CalledNumber): void {
    kept.delete(number.number)
    kept.set(number.number, number)
    for (const oldest of kept.keys()) {
      if (kept.size <= NUMBER_LIMITS.numbersKept) break
      kept.delete(oldest)
    }
  }

  return {
    // Any other meaning could become that of a number that is added.
    find: ([first = '']) => kept.get(international(first)),
    async read(sql, meant) {
      kept.delete(international(meant[0] ?? ''))
      const number = await findNumberCalled(sql, meant)
      if (number) keep(number)
      return number
    },
  }
}

const international = (text: string) => (text.startsWith('+') ? text : `+${text}`)
