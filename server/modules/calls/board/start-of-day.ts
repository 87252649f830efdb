const MINUTE_MS = 60_000
/** The longest day has 25 hours. */
const LONGEST_DAY_MINUTES = 26 * 60

/** The date in a time zone, such as 2026-11-17, and when it began there. */
export function dayIn(timeZone: string, now: Date): { date: string; since: Date } {
  // Sweden writes dates as ISO 8601 does.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })
  const date = format.format(now)
  const thisMinute = Math.floor(now.getTime() / MINUTE_MS)
  // Days begin at a minute, but not always at midnight. Found in a dozen steps: this minute is today, a day ago was not.
  let [before, today] = [thisMinute - LONGEST_DAY_MINUTES, thisMinute]
  while (today - before > 1) {
    const middle = Math.floor((before + today) / 2)
    if (format.format(middle * MINUTE_MS) === date) today = middle
    else before = middle
  }
  return { date, since: new Date(today * MINUTE_MS) }
}
