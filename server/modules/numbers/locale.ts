import { parsePhoneNumberFromString } from 'libphonenumber-js/max'

import { canSpeak } from '../../speech/port.ts'

const CITY_FORM =
  /^(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)\/[A-Za-z_/-]+$/

export function isCityTimezone(timezone: string): boolean {
  if (!CITY_FORM.test(timezone)) return false
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: timezone }))
  } catch {
    return false
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
