import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'

import { chosen, keepChoice } from '../ui/theme/choice-cookie.ts'

export const LANGUAGES = { en: 'English', da: 'Dansk', de: 'Deutsch', sv: 'Svenska' } as const
export type Language = keyof typeof LANGUAGES

/** A translation has the same keys as English, and functions of the same parameters. */
export type Translation<T> = { [K in keyof T]: T[K] extends string ? string : T[K] }

/** The texts of a room, which has this name in the dictionaries of other languages. */
export interface Texts<Room extends string, T> {
  room: Room
  en: T
}

export const texts = <const Room extends string, T extends object>(room: Room, en: T): Texts<Room, T> => ({
  room,
  en,
})

/** The texts of each room; undefined in English. */
type RoomTexts = Readonly<Record<string, object>> | undefined
type LoadTexts = (language: Language) => Promise<RoomTexts>

export interface LoadedLanguage {
  language: Language
  translated: RoomTexts
}

interface ChosenLanguage extends LoadedLanguage {
  choose(language: Language): Promise<void>
}

const KEPT_AS = 'language'

const LanguageContext = createContext<ChosenLanguage>({
  language: 'en',
  translated: undefined,
  choose: () => Promise.resolve(),
})

interface LanguageProviderProps {
  first: LoadedLanguage
  load: LoadTexts
  children: ReactNode
}

export function LanguageProvider({ first, load, children }: LanguageProviderProps) {
  const [loaded, setLoaded] = useState(first)
  useEffect(() => {
    document.documentElement.lang = loaded.language
  }, [loaded])
  const value = useMemo(() => {
    const choose = async (language: Language) => {
      const translated = await load(language)
      keepChoice(KEPT_AS, language)
      setLoaded({ language, translated })
    }
    return { ...loaded, choose }
  }, [loaded, load])
  return <LanguageContext value={value}>{children}</LanguageContext>
}

export const useLanguage = () => useContext(LanguageContext)

/** As `Intl` understands it. Dates in plain `en` would be American. */
export const localeOf = (language: Language) => (language === 'en' ? 'en-GB' : language)

/** The texts of a room in the language of the reader. */
export function useTexts<T extends object>({ room, en }: Texts<string, T>): Translation<T> {
  return (useLanguage().translated?.[room] ?? en) as Translation<T>
}

/** If its texts cannot be loaded, the dashboard is in English. */
export async function loadFirstLanguage(load: LoadTexts): Promise<LoadedLanguage> {
  const language = firstLanguage()
  try {
    return { language, translated: await load(language) }
  } catch {
    return { language: 'en', translated: undefined }
  }
}

/** The same rule as for the server's own pages: server/platform/http/viewer-preferences.ts. */
function firstLanguage(): Language {
  const wished = [chosen(KEPT_AS), ...navigator.languages].map((tag) => tag?.slice(0, 2).toLowerCase())
  return wished.find((tag): tag is Language => tag !== undefined && Object.hasOwn(LANGUAGES, tag)) ?? 'en'
}
