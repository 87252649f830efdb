import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { PhoneIncoming, PhoneMissed, PhoneOutgoing } from 'lucide-react'

import { type Call, recentCallsQuery } from '../../../api/calls.ts'
import { clockTime, useDates } from '../../../i18n/dates.ts'
import { inboxTexts } from '../../../i18n/inbox.ts'
import { useTexts } from '../../../i18n/language.tsx'
import { teamTexts } from '../../../i18n/team-inbox.ts'
import { PanelSection } from './section.tsx'

export function RecentCalls({ phone }: { phone: string }) {
  const t = useTexts(teamTexts)
  const { data: calls } = useQuery(recentCallsQuery(phone))
  if (!calls) return null
  return (
    <PanelSection title={t.recentCalls}>
      {calls.length === 0 && <p className="text-sm text-soft">{t.noCalls}</p>}
      <ul className="flex flex-col gap-1 text-sm">
        {calls.map((call) => (
          <li key={call.id}>
            <RecentCall call={call} />
          </li>
        ))}
      </ul>
    </PanelSection>
  )
}

function RecentCall({ call }: { call: Call }) {
  const t = useTexts(inboxTexts)
  const dates = useDates()
  const isInbound = call.direction === 'inbound'
  const isMissed = isInbound && call.state === 'ended' && call.answered_at === null
  const Icon = isMissed ? PhoneMissed : isInbound ? PhoneIncoming : PhoneOutgoing
  const what = isMissed ? t.missedCall : isInbound ? t.incomingCall : t.outgoingCall
  return (
    <Link
      to="/calls/$id"
      params={{ id: call.id }}
      className="-mx-2 flex items-center gap-2 rounded-lg px-2 py-1 hover:bg-hover"
    >
      <Icon size={15} aria-hidden="true" className={`shrink-0 ${isMissed ? 'text-wrong' : 'text-soft'}`} />
      <span className={`min-w-0 flex-1 truncate ${isMissed ? 'text-wrong' : ''}`}>
        {call.employees[0]?.name ?? what}
      </span>
      {!isMissed && call.duration !== null && (
        <span className="text-xs text-soft tabular-nums">{clockTime(call.duration)}</span>
      )}
      {call.started_at && <time className="text-xs text-soft">{dates.brief(call.started_at)}</time>}
    </Link>
  )
}
