import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'

import { callQuery } from '../../api/calls.ts'
import { useTexts } from '../../i18n/language.tsx'
import { useReadableNumber } from '../../i18n/remote-numbers.ts'
import { IconButton } from '../../ui/button.tsx'
import { wrapUpTexts } from '../../wrap-up/texts.ts'
import { WrapUpForm } from '../../wrap-up/wrap-up-form.tsx'
import { useContactName } from '../queries.ts'
import type { PendingWrapUp } from './pending-wrap-ups.ts'

/** It does not stay for ever where nobody notes anything: the conversation offers the same. */
const SHOWN_MS = 60_000

interface WrapUpPanelProps {
  pending: PendingWrapUp
  employeeId: string
  /** Only the newest takes keys. */
  takesKeys: boolean
  onTouch(): void
  onClose(): void
}

/** Where the call was, once it has ended. */
export function WrapUpPanel({ pending, employeeId, takesKeys, onTouch, onClose }: WrapUpPanelProps) {
  const t = useTexts(wrapUpTexts)
  const { call, isTouched } = pending
  const readable = useReadableNumber()(call.other)
  const name = useContactName(call.other) ?? readable
  // After a transfer, a coworker may have noted something.
  const { data } = useQuery(callQuery(call.id))
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (isTouched) return
    const timer = setTimeout(() => close(), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isTouched])
  return (
    <section aria-label={t.after(name)} className="border-t p-4">
      <div className="mb-2.5 flex items-center gap-2">
        <div className="min-w-0 flex-1">
          <h2 className="text-xs font-semibold text-soft">{t.title}</h2>
          <p className="truncate font-semibold">{name}</p>
        </div>
        <IconButton label={t.leave} onClick={onClose}>
          <X size={17} />
        </IconButton>
      </div>
      <WrapUpForm
        callId={call.id}
        employeeId={employeeId}
        wrapUp={data?.wrap_up ?? null}
        isOffered={takesKeys}
        onTouch={onTouch}
        onClose={onClose}
      />
    </section>
  )
}
