import type { Queryable } from '../../../platform/db/database.ts'
import { normalizePhone } from '../../../platform/text/phone.ts'
import { searchContactPhones } from '../../contacts/index.ts'
import { INBOX_LIMITS } from '../limits.ts'
import type { View } from '../view.ts'
import { selectPhonesWith } from './search-queries.ts'

/** The external numbers that match a search: these, and all that contain `part`, if given. */
export interface PhoneMatch {
  phones: string[]
  part?: string
}

/** Searches contacts and phone numbers; never transcripts or texts. */
export async function findPhones(sql: Queryable, view: View, query: string): Promise<PhoneMatch> {
  const known = await searchContactPhones(sql, view.companyId, wordsOf(query), INBOX_LIMITS.contactCandidates)
  const part = digitsOf(query)
  if (part === undefined) return { phones: known }
  const whole = normalizePhone(query, view.country)
  const phones = whole === undefined ? known : [...known, whole]
  const found = await selectPhonesWith(sql, view.companyId, part, INBOX_LIMITS.phonesLookedUp)
  return found ? { phones: [...new Set([...phones, ...found])] } : { phones, part }
}

function wordsOf(query: string): string {
  const words = query.replace(/\s+/g, ' ')
  return Array.from(words).length < INBOX_LIMITS.charactersAnywhere ? ` ${words}` : words
}

/** The digits of a query that can only be a phone number, without the international prefix. */
function digitsOf(query: string): string | undefined {
  if (!/^[\d\s().+-]*\d[\d\s().+-]*$/.test(query)) return undefined
  const digits = query.replace(/\D/g, '')
  return /^00\d/.test(digits) ? digits.slice(2) : digits
}
