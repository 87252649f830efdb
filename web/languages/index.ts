import type { Language } from '../i18n/language.tsx'
import type { Dictionary } from './dictionary.ts'

/** English is in the program, because each page is written in it. */
const DICTIONARIES: Record<Exclude<Language, 'en'>, () => Promise<{ dictionary: Dictionary }>> = {
  da: () => import('./da.ts'),
  de: () => import('./de.ts'),
  sv: () => import('./sv.ts'),
}

/** Undefined for English. */
export async function loadDictionary(language: Language): Promise<Dictionary | undefined> {
  return language === 'en' ? undefined : (await DICTIONARIES[language]()).dictionary
}
