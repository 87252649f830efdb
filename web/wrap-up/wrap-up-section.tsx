import { useQuery } from '@tanstack/react-query'
import { Pencil, StickyNote } from 'lucide-react'
import { useRef, useState } from 'react'

import type { WrapUp } from '../api/calls.ts'
import { sessionQuery } from '../api/session.ts'
import { useDates } from '../i18n/dates.ts'
import { useTexts } from '../i18n/language.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { OutcomeBadge } from './outcomes.tsx'
import { wrapUpTexts } from './texts.ts'
import { WrapUpForm } from './wrap-up-form.tsx'

interface WrapUpSectionProps {
  callId: string
  wrapUp: WrapUp | null
}

/** What was noted about a call, and the way to change it. */
export function WrapUpSection({ callId, wrapUp }: WrapUpSectionProps) {
  const t = useTexts(wrapUpTexts)
  const employeeId = useQuery(sessionQuery()).data?.employee.id
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    requestAnimationFrame(() => opener.current?.focus())
  }
  if (isOpen && employeeId !== undefined)
    return <WrapUpForm callId={callId} employeeId={employeeId} wrapUp={wrapUp} onClose={close} />
  if (!wrapUp) {
    return (
      <Button ref={opener} size="small" look="bare" className="-ml-2.5" onClick={() => setOpen(true)}>
        <StickyNote size={14} aria-hidden="true" /> {t.add}
      </Button>
    )
  }
  return (
    <div className="flex w-full items-start gap-2">
      <WrapUpText wrapUp={wrapUp} />
      <IconButton ref={opener} label={t.edit} className="size-7!" onClick={() => setOpen(true)}>
        <Pencil size={14} />
      </IconButton>
    </div>
  )
}

function WrapUpText({ wrapUp }: { wrapUp: WrapUp }) {
  const t = useTexts(wrapUpTexts)
  const dates = useDates()
  return (
    <div className="min-w-0 flex-1">
      {wrapUp.outcome && <OutcomeBadge outcome={wrapUp.outcome} />}
      {wrapUp.note && <p className="mt-1 break-words whitespace-pre-wrap">{wrapUp.note}</p>}
      <p className="mt-0.5 text-xs text-soft">{t.by(wrapUp.author.name, dates.whole(wrapUp.updated_at))}</p>
    </div>
  )
}
