import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'

import { localeOf, useLanguage, useTexts } from '../../i18n/language.tsx'
import { shellTexts } from '../../i18n/shell.ts'
import { IconButton } from '../button.tsx'
import { addMonths, dayByKey, dayOf, weeksOf } from './month.ts'

interface CalendarProps {
  label: string
  value: Date
  /** The first day that can be chosen. */
  min: Date
  onChange(day: Date): void
}

/** A month to choose a day from, in the language of the page instead of the browser's. Weeks begin on Monday. */
export function Calendar({ label, value, min, onChange }: CalendarProps) {
  const t = useTexts(shellTexts)
  const locale = localeOf(useLanguage().language)
  const [month, setMonth] = useState(value)
  const chosen = useRef<HTMLButtonElement>(null)
  const isMoved = useRef(false)
  const first = dayOf(min)
  const weeks = weeksOf(month)
  const today = dayOf(new Date()).getTime()
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options)
  const [monthName, shortDay, longDay, wholeDay] = [
    format({ month: 'long', year: 'numeric' }),
    format({ weekday: 'short' }),
    format({ weekday: 'long' }),
    format({ dateStyle: 'full' }),
  ]
  const isShown = sameMonth(value, month)

  useEffect(() => {
    if (isMoved.current) chosen.current?.focus()
    isMoved.current = false
  }, [value])

  function move(event: KeyboardEvent, from: Date): void {
    const to = dayByKey(event.key, from)
    if (!to) return
    event.preventDefault()
    isMoved.current = true
    const next = to < first ? first : to
    setMonth(next)
    onChange(next)
  }

  return (
    <div role="group" aria-label={label} className="rounded-xl border p-3">
      <div className="mb-1 flex items-center gap-1">
        <p aria-live="polite" className="flex-1 pl-2 font-semibold first-letter:uppercase">
          {monthName.format(month)}
        </p>
        <IconButton
          label={t.previousMonth}
          disabled={!(new Date(month.getFullYear(), month.getMonth(), 1) > first)}
          onClick={() => setMonth(addMonths(month, -1))}
        >
          <ChevronLeft size={18} />
        </IconButton>
        <IconButton label={t.nextMonth} onClick={() => setMonth(addMonths(month, 1))}>
          <ChevronRight size={18} />
        </IconButton>
      </div>
      <table role="grid" className="w-full table-fixed text-center text-sm tabular-nums">
        <thead>
          <tr>
            {weeks[0]!.map((day) => (
              <th
                key={day.getDay()}
                abbr={longDay.format(day)}
                className="py-1 text-xs font-semibold text-soft"
              >
                {shortDay.format(day)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]!.getTime()}>
              {week.map((day) => {
                const isChosen = day.getTime() === dayOf(value).getTime()
                return (
                  <td key={day.getTime()} aria-selected={isChosen} className="p-0.5">
                    <button
                      ref={isChosen ? chosen : undefined}
                      type="button"
                      // One tab stop, from which the arrow keys lead on.
                      tabIndex={isChosen || (!isShown && day === weeks[1]![0]) ? 0 : -1}
                      aria-label={wholeDay.format(day)}
                      aria-current={day.getTime() === today ? 'date' : undefined}
                      disabled={day < first}
                      onClick={() => onChange(day)}
                      onKeyDown={(event) => move(event, day)}
                      className={`h-9 w-full rounded-lg disabled:opacity-40 ${dayLook({ isChosen, isToday: day.getTime() === today, isOfMonth: sameMonth(day, month) })}`}
                    >
                      {day.getDate()}
                    </button>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const sameMonth = (a: Date, b: Date) => a.getFullYear() === b.getFullYear() && a.getMonth() === b.getMonth()

function dayLook({ isChosen, isToday, isOfMonth }: Record<'isChosen' | 'isToday' | 'isOfMonth', boolean>) {
  if (isChosen) return 'bg-accent font-semibold text-on-accent'
  if (isToday) return 'font-semibold text-accent ring-1 ring-accent ring-inset hover:bg-hover'
  return `hover:bg-hover ${isOfMonth ? '' : 'text-soft'}`
}
