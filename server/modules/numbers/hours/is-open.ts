import type { BusinessDay } from './business-hours.ts'

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** Whether it is open at this time, in the given time zone. */
export function isOpen(week: BusinessDay[], timezone: string, at: Date): boolean {
  const { weekday, time } = localTime(timezone, at)
  const day = week.find(({ day_of_week }) => day_of_week === weekday)
  return day !== undefined && day.open && day.opening_at <= time && time < day.closing_at
}

/** Cached, because creating one is expensive; there are only so many time zones. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatIn(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  formats.set(timezone, format)
  return format
}

interface LocalTime {
  weekday: number
  time: string
}

/** The last one of each time zone: every call asks, and formatting takes longer than the rest of the answer. */
const latest = new Map<string, LocalTime & { minute: number }>()

function localTime(timezone: string, at: Date): LocalTime {
  const minute = Math.floor(at.getTime() / 60_000)
  const known = latest.get(timezone)
  if (known?.minute === minute) return known
  const local = { minute, ...formattedTime(timezone, at) }
  latest.set(timezone, local)
  return local
}

function formattedTime(timezone: string, at: Date): LocalTime {
  const parts = new Map(
    formatIn(timezone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  return {
    weekday: DAYS.indexOf(parts.get('weekday')!),
    time: `${parts.get('hour')}:${parts.get('minute')}`,
  }
}
