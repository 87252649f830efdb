import { PhoneIncoming, PhoneMissed, PhoneOutgoing } from 'lucide-react'

import type { Call } from '../../api/calls.ts'
import { useDates } from '../../i18n/dates.ts'
import { useTexts } from '../../i18n/language.tsx'
import { useRecentCustomers } from '../../people/recent-customers.ts'
import { phoneTexts } from '../texts.ts'

/** Calls somebody back with one click. */
export function RecentList({ onCall }: { onCall(phone: string): void }) {
  const t = useTexts(phoneTexts)
  const dates = useDates()
  const recent = useRecentCustomers().filter(({ canBeCalled }) => canBeCalled)
  if (recent.length === 0) return null
  return (
    <ul aria-label={t.recent} className="rounded-xl border p-1">
      {recent.map(({ phone, name, call }) => {
        const isMissed = call.state === 'ended' && call.answered_at === null
        const Icon = iconOf(call, isMissed)
        return (
          <li key={phone}>
            <button
              type="button"
              className="flex w-full items-center gap-2 rounded-lg px-2 py-1.5 text-left text-sm hover:bg-hover"
              onClick={() => onCall(phone)}
            >
              <Icon size={15} aria-hidden="true" className={isMissed ? 'text-wrong' : 'text-soft'} />
              <span className="min-w-0 flex-1 truncate font-semibold">{name}</span>
              {call.started_at && <span className="text-soft">{dates.brief(call.started_at)}</span>}
            </button>
          </li>
        )
      })}
    </ul>
  )
}

function iconOf({ direction }: Call, isMissed: boolean) {
  if (direction === 'outbound') return PhoneOutgoing
  return isMissed ? PhoneMissed : PhoneIncoming
}
