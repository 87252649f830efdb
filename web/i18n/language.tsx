import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'

import { chosen, keepChoice } from '../ui/theme/choice-cookie.ts'

export const LANGUAGES = { en: 'English', da: 'Dansk' } as const
export type Language = keyof typeof LANGUAGES

/** Danish has the same keys as English, and functions of the same parameters. */
type Translation<T> = { [K in keyof T]: T[K] extends string ? string : T[K] }
export type Texts<T> = Record<Language, Translation<T>>

export const texts = <T extends object>(en: T, da: Translation<T>): Texts<T> => ({
  en: en as Translation<T>,
  da,
})

const KEPT_AS = 'language'

const LanguageContext = createContext<{ language: Language; choose(language: Language): void }>({
  language: 'en',
  choose: () => {},
})

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState<Language>(firstLanguage)
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  const value = useMemo(() => {
    const choose = (chosen: Language) => {
      keepChoice(KEPT_AS, chosen)
      setLanguage(chosen)
    }
    return { language, choose }
  }, [language])
  return <LanguageContext value={value}>{children}</LanguageContext>
}

export const useLanguage = () => useContext(LanguageContext)

/** The texts of a page in the language of the reader. */
export function useTexts<T>(of: Texts<T>): Translation<T> {
  return of[useLanguage().language]
}

/** The same rule as for the server's own pages: server/platform/http/viewer-preferences.ts. */
function firstLanguage(): Language {
  const wished = [chosen(KEPT_AS), ...navigator.languages].map((tag) => tag?.slice(0, 2).toLowerCase())
  return wished.find((tag): tag is Language => tag !== undefined && Object.hasOwn(LANGUAGES, tag)) ?? 'en'
}
