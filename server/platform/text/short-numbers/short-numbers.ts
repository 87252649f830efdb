import { SHORT_NUMBER_PATTERNS } from './patterns.ts'

/** Longer than every short number; protects the patterns from huge inputs. */
const DIGITS_MAX = 8

const compiled = new Map<string, RegExp>()

/** Whether these digits are an emergency or short number of the country. None of them is also a national number. */
export function isShortNumber(digits: string, country: string): boolean {
  const pattern = SHORT_NUMBER_PATTERNS[country]
  if (pattern === undefined || digits.length > DIGITS_MAX) return false
  let exact = compiled.get(country)
  if (!exact) compiled.set(country, (exact = new RegExp(`^(?:${pattern})$`)))
  return exact.test(digits)
}
