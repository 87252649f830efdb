import { PhoneIncoming, PhoneMissed, PhoneOutgoing } from 'lucide-react'

import type { Call } from '../../api/calls.ts'
import { useDates } from '../../i18n/dates.ts'
import { useTexts } from '../../i18n/language.tsx'
import { useRecentCustomers } from '../../people/recent-customers.ts'
import { isPhoneNumber } from '../../ui/phone.ts'
import { phoneTexts } from '../texts.ts'
import { FavouriteStar } from './favourite-star.tsx'
import { PersonRow } from './person-row.tsx'

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
          <PersonRow
            key={phone}
            onCall={() => onCall(phone)}
            star={isPhoneNumber(phone) && <FavouriteStar who={{ phone }} name={name} />}
          >
            <Icon size={15} aria-hidden="true" className={isMissed ? 'text-wrong' : 'text-soft'} />
            <span className="min-w-0 flex-1 truncate font-semibold">{name}</span>
            {call.started_at && <span className="text-soft">{dates.brief(call.started_at)}</span>}
          </PersonRow>
        )
      })}
    </ul>
  )
}

function iconOf({ direction }: Call, isMissed: boolean) {
  if (direction === 'outbound') return PhoneOutgoing
  return isMissed ? PhoneMissed : PhoneIncoming
}
