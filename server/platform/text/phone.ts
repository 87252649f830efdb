import {
  type CountryCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
  PhoneNumber,
} from 'libphonenumber-js/max'

import { isShortNumber } from './short-numbers/short-numbers.ts'

/** Longer than any notation of a phone number; protects the parser from huge inputs. */
const INPUT_CHARACTERS_MAX = 64

/** For numbers that are international already. */
const NO_COUNTRY = ''

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

/** Stands for the number of a caller who withholds it. */
export const WITHHELD_NUMBER = 'anonymous'

/** Whether these are digits, too few for a phone number. In some countries they could also be a national one. */
export const isShortCode = (text: string) => /^\d{1,6}$/.test(text)

/**
 * The number of a caller or sender as a carrier or SMS provider gave it: in E.164 if it can be a phone number, else
 * unchanged, since it may be a short code or a name.
 */
export function remoteNumberOf(given: string, country: string): string {
  const text = given.replace(/\p{C}/gu, '').trim()
  if (text === '') return WITHHELD_NUMBER
  if (isShortCode(text)) return text
  return normalizePhone(text, country) ?? normalizePhone(`+${text}`, country) ?? text
}

/** Whether it is a phone number in E.164, and not the name of a caller or sender without one. */
export const isPhoneNumber = (text: string) =>
  text.startsWith('+') && normalizePhone(text, NO_COUNTRY) === text

/** Whether it is an emergency or short number of its country, written as if it could be called from everywhere. */
export function isShortNumberAbroad(e164: string): boolean {
  const parsed = parsePhoneNumberFromString(e164)
  const country = parsed?.country ?? parsed?.getPossibleCountries()[0]
  return country !== undefined && isShortNumber(parsed!.nationalNumber, country)
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
