import { parsePhoneNumberFromString } from 'libphonenumber-js/max'

import { normalizePhone } from '../../../platform/text/phone.ts'
import { isShortNumber } from '../../../platform/text/short-numbers/short-numbers.ts'

/** A leading zero is left out: phones and carriers take it for a prefix. */
export const EXTENSION = /^[1-9]\d{1,4}$/

export type ExtensionProblem = 'no_extension' | 'short_number' | 'phone_number'

/** Why these digits cannot be an extension in the country; undefined if they can. */
export function extensionProblem(digits: string, country: string): ExtensionProblem | undefined {
  if (!EXTENSION.test(digits)) return 'no_extension'
  if (isShortNumber(digits, country)) return 'short_number'
  // A few countries have national numbers that are as short.
  const number = normalizePhone(digits, country)
  return number !== undefined && parsePhoneNumberFromString(number)?.isValid() ? 'phone_number' : undefined
}

/** The first number from here is given first. */
const FIRST = 100
const LAST = 99_999

/** The lowest extension that is neither taken nor something else that is dialled. */
export function firstFreeExtension(taken: ReadonlySet<string>, country: string): string {
  for (let number = FIRST; number <= LAST; number++) {
    const digits = String(number)
    if (!taken.has(digits) && extensionProblem(digits, country) === undefined) return digits
  }
  throw new Error('every extension is taken')
}
