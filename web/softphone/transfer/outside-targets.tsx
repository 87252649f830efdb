import { PhoneForwarded } from 'lucide-react'

import { useChange } from '../../api/change.ts'
import { answerOf, client } from '../../api/client.ts'
import { useTexts } from '../../i18n/language.tsx'
import { ContactList } from '../../people/contact-list.tsx'
import { useNumberFormat } from '../../people/number-format.ts'
import { useContactsFor } from '../../people/use-contacts.ts'
import { Button } from '../../ui/button.tsx'
import { withoutSeparators } from '../../ui/phone.ts'
import { ACTIVE_CALL_CHANGES } from '../queries.ts'
import { keepTarget } from './last-target.ts'
import { transferTexts } from './texts.ts'

/** Shorter ones are extensions, or short numbers, to which nobody is transferred. */
const DIGITS_MIN = 5

interface OutsideTargetsProps {
  callId: string
  isAllowed: boolean
  typed: string
}

/** The contacts whom the text may mean, found by the server, and the number that it is. */
export function OutsideTargets({ callId, isAllowed, typed }: OutsideTargetsProps) {
  const t = useTexts(transferTexts)
  const { contacts } = useContactsFor(typed)
  const format = useNumberFormat()
  const digits = withoutSeparators(typed)
  const isNumber = /^\+?\d+$/.test(digits) && digits.length >= DIGITS_MIN
  const start = useChange(({ number, name }: { number: string; name: string }) => {
    keepTarget(callId, name)
    return answerOf(
      client.POST('/api/v1/calls/{call_id}/outside_transfers', {
        params: { path: { call_id: callId } },
        body: { number },
      }),
    )
  }, ACTIVE_CALL_CHANGES)
  if (contacts.length === 0 && !isNumber) return null
  if (!isAllowed) return <p className="border-t p-3 text-sm text-soft">{t.outsideOff}</p>
  return (
    <div role="group" aria-label={t.outside} className="flex flex-col gap-2 border-t p-2">
      <p className="px-1 text-sm text-soft">{t.outsideHint}</p>
      <ContactList
        contacts={contacts}
        isDisabled={start.isPending}
        onChoose={({ phone, phone_formatted }) => start.mutate({ number: phone, name: phone_formatted })}
      />
      {isNumber && (
        <Button
          disabled={start.isPending}
          onClick={() => start.mutate({ number: digits, name: format(typed) })}
        >
          <PhoneForwarded size={16} aria-hidden="true" />
          {t.callNumber(format(typed))}
        </Button>
      )}
    </div>
  )
}
