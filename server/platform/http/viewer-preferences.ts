import type { IncomingHttpHeaders } from 'node:http'

import { PLATFORM_LIMITS } from '../limits.ts'

export const PAGE_LANGUAGES = { en: 'English', da: 'Dansk', de: 'Deutsch', sv: 'Svenska' } as const
export type Language = keyof typeof PAGE_LANGUAGES
export type Theme = 'light' | 'dark'

/** How to show a page to its reader. */
export interface ViewerPreferences {
  language: Language
  /** Undefined: as set in their system. */
  theme?: Theme
  /** The requested page; undefined after a form, which cannot be returned to. */
  at?: string
}

/** Without a choice, the language is that of the browser, as in the dashboard, which uses the same cookies. */
const LANGUAGE_COOKIE = 'bellhop_language'
const THEME_COOKIE = 'bellhop_theme'

export function viewerPreferencesOf({
  cookie,
  'accept-language': accepted,
}: IncomingHttpHeaders): ViewerPreferences {
  const theme = cookieIn(cookie, THEME_COOKIE)
  return {
    language: [cookieIn(cookie, LANGUAGE_COOKIE), ...preferred(accepted)].find(isLanguage) ?? 'en',
    ...((theme === 'light' || theme === 'dark') && { theme }),
  }
}

export const isLanguage = (text: string | undefined): text is Language =>
  text !== undefined && Object.hasOwn(PAGE_LANGUAGES, text)

/** The value of Set-Cookie that has the browser remember the language. */
export const languageCookie = (language: Language) =>
  `${LANGUAGE_COOKIE}=${language}; Path=/; Max-Age=${PLATFORM_LIMITS.languageSeconds}; SameSite=Lax`

/** Whether the reader has chosen a language in this browser. */
export const hasChosenLanguage = (cookieHeader: string | undefined) =>
  isLanguage(cookieIn(cookieHeader, LANGUAGE_COOKIE))

function cookieIn(header: string | undefined, name: string): string | undefined {
  const pairs = header?.split(';').map((pair) => pair.trim().split('='))
  return pairs?.find(([key]) => key === name)?.[1]
}

/** `da-DK,en;q=0.7` → da, en: RFC 9110 §12.5.4, primary subtags only. */
function preferred(accepted = ''): string[] {
  return accepted
    .split(',')
    .map((range) => {
      const [tag = '', weight] = range.split(/;\s*q=/)
      return { language: tag.trim().slice(0, 2).toLowerCase(), weight: Number(weight ?? 1) }
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ language }) => language)
}
