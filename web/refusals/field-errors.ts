import { type RefObject, useEffect } from 'react'

import { ApiError } from '../api/client.ts'
import { localeOf, useLanguage, useTexts } from '../i18n/language.tsx'
import { refusalSentence } from './reasons.ts'
import { refusalTexts } from './texts.ts'

/** What to do about a field that the API refused, by its name in the API; undefined if nothing is wrong with it. */
export function useFieldErrors(): (error: Error | null, field: string) => string | undefined {
  const t = useTexts(refusalTexts)
  const { language } = useLanguage()
  return (error, field) => {
    const messages = error instanceof ApiError ? error.fields[field] : undefined
    return messages?.map((message) => refusalSentence(t, localeOf(language), message)).join(' ')
  }
}

/** A button that adds what is missing has no value that could be invalid. */
const REFUSED = '[aria-invalid=true], [data-refused]'

/** Leads to the first field that was refused, as soon as the API has said so. */
export function useFocusOnRefusal(form: RefObject<HTMLElement | null>, error: Error | null): void {
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>(REFUSED)?.focus()
  }, [form, error])
}
