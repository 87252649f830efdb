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
    return undefined
  }
}

/** Countries with several timezones: the one most of their people live in. */
const MAIN_TIMEZONE: Record<string, string> = {
  AU: 'Australia/Sydney',
  BR: 'America/Sao_Paulo',
  CA: 'America/Toronto',
  CL: 'America/Santiago',
  DE: 'Europe/Berlin',
  ES: 'Europe/Madrid',
  MX: 'America/Mexico_City',
  NZ: 'Pacific/Auckland',
  PT: 'Europe/Lisbon',
  RU: 'Europe/Moscow',
  US: 'America/New_York',
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
