import type { Queryable } from '../../../platform/db/database.ts'
import { CONTACT_LIMITS } from '../limits.ts'
import { selectSearchWords, type Term } from './queries.ts'

/** What a contact must have to be found; none if there is nothing in the query to look for. */
export async function termsOf(sql: Queryable, query: string): Promise<Term[]> {
  const digits = digitsOf(query)
  if (digits !== undefined) return [digits.startsWith('0') ? [digits, digits.slice(1)] : [digits]]
  const words = await selectSearchWords(sql, query)
  const isImplied = (word: string) => words.some((other) => other !== word && other.startsWith(word))
  return words
    .filter((word) => !isImplied(word))
    .slice(0, CONTACT_LIMITS.searchedWords)
    .map((word) => [word])
}

/** The digits of a query that can only be a phone number, without the international prefix. */
function digitsOf(query: string): string | undefined {
  const written = query.replace(/^tel:/i, '')
  if (!/^[\d\s()./+-]*\d[\d\s()./+-]*$/.test(written)) return undefined
  // The zero of `+46 (0)70` is dialled only within the country.
  const digits = written.replace(/(?<=\d\s*)\(0\)/, '').replace(/\D/g, '')
  return /^00\d/.test(digits) ? digits.slice(2) : digits
}
