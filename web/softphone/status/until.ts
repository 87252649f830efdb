const HOUR_MS = 60 * 60_000

/** When employees who were not to be disturbed until tomorrow are called again. */
const MORNING = '08:00'

export const inAnHour = (now: Date): Date => new Date(now.getTime() + HOUR_MS)

export const tomorrowMorning = (now: Date): Date => at(MORNING, now, 1)

/** The next time that the clock shows this: today, or if that is over, tomorrow. */
export function nextAt(timeOfDay: string, now: Date): Date {
  const today = at(timeOfDay, now, 0)
  return today > now ? today : at(timeOfDay, now, 1)
}

/** By the calendar of the computer: a day has 23 or 25 hours when the clocks change. */
function at(timeOfDay: string, now: Date, daysLater: number): Date {
  const [hour, minute] = timeOfDay.split(':').map(Number)
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + daysLater, hour, minute)
}

export type UntilDay = 'today' | 'tomorrow' | 'later'

export function dayOf(until: Date, now: Date): UntilDay {
  if (until.toDateString() === now.toDateString()) return 'today'
  return until.toDateString() === at('00:00', now, 1).toDateString() ? 'tomorrow' : 'later'
}
