import { parsePhoneNumberFromString } from 'libphonenumber-js/max'

import { canSpeak } from '../../speech/port.ts'

const CONTINENT = /^(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)\//
const CAPITALISED = /^[A-Z][a-z]+([/_-][A-Z][a-z]+)*$/

/** Spelled as IANA does: Intl takes any case, and PostgreSQL and other readers of the name may not. */
export function isCityTimezone(timezone: string): boolean {
  if (!CONTINENT.test(timezone)) return false
  const known = knownAs(timezone)
  // Intl may know a city by its older name (Kolkata as Calcutta), which says nothing about the case of the newer.
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

/** Where Intl names none, an outdated one, or first another than the one most people live in. */
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

/** What speech engines call a language, where it differs from the country's usual code. */
const SPOKEN_AS: Record<string, string> = { no: 'nb', zh: 'cmn', iw: 'he' }

/** Where a number is at home, for what the operator did not say. */
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
