import type { EmailText } from '../text/email-text.ts'
import type { Language } from './viewer-preferences.ts'

/** A translation has the same keys as English, and functions of the same parameters. */
type Translation<T> = {
  [K in keyof T]: T[K] extends EmailText ? EmailText : T[K] extends string ? string : T[K]
}

/** The texts of a page in each language; chosen by the language of the reader. */
export const texts = <T extends object>(
  en: T,
  translations: Record<Exclude<Language, 'en'>, Translation<NoInfer<T>>>,
): Record<Language, Translation<T>> => ({ en: en as Translation<T>, ...translations })
