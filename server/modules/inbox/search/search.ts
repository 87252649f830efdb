import type { Queryable } from '../../../platform/db/database.ts'
import { normalizePhone } from '../../../platform/text/phone.ts'
import { searchContactPhones } from '../../contacts/index.ts'
import { INBOX_LIMITS } from '../limits.ts'
import type { View } from '../view.ts'
import { hasThread, selectPhonesWith, selectSendersWith } from './search-queries.ts'

/** The external numbers that match a search: these, and all that contain `part`, if given. */
export interface PhoneMatch {
  phones: string[]
  part?: string
}

/** Searches contacts and phone numbers; never transcripts or texts. */
export async function findPhones(sql: Queryable, view: View, query: string): Promise<PhoneMatch> {
  const words = wordsOf(query)
  if (words.trim() === '') return { phones: [] }
  const known = await searchContactPhones(sql, view.companyId, {
    words,
    condition: hasThread(sql, view),
    limit: INBOX_LIMITS.contactCandidates,
  })
  const part = digitsOf(query)
  if (part === undefined) {
    const names = await selectSendersWith(sql, view.companyId, words, INBOX_LIMITS.phonesLookedUp)
    return { phones: [...new Set([...known, ...names])] }
  }
  const whole = normalizePhone(query, view.country)
  const phones = whole === undefined ? known : [...known, whole]
  const found = await selectPhonesWith(sql, view.companyId, part, INBOX_LIMITS.phonesLookedUp)
  return found ? { phones: [...new Set([...phones, ...found])] } : { phones, part }
}

const COMBINING_MARKS = /[\u0300-\u036f]/g

/** Scripts that do not put spaces between words, or whose one letter is a whole syllable. */
const WITHOUT_SPACES =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}]/u

function wordsOf(query: string): string {
  const words = query.normalize('NFKD').replace(COMBINING_MARKS, '').normalize('NFC').replace(/\s+/g, ' ')
  const isShort = Array.from(words).length < INBOX_LIMITS.charactersAnywhere
  return isShort && !WITHOUT_SPACES.test(words) ? ` ${words}` : words
}

/** The digits of a query that can only be a phone number, without the international prefix. */
function digitsOf(query: string): string | undefined {
  if (!/^[\d\s().+-]*\d[\d\s().+-]*$/.test(query)) return undefined
  const digits = query.replace(/\D/g, '')
  return /^00\d/.test(digits) ? digits.slice(2) : digits
}
