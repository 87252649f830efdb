import { useState } from 'react'

import { NARROW_INPUT } from '../field.tsx'
import { readTimeOfDay } from './time-of-day.ts'

interface TimeFieldProps {
  label: string
  value: string
  isWrong: boolean
  /** Empty if the text is not a time. */
  onChange(time: string): void
}

/**
 * A time in 24-hour format. The browser's own field uses the language of the browser instead of the page's, and has
 * no end of the day: `24:00` would be shown as `12:00 AM`, before everything else.
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
      // A valid time is normalised; an invalid one is left to be corrected.
      onBlur={() => value !== '' && setWritten(undefined)}
    />
  )
}
