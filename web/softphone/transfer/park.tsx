import { CircleParking } from 'lucide-react'

import { useChange } from '../../api/change.ts'
import { answerOf, client } from '../../api/client.ts'
import { useTexts } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { ACTIVE_CALL_CHANGES } from '../queries.ts'
import { phoneTexts } from '../texts.ts'

/** Anybody of the company can take the call then. */
export function Park({ callId }: { callId: string }) {
  const t = useTexts(phoneTexts)
  const park = useChange(
    async () => {
      const path = { call_id: callId }
      const { parked_call } = await answerOf(
        client.POST('/api/v1/calls/{call_id}/park', { params: { path }, body: {} }),
      )
      return parked_call
    },
    { touches: [...ACTIVE_CALL_CHANGES.touches, ['parked-calls']], said: ({ code }) => t.parked(code) },
  )
  return (
    <div className="border-t p-2">
      <Button size="small" disabled={park.isPending} onClick={() => park.mutate()}>
        <CircleParking size={16} />
        {t.park}
      </Button>
    </div>
  )
}
