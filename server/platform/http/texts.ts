import type { LetterText } from '../text/letter-text.ts'
import type { Language } from './reader.ts'

/** Danish says exactly what English says: the same keys, and functions of the same values. */
type Translation<T> = {
  [K in keyof T]: T[K] extends LetterText ? LetterText : T[K] extends string ? string : T[K]
}

/** What a page says, in each language; whoever shows it picks by the language of its reader. */
export const texts = <T extends object>(en: T, da: Translation<T>): Record<Language, Translation<T>> => ({
  en: en as Translation<T>,
  da,
})
