import type { ReactNode } from 'react'

import type { LiveCall } from '../../api/calls.ts'
import { clockTime } from '../../i18n/dates.ts'
import { useTexts } from '../../i18n/language.tsx'
import { liveTexts } from '../../i18n/live.ts'
import { useCustomerName } from '../../people/customer-name.ts'
import { Badge, Card } from '../../ui/page.tsx'
import { PickUp } from './pick-up.tsx'
import { secondsSince } from './use-now.ts'

/** On a wall there is room for another row instead. */
export const LIST_TITLE = 'border-b px-4 py-3 font-semibold wall:px-3 wall:py-1.5'

/** From then on a wait is shown as too long. */
const LONG_SECONDS = 60

/** Those who wait, the longest first, with their place in the queue of the number that they called. */
export function WaitingList({ calls, now, none }: { calls: LiveCall[]; now: number; none: ReactNode }) {
  const t = useTexts(liveTexts)
  return (
    <Card>
      <h2 className={LIST_TITLE}>{t.queue}</h2>
      {calls.length === 0 && none}
      <ul className="divide-y">
        {calls.map((call) => {
          const seconds = secondsSince(call.started_at, now)
          return (
            <li key={call.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 wall:px-3">
              <span
                className="grid size-8 shrink-0 place-items-center rounded-full bg-warn-ground font-semibold text-warn tabular-nums"
                title={t.position(call.position ?? 1)}
              >
                <span aria-hidden="true">{call.position ?? '–'}</span>
                <span className="sr-only">{t.position(call.position ?? 1)}</span>
              </span>
              <Who call={call} also={call.main_number_name} />
              <span
                className={`min-w-14 text-right text-lg font-semibold tabular-nums ${seconds >= LONG_SECONDS ? 'text-wrong' : ''}`}
              >
                {clockTime(seconds)}
              </span>
              <PickUp callId={call.id} />
            </li>
          )
        })}
      </ul>
    </Card>
  )
}

/** Calls that no employee has: in a greeting or a menu, or leaving a voicemail. Nothing if there are none. */
export function OtherCalls({ calls, now }: { calls: LiveCall[]; now: number }) {
  const t = useTexts(liveTexts)
  if (calls.length === 0) return null
  return (
    <Card>
      <h2 className={LIST_TITLE}>{t.otherCalls}</h2>
      <ul className="divide-y">
        {calls.map((call) => (
          <li key={call.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 wall:px-3">
            <Who call={call} also={[t[call.direction], call.main_number_name].join(' · ')} />
            <Badge tone="accent">{t[call.state]}</Badge>
            <span className="w-14 text-right tabular-nums">
              {clockTime(secondsSince(call.answered_at ?? call.started_at, now))}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Who({ call, also }: { call: LiveCall; also: string }) {
  const nameOf = useCustomerName()
  return (
    <div className="min-w-0 flex-1">
      <p className="truncate font-medium wall:text-lg wall:leading-6">{nameOf(call, call.phone_number)}</p>
      <p className="truncate text-sm text-soft">{also}</p>
    </div>
  )
}
