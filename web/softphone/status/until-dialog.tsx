import { useState } from 'react'

import { useTexts } from '../../i18n/language.tsx'
import { FormDialog } from '../../ui/form.tsx'
import { TimeField } from '../../ui/time/time-field.tsx'
import { useUntilText } from './appearance.ts'
import { statusTexts } from './texts.ts'
import { inAnHour, nextAt } from './until.ts'

interface UntilDialogProps {
  isPending: boolean
  onChosen(until: Date): void
  onClose(): void
}

/** Asks until when not to disturb: today, or if that time is over, tomorrow. */
export function UntilDialog({ isPending, onChosen, onClose }: UntilDialogProps) {
  const t = useTexts(statusTexts)
  const untilText = useUntilText()
  const [time, setTime] = useState(() => fullHour(inAnHour(new Date())))
  const until = time === '' ? undefined : nextAt(time, new Date())
  return (
    <FormDialog
      title={t.untilTitle}
      submit={t.set}
      isPending={isPending}
      onClose={onClose}
      onSubmit={() => until && onChosen(until)}
    >
      <div className="mb-5 flex items-center gap-3 text-sm">
        <TimeField label={t.time} value={time} isWrong={!until} onChange={setTime} />
        <p role="status" className={until ? 'text-soft' : 'text-wrong'}>
          {until ? t.timeHint(untilText(until)) : t.notTime}
        </p>
      </div>
    </FormDialog>
  )
}

const fullHour = (at: Date) => `${String(at.getHours()).padStart(2, '0')}:00`
