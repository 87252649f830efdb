import { html, type Html } from './html.ts'
import type { Language } from './viewer-preferences.ts'

const UNITS: { unit: Intl.RelativeTimeFormatUnit; ms: number }[] = [
  { unit: 'year', ms: 365 * 86_400_000 },
  { unit: 'month', ms: 30 * 86_400_000 },
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
]

const JUST_NOW: Record<Language, string> = { en: 'just now', da: 'lige nu', de: 'gerade eben', sv: 'just nu' }

/** `5 minutes ago`, because the server does not know the reader's time zone. */
export function timeAgo(at: Date, now: Date, language: Language): Html {
  const passed = now.getTime() - at.getTime()
  const unit = UNITS.find(({ ms }) => passed >= ms)
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const text = unit ? words.format(-Math.floor(passed / unit.ms), unit.unit) : JUST_NOW[language]
  return html`<time datetime="${at.toISOString()}" title="${at.toUTCString()}">${text}</time>`
}
