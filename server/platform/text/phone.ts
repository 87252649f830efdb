import {
  type CountryCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
  PhoneNumber,
} from 'libphonenumber-js/max'

/** Longer than any notation of a phone number; protects the parser from huge inputs. */
const INPUT_CHARACTERS_MAX = 64

/**
 * The E.164 form of a number as people write it, with national formats as in `country`; undefined if it cannot be
 * a phone number.
 */
export function normalizePhone(input: string, country: string): string | undefined {
  if (input.length > INPUT_CHARACTERS_MAX) return undefined
  const defaultCountry: CountryCode | undefined = isSupportedCountry(country) ? country : undefined
  const parsed = parsePhoneNumberFromString(withoutDecoration(input), { defaultCountry, extract: false })
  if (!parsed?.isPossible() || parsed.ext) return undefined
  return parsed.number
}

/** Without the scheme of a link, the punctuation of a sentence, and brackets around the country code. */
function withoutDecoration(input: string): string {
  return (
    input
      .trim()
      // The parser itself reads the parameters of RFC 3966.
      .replace(/^tel:(?!.*;)/i, '')
      .replace(/[\s.,;]+$/, '')
      .replace(/^\(\s*\+(\d+)\s*\)/, '+$1')
  )
}

/** International format with spaces, for people to read. */
export function formatPhone(e164: string): string {
  try {
    // Not parsed again: parsing costs more than formatting, and drops a zero in some numbers.
    return new PhoneNumber(e164).formatInternational()
  } catch {
    // What is no number is shown as it is written.
    return e164
  }
}

/** How people in its country write a number: digits only, and with spaces. */
export function phoneSpellings(e164: string): string[] {
  const number = parsePhoneNumberFromString(e164)
  if (!number) return [e164]
  return [...new Set([number.nationalNumber, number.formatNational()])]
}
