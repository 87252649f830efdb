import { useEffect } from 'react'

import { useLanguage } from '../../i18n/language.tsx'
import { renewPush } from './push.ts'

/** Once for each page, and when the language changes. */
export function usePushRenewal(employeeId: string): void {
  const { language } = useLanguage()
  useEffect(() => {
    // If it cannot be renewed now, the next page does it.
    void renewPush(employeeId, language).catch(() => {})
  }, [employeeId, language])
}
