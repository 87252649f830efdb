import type { Language } from '../../../platform/http/viewer-preferences.ts'
import { accountTexts } from '../texts/account.ts'

/** The first match counts: most browsers also claim to be their predecessors. */
const BROWSERS: [RegExp, string][] = [
  [/Edg/, 'Edge'],
  [/OPR|Opera/, 'Opera'],
  [/Firefox|FxiOS/, 'Firefox'],
  [/Chrome|CriOS|Chromium/, 'Chrome'],
  [/Safari/, 'Safari'],
]
const SYSTEMS: [RegExp, string][] = [
  [/Windows/, 'Windows'],
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Mac OS/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

/** `Firefox on Windows`: enough to recognise one's own browsers. */
export function describeBrowser(userAgent: string, language: Language): string {
  const t = accountTexts[language]
  const nameIn = (names: [RegExp, string][]) => names.find(([pattern]) => pattern.test(userAgent))?.[1]
  const browser = nameIn(BROWSERS) ?? t.someBrowser
  const system = nameIn(SYSTEMS)
  return system === undefined ? browser : t.browserOn(browser, system)
}
