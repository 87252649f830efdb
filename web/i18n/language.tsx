import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'

export const LANGUAGES = { en: 'English', da: 'Dansk' } as const
export type Language = keyof typeof LANGUAGES

/** Danish says exactly what English says: the same keys, and functions of the same values. */
type Translation<T> = { [K in keyof T]: T[K] extends string ? string : T[K] }
export type Texts<T> = Record<Language, Translation<T>>

export const texts = <T extends object>(en: T, da: Translation<T>): Texts<T> => ({
  en: en as Translation<T>,
  da,
})

const KEPT_AS = 'bellhop.language'

const LanguageContext = createContext<{ language: Language; choose(language: Language): void }>({
  language: 'en',
  choose: () => {},
})

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, choose] = useState<Language>(firstLanguage)
  useEffect(() => {
    document.documentElement.lang = language
    localStorage.setItem(KEPT_AS, language)
  }, [language])
  const value = useMemo(() => ({ language, choose }), [language])
  return <LanguageContext value={value}>{children}</LanguageContext>
}

export const useLanguage = () => useContext(LanguageContext)

/** The texts of a page in the language of the reader. */
export function useTexts<T>(of: Texts<T>): Translation<T> {
  return of[useLanguage().language]
}

function firstLanguage(): Language {
  const wished = [localStorage.getItem(KEPT_AS), ...navigator.languages].map((tag) => tag?.slice(0, 2))
  return wished.find((tag): tag is Language => tag !== undefined && tag !== null && tag in LANGUAGES) ?? 'en'
}
