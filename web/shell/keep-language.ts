import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

import { keepLanguage, type Session, sessionQuery } from '../api/session.ts'
import { useLanguage } from '../i18n/language.tsx'

/** Tells the server the language of this browser, in which it then writes e-mails to the employee. */
export function KeepLanguage({ session }: { session: Session }) {
  const { language } = useLanguage()
  const queries = useQueryClient()
  const told = useRef('')
  const known = session.language
  const wanted = `${session.employee.id} ${language}`
  useEffect(() => {
    // Once: two browsers in different languages would otherwise correct each other for ever.
    if (told.current === wanted) return
    told.current = wanted
    if (known === language) return
    keepLanguage(language).then(
      (session) => queries.setQueryData(sessionQuery().queryKey, session),
      // Nobody waits for it, and the next visit tells it again.
      () => {},
    )
  }, [known, language, queries, wanted])
  return null
}
