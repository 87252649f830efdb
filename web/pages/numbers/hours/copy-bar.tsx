import { Undo2 } from 'lucide-react'

import { localeOf, useLanguage, useTexts } from '../../../i18n/language.tsx'
import { numberTexts } from '../../../i18n/numbers.ts'
import { Button } from '../../../ui/button.tsx'
import { EVERY_DAY, WEEKDAYS } from './copy-hours.ts'

interface CopyBarProps {
  /** The day whose hours are copied. */
  from: number
  /** Its times cannot be read, or it would close before it opens. */
  disabled: boolean
  onCopy(to: number[]): void
  /** Undefined if nothing was copied. */
  onUndo?(): void
}

/** Copies the hours of the day that was edited last: to weekdays, to every day, or to one day after the other. */
export function CopyBar({ from, disabled, onCopy, onUndo }: CopyBarProps) {
  const t = useTexts(numberTexts)
  const { language } = useLanguage()
  const names = t.days.split(',')
  // 5 January 1970 was a Monday.
  const shortName = (day: number) =>
    new Intl.DateTimeFormat(localeOf(language), { weekday: 'short', timeZone: 'UTC' }).format(
      new Date((4 + day) * 24 * 60 * 60 * 1_000),
    )
  return (
    <div role="group" aria-label={t.copyHours(names[from]!)} className="mt-3 rounded-lg bg-ground p-2.5">
      <p aria-hidden="true" className="mb-1.5 text-sm font-semibold">
        {t.copyHours(names[from]!)}
      </p>
      <div className="flex flex-wrap gap-1.5">
        <Button size="small" disabled={disabled} onClick={() => onCopy(WEEKDAYS)}>
          {t.weekdays}
        </Button>
        <Button size="small" disabled={disabled} onClick={() => onCopy(EVERY_DAY)}>
          {t.everyDay}
        </Button>
        {EVERY_DAY.filter((day) => day !== from).map((day) => (
          <Button key={day} size="small" title={names[day]} disabled={disabled} onClick={() => onCopy([day])}>
            {shortName(day)}
          </Button>
        ))}
        {onUndo && (
          <Button size="small" look="bare" onClick={onUndo}>
            <Undo2 size={15} aria-hidden="true" /> {t.undoCopy}
          </Button>
        )}
      </div>
    </div>
  )
}
