import { useQuery } from '@tanstack/react-query'
import { Phone as PhoneIcon } from 'lucide-react'

import { useTexts } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { HangUp } from '../hang-up.tsx'
import type { Phone } from '../phone/phone.ts'
import type { PhoneCall } from '../phone/state.ts'
import { activeCallQuery, useNumberName } from '../queries.ts'
import { phoneTexts } from '../texts.ts'
import { RemoteParty } from './remote-party.tsx'

export function IncomingCard({ phone, call }: { phone: Phone; call: PhoneCall }) {
  const t = useTexts(phoneTexts)
  const called = useNumberName(call.number)
  const { data: active } = useQuery(activeCallQuery())
  const transfer = active?.call.id === call.id ? active?.transfer : undefined
  return (
    <div role="alertdialog" aria-label={t.incoming} className="p-4 text-center">
      {transfer && (
        <p className="mb-1 text-sm font-semibold">{t.transferredBy(transfer.from_employee.name)}</p>
      )}
      <RemoteParty call={call} />
      {called !== undefined && <p className="mt-1 text-sm text-soft">{t.calls(called)}</p>}
      <div className="mt-4 grid grid-cols-2 gap-2">
        <HangUp label={t.decline} onClick={() => phone.decline()} />
        <Button look="main" onClick={() => void phone.answer()}>
          <PhoneIcon size={16} />
          {t.answer}
        </Button>
      </div>
    </div>
  )
}
