import { useChange } from '../../api/change.ts'
import { answerOf, client } from '../../api/client.ts'
import { useTexts } from '../../i18n/language.tsx'
import { liveTexts } from '../../i18n/live.ts'
import { Button } from '../../ui/button.tsx'

/** Rings the employee's own phones for a caller who waits. */
export function PickUp({ callId }: { callId: string }) {
  const t = useTexts(liveTexts)
  const pickUp = useChange(
    () => answerOf(client.POST('/api/v1/calls/{call_id}/pickup', { params: { path: { call_id: callId } } })),
    { touches: [['employees']], said: t.ringsYou },
  )
  return (
    <Button size="small" className="wall:hidden" disabled={pickUp.isPending} onClick={() => pickUp.mutate()}>
      {t.pickUp}
    </Button>
  )
}
