import { parsePhoneNumberFromString } from 'libphonenumber-js/max'

import { canSpeak } from '../../speech/port.ts'

const CONTINENT = /^(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)\//
const CAPITALISED = /^[A-Z][a-z]+([/_-][A-Z][a-z]+)*$/

/** In the spelling of IANA: Intl accepts any case, but PostgreSQL and others may not. */
export function isCityTimezone(timezone: string): boolean {
  if (!CONTINENT.test(timezone)) return false
  const known = knownAs(timezone)
  // Intl may list a city under its older name (Kolkata as Calcutta), which does not tell the case of the newer one.
  if (known?.toLowerCase() !== timezone.toLowerCase())
    return known !== undefined && CAPITALISED.test(timezone)
  return known === timezone
}

function knownAs(timezone: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions().timeZone
  } catch {
    // Intl throws for a time zone that it does not know.
    return undefined
  }
}

/** Countries for which Intl lists no time zone, an outdated one, or first one that few people live in. */
const MAIN_TIMEZONE: Record<string, string> = {
  AR: 'America/Argentina/Buenos_Aires',
  AU: 'Australia/Sydney',
  BR: 'America/Sao_Paulo',
  CA: 'America/Toronto',
  CL: 'America/Santiago',
  CY: 'Asia/Nicosia',
  DE: 'Europe/Berlin',
  ER: 'Africa/Asmara',
  ES: 'Europe/Madrid',
  FM: 'Pacific/Pohnpei',
  FO: 'Atlantic/Faroe',
  GL: 'America/Nuuk',
  IN: 'Asia/Kolkata',
  KI: 'Pacific/Tarawa',
  MH: 'Pacific/Majuro',
  MM: 'Asia/Yangon',
  MN: 'Asia/Ulaanbaatar',
  MX: 'America/Mexico_City',
  NP: 'Asia/Kathmandu',
  NZ: 'Pacific/Auckland',
  PF: 'Pacific/Tahiti',
  PG: 'Pacific/Port_Moresby',
  PT: 'Europe/Lisbon',
  RU: 'Europe/Moscow',
  UA: 'Europe/Kyiv',
  US: 'America/New_York',
  UZ: 'Asia/Tashkent',
  VN: 'Asia/Ho_Chi_Minh',
  XK: 'Europe/Belgrade',
}

/** The speech engines' code of a language, if it differs from the usual one. */
const SPOKEN_AS: Record<string, string> = { no: 'nb', zh: 'cmn', iw: 'he' }

/** For error messages: Danish (da). */
export const describeLanguage = (language: string): string =>
  `${new Intl.DisplayNames('en', { type: 'language' }).of(language)} (${language})`

export const unspeakableIn = (language: string): string =>
  `cannot be spoken in ${describeLanguage(language)}, the language of the number`

/** Defaults for a number, from its country. */
export function localeOf(e164: string): { timezone: string; language: string } {
  const country = parsePhoneNumberFromString(e164)?.country
  const locale = new Intl.Locale(country ? `und-${country}` : 'en') as Intl.Locale & { timeZones?: string[] }
  const language = locale.maximize().language
  const spoken = SPOKEN_AS[language] ?? language
  return {
    timezone: MAIN_TIMEZONE[country ?? ''] ?? locale.timeZones?.find(isCityTimezone) ?? 'Europe/London',
    language: canSpeak(spoken) ? spoken : 'en',
  }
}
