import { useQuery } from '@tanstack/react-query'
import { MessageSquare, PhoneIncoming } from 'lucide-react'

import { useChange } from '../api/change.ts'
import { simulateCall, simulateText } from '../api/onboarding.ts'
import { useTexts } from '../i18n/language.tsx'
import { Button } from '../ui/button.tsx'
import { simulatorQuery } from './queries.ts'
import { phoneTexts } from './texts.ts'

/** For newcomers, if there is a simulator: simulates a call or a text. */
export function TryIt() {
  const t = useTexts(phoneTexts)
  const { data: can } = useQuery(simulatorQuery())
  const call = useChange(simulateCall, {
    touches: [],
    said: t.tried,
  })
  const text = useChange(simulateText, {
    touches: [],
    said: t.tried,
  })
  if (!can) return null
  return (
    <div role="group" aria-label={t.tryIt} className="border-t p-3">
      <p className="mb-2 text-sm text-soft">
        <strong className="text-ink">{t.tryIt}.</strong> {t.tryItHint}
      </p>
      <div className="flex flex-wrap gap-2">
        {can.calls && (
          <Button size="small" disabled={call.isPending} onClick={() => call.mutate()}>
            <PhoneIncoming size={15} />
            {t.tryCall}
          </Button>
        )}
        {can.texts && (
          <Button size="small" disabled={text.isPending} onClick={() => text.mutate()}>
            <MessageSquare size={15} />
            {t.tryText}
          </Button>
        )}
      </div>
    </div>
  )
}
