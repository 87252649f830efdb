import type { ParkedCall } from '../../api/calls.ts'
import { useChange } from '../../api/change.ts'
import { answerOf, client } from '../../api/client.ts'
import { clockTime } from '../../i18n/dates.ts'
import { useTexts } from '../../i18n/language.tsx'
import { liveTexts } from '../../i18n/live.ts'
import { useCustomerName } from '../../people/customer-name.ts'
import { Button } from '../../ui/button.tsx'
import { Badge, Card } from '../../ui/page.tsx'
import { LIST_TITLE } from './call-list.tsx'

/** The customers who are parked; nothing if there are none. */
export function ParkedCalls({ parked, now }: { parked: ParkedCall[]; now: number }) {
  const t = useTexts(liveTexts)
  const nameOf = useCustomerName()
  if (parked.length === 0) return null
  return (
    <Card>
      <h2 className={LIST_TITLE}>{t.parked}</h2>
      <ul className="divide-y">
        {parked.map((call) => (
          <li key={call.call_id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2">
            <div className="min-w-0 flex-1">
              <p className="truncate font-medium">{nameOf(call, call.phone_number)}</p>
              <p className="truncate text-sm text-soft">{t.parkedBy(call.parked_by.name)}</p>
            </div>
            <Badge tone="warn">{call.code}</Badge>
            <span className="w-14 text-right tabular-nums">
              {clockTime((now - new Date(call.parked_at).getTime()) / 1000)}
            </span>
            <Take call={call} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** Rings the employee's own phones for the call. */
function Take({ call }: { call: ParkedCall }) {
  const t = useTexts(liveTexts)
  const path = { call_id: call.call_id }
  const take = useChange(
    () => answerOf(client.POST('/api/v1/calls/{call_id}/retrieve', { params: { path } })),
    { touches: [['employees'], ['parked-calls']], said: t.ringsYou },
  )
  return (
    <Button size="small" className="wall:hidden" disabled={take.isPending} onClick={() => take.mutate()}>
      {t.take}
    </Button>
  )
}
