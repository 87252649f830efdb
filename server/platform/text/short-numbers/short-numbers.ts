import { EMERGENCY_NUMBER_PATTERNS, SHORT_NUMBER_PATTERNS } from './patterns.ts'

/** Longer than every short number; protects the patterns from huge inputs. */
const DIGITS_MAX = 8

const compiled = new Map<string, RegExp>()

/** Whether these digits are an emergency or short number of the country. None of them is also a national number. */
export const isShortNumber = (digits: string, country: string): boolean =>
  matches(SHORT_NUMBER_PATTERNS[country], digits)

/** Whether these digits call for help in the country. */
export const isEmergencyNumber = (digits: string, country: string): boolean =>
  matches(EMERGENCY_NUMBER_PATTERNS[country], digits)

function matches(pattern: string | undefined, digits: string): boolean {
  if (pattern === undefined || digits.length > DIGITS_MAX) return false
  let exact = compiled.get(pattern)
  if (!exact) compiled.set(pattern, (exact = new RegExp(`^(?:${pattern})$`)))
  return exact.test(digits)
}
