import { useState } from 'react'

import type { ActivityItem } from '../../api/inbox.ts'
import { inboxTexts } from '../../i18n/inbox.ts'
import { useTexts } from '../../i18n/language.tsx'
import { teamTexts } from '../../i18n/team-inbox.ts'
import { useKeys } from '../../keys/use-keys.ts'
import { isPhoneNumber } from '../../ui/phone.ts'
import { Composer } from './composer.tsx'
import { Collision } from './team/collision.tsx'
import { NoteComposer } from './team/note-composer.tsx'

interface ReplyAreaProps {
  phone: string
  employeeId: string
  items: ActivityItem[]
}

/** A text to the customer, or a note to the team. */
export function ReplyArea({ phone, employeeId, items }: ReplyAreaProps) {
  const t = useTexts(inboxTexts)
  const team = useTexts(teamTexts)
  const [kind, setKind] = useState<'text' | 'note'>('text')
  useKeys({ n: () => setKind('note') })
  return (
    <div className={`border-t px-3 pt-2 pb-3 md:px-5 ${kind === 'note' ? 'bg-warn-ground' : 'bg-surface'}`}>
      <fieldset className="mb-2 flex gap-1">
        <legend className="sr-only">{team.kind}</legend>
        {(['text', 'note'] as const).map((one) => (
          <label
            key={one}
            className="cursor-pointer rounded-full px-2.5 py-0.5 text-sm font-medium text-soft has-checked:bg-ink has-checked:text-ground has-focus-visible:outline-2 has-focus-visible:outline-focus"
          >
            <input
              type="radio"
              name="kind"
              className="sr-only"
              checked={one === kind}
              onChange={() => setKind(one)}
            />
            {team[one]}
          </label>
        ))}
      </fieldset>
      {kind === 'note' ? (
        <NoteComposer phone={phone} employeeId={employeeId} />
      ) : (
        <>
          <Collision phone={phone} employeeId={employeeId} items={items} />
          {isPhoneNumber(phone) ? (
            <Composer phone={phone} employeeId={employeeId} lastNumberId={items[0]?.business_number_id} />
          ) : (
            <p className="py-1 text-sm text-soft">{t.cannotReply}</p>
          )}
        </>
      )}
    </div>
  )
}
