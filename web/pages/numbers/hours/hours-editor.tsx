import { useState } from 'react'

import { useChange } from '../../../api/change.ts'
import { type BusinessNumber, setOutside } from '../../../api/numbers.ts'
import { useTexts } from '../../../i18n/language.tsx'
import { numberTexts } from '../../../i18n/numbers.ts'
import { shellTexts } from '../../../i18n/shell.ts'
import { Button } from '../../../ui/button.tsx'
import { Form, useInput } from '../../../ui/form.tsx'
import { TimeField } from '../../../ui/time/time-field.tsx'
import { draftOf, inputOf } from '../routing/flow-draft.ts'
import { CopyBar } from './copy-bar.tsx'
import { copyHours, type Day } from './copy-hours.ts'

/** Closing at midnight means at the end of the day. */
const closing = (time: string) => (time === '00:00' ? '24:00' : time)

/** The week; saved together with the flow outside business hours, which share one route. */
export function HoursEditor({ number }: { number: BusinessNumber }) {
  const t = useTexts(numberTexts)
  const common = useTexts(shellTexts)
  const { input, set: setWeek, stored } = useInput({ week: number.business_hours })
  const { week } = input
  /** The day whose hours can be copied. */
  const [edited, setEdited] = useState(0)
  /** The weeks before hours were copied, until something else is edited. */
  const [before, setBefore] = useState<Day[][]>([])
  const [copies, setCopies] = useState(0)
  const set = (day: Day, part: Partial<Day>) => {
    setBefore([])
    setWeek({ week: week.map((one) => (one.day_of_week === day.day_of_week ? { ...one, ...part } : one)) })
  }
  const save = useChange(
    ({ week }: typeof input) =>
      setOutside(number.id, {
        ...inputOf(draftOf(number.outside_business_hours_config)),
        business_hours: week.map(({ day_of_week, open, opening_at, closing_at }) => ({
          day_of_week,
          open,
          opening_at,
          closing_at,
        })),
      }),
    {
      touches: [['numbers']],
      said: t.stored,
      onDone: (_, sent) => {
        stored(sent)
        setBefore([])
      },
    },
  )
  const replace = (week: Day[]) => {
    setWeek({ week })
    setCopies(copies + 1)
  }
  const copy = (to: number[]) => {
    setBefore([...before, week])
    replace(copyHours(week, edited, to))
  }
  const undo = () => {
    replace(before.at(-1)!)
    setBefore(before.slice(0, -1))
  }
  const names = t.days.split(',')
  /** The same rules as those of the API, which has none left to refuse. */
  const wrongOf = ({ open, opening_at, closing_at }: Day) => {
    if (!open) return undefined
    if (opening_at === '' || closing_at === '') return t.noTime
    return opening_at < closing_at ? undefined : t.closesBefore
  }
  return (
    <Form onSubmit={() => save.mutate(input)}>
      <p className="mb-3 text-sm text-soft">{t.hoursIn(number.timezone)}</p>
      <ul className="flex flex-col gap-1.5">
        {week.map((day) => {
          const name = names[day.day_of_week]!
          return (
            <li
              // A time that cannot be read is shown as it was written, until a copied one takes its place.
              key={`${day.day_of_week} ${copies}`}
              onFocus={() => setEdited(day.day_of_week)}
              className="flex flex-wrap items-center gap-x-3 gap-y-1"
            >
              <label className="flex w-28 cursor-pointer items-center gap-2">
                <input
                  type="checkbox"
                  className="accent-accent"
                  checked={day.open}
                  // The times of a day that is closed again may be invalid.
                  onChange={() => set(day, { ...number.business_hours[day.day_of_week], open: !day.open })}
                />
                {name}
              </label>
              {day.open ? (
                <span className="flex items-center gap-2">
                  <TimeField
                    label={`${name}: ${t.from}`}
                    value={day.opening_at}
                    isWrong={day.opening_at === ''}
                    onChange={(time) => set(day, { opening_at: time })}
                  />
                  –
                  <TimeField
                    label={`${name}: ${t.to}`}
                    value={day.closing_at}
                    isWrong={day.closing_at <= day.opening_at}
                    onChange={(time) => set(day, { closing_at: closing(time) })}
                  />
                </span>
              ) : (
                <span className="py-1 text-soft">{t.closed}</span>
              )}
              {wrongOf(day) !== undefined && (
                <p role="alert" className="w-full text-sm text-wrong">
                  {wrongOf(day)}
                </p>
              )}
            </li>
          )
        })}
      </ul>
      <CopyBar
        from={edited}
        disabled={wrongOf(week[edited]!) !== undefined}
        onCopy={copy}
        onUndo={before.length > 0 ? undo : undefined}
      />
      <Button
        type="submit"
        look="main"
        className="mt-4"
        disabled={save.isPending || week.some((day) => wrongOf(day) !== undefined)}
      >
        {common.save}
      </Button>
    </Form>
  )
}
