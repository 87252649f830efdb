import { useQuery } from '@tanstack/react-query'

import { sessionQuery } from '../../api/session.ts'
import { useTexts } from '../../i18n/language.tsx'
import { textingTexts } from '../../i18n/settings.ts'
import { Card } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/states.tsx'

/** Without texting, the API returns 404 for snippets and settings. */
export const useTextingIsOn = () => useQuery(sessionQuery()).data?.messaging_enabled ?? true

export function TextingOff() {
  const t = useTexts(textingTexts)
  return (
    <Card>
      <EmptyState drawing="offline" title={t.off}>
        {t.offHint}
      </EmptyState>
    </Card>
  )
}
