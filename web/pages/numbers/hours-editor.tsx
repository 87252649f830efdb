import { useState } from 'react'

import { useChange } from '../../api/change.ts'
import { type BusinessNumber, setOutside } from '../../api/numbers.ts'
import { useTexts } from '../../i18n/language.tsx'
import { numberTexts } from '../../i18n/numbers.ts'
import { shellTexts } from '../../i18n/shell.ts'
import { Button } from '../../ui/button.tsx'
import { NARROW_INPUT } from '../../ui/field.tsx'
import { draftOf, inputOf } from './flow-draft.ts'

type Day = BusinessNumber['business_hours'][number]

/** The end of a day is 24:00 to the API; a field for times has no such hour. */
const shownClosing = (time: string) => (time === '24:00' ? '00:00' : time)
const keptClosing = (time: string) => (time === '00:00' ? '24:00' : time)

/** The week; stored together with what happens outside of it, as the API has them in one. */
export function HoursEditor({ number }: { number: BusinessNumber }) {
  const t = useTexts(numberTexts)
  const common = useTexts(shellTexts)
  const [week, setWeek] = useState<Day[]>(number.business_hours)
  const set = (day: Day, part: Partial<Day>) =>
    setWeek(week.map((one) => (one.day_of_week === day.day_of_week ? { ...one, ...part } : one)))
  const save = useChange(
    () =>
      setOutside(number.id, {
        ...inputOf(draftOf(number.outside_business_hours_config)),
        business_hours: week.map(({ day_of_week, open, opening_at, closing_at }) => ({
          day_of_week,
          open,
          opening_at,
          closing_at,
        })),
      }),
    { touches: [['numbers']], said: t.stored },
  )
  const names = t.days.split(',')
  const isWrong = (day: Day) => day.open && day.opening_at >= day.closing_at
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <p className="mb-3 text-sm text-soft">{t.hoursIn(number.timezone)}</p>
      <ul className="flex flex-col gap-1.5">
        {week.map((day) => {
          const name = names[day.day_of_week]!
          return (
            <li key={day.day_of_week} className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <label className="flex w-28 cursor-pointer items-center gap-2">
                <input
                  type="checkbox"
                  className="accent-accent"
                  checked={day.open}
                  onChange={() => set(day, { open: !day.open })}
                />
                {name}
              </label>
              {day.open ? (
                <span className="flex items-center gap-2">
                  <input
                    type="time"
                    required
                    aria-label={`${name}: ${t.from}`}
                    className={`${NARROW_INPUT} h-8 w-34 py-0`}
                    value={day.opening_at}
                    onChange={(event) => set(day, { opening_at: event.target.value })}
                  />
                  –
                  <input
                    type="time"
                    required
                    aria-label={`${name}: ${t.to}`}
                    aria-invalid={isWrong(day) || undefined}
                    className={`${NARROW_INPUT} h-8 w-34 py-0`}
                    value={shownClosing(day.closing_at)}
                    onChange={(event) => set(day, { closing_at: keptClosing(event.target.value) })}
                  />
                </span>
              ) : (
                <span className="py-1 text-soft">{t.closed}</span>
              )}
              {isWrong(day) && (
                <p role="alert" className="w-full text-[13px] text-wrong">
                  {t.closesBefore}
                </p>
              )}
            </li>
          )
        })}
      </ul>
      <Button type="submit" look="main" className="mt-4" disabled={save.isPending || week.some(isWrong)}>
        {common.save}
      </Button>
    </form>
  )
}
