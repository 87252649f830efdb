const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** How far the clock of a time zone is ahead of UTC at that moment. */
function offsetMs(timezone: string, at: Date): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    dateStyle: 'short',
    timeStyle: 'medium',
  })
    .format(at)
    .match(/\d+/g)!
    .map(Number) as [number, number, number, number, number, number]
  const [day, month, year, hour, minute, second] = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at.getTime() / 1000) * 1000
}

/** Midnight of that day in the time zone, as if it were UTC. */
function dayOf(timezone: string, at: Date): number {
  return Math.floor((at.getTime() + offsetMs(timezone, at)) / DAY_MS) * DAY_MS
}

/** A moment on the clock of the time zone. */
function momentAt(timezone: string, local: number): Date {
  const guess = new Date(local - offsetMs(timezone, new Date(local)))
  return new Date(local - offsetMs(timezone, guess))
}

/** `10:12` on the clock of the time zone, that many days from Monday to Friday before the day of `now`. */
export function workingDaysBefore(timezone: string, now: Date, days: number, time: string): Date {
  let day = dayOf(timezone, now)
  for (let left = days; left > 0;) {
    day -= DAY_MS
    if (![0, 6].includes(new Date(day).getUTCDay())) left--
  }
  const [hour, minute] = time.split(':').map(Number) as [number, number]
  return momentAt(timezone, day + (hour * 60 + minute) * MINUTE_MS)
}

/** Some minutes ago, but today, and not after closing time. */
export function earlierToday(timezone: string, now: Date, minutesAgo: number, closing: string): Date {
  const recent = now.getTime() - minutesAgo * MINUTE_MS
  const closed = workingDaysBefore(timezone, now, 0, closing).getTime()
  const midnight = workingDaysBefore(timezone, now, 0, '00:00').getTime()
  return new Date(Math.max(midnight, Math.min(recent, closed)))
}
