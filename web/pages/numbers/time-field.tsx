import { useState } from 'react'

import { NARROW_INPUT } from '../../ui/field.tsx'
import { readTimeOfDay } from './time-of-day.ts'

interface TimeFieldProps {
  label: string
  value: string
  isWrong: boolean
  /** Empty if what is written is no time. */
  onChange(time: string): void
}

/**
 * A time by the clock of 24 hours. The field that browsers have for it goes by their own language instead of the
 * page's, and has no end of the day: `24:00` would be shown as `12:00 AM`, before everything else.
 */
export function TimeField({ label, value, isWrong, onChange }: TimeFieldProps) {
  const [written, setWritten] = useState<string>()
  return (
    <input
      inputMode="numeric"
      autoComplete="off"
      required
      aria-label={label}
      aria-invalid={isWrong || undefined}
      className={`${NARROW_INPUT} h-8 w-20 py-0 text-center tabular-nums`}
      value={written ?? value}
      onChange={({ target }) => {
        setWritten(target.value)
        onChange(readTimeOfDay(target.value) ?? '')
      }}
      // What was understood is shown; what was not is left to be corrected.
      onBlur={() => value !== '' && setWritten(undefined)}
    />
  )
}
