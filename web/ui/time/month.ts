const DAYS_OF_WEEK = 7

/** A day is a `Date` at its local midnight. */
export const dayOf = (at: Date) => new Date(at.getFullYear(), at.getMonth(), at.getDate())

export const addDays = (day: Date, days: number) =>
  new Date(day.getFullYear(), day.getMonth(), day.getDate() + days)

/** The same day of another month, or the last one of a shorter month. */
export function addMonths(day: Date, months: number): Date {
  const last = new Date(day.getFullYear(), day.getMonth() + months + 1, 0)
  return new Date(last.getFullYear(), last.getMonth(), Math.min(day.getDate(), last.getDate()))
}

/** The Monday on or before a day. */
export const mondayOf = (day: Date) => addDays(day, -((day.getDay() + DAYS_OF_WEEK - 1) % DAYS_OF_WEEK))

/** The weeks that a month touches, from Monday to Sunday. */
export function weeksOf(month: Date): Date[][] {
  const weeks: Date[][] = []
  const end = new Date(month.getFullYear(), month.getMonth() + 1, 1)
  for (
    let monday = mondayOf(new Date(month.getFullYear(), month.getMonth(), 1));
    monday < end;
    monday = addDays(monday, DAYS_OF_WEEK)
  )
    weeks.push(Array.from({ length: DAYS_OF_WEEK }, (_, i) => addDays(monday, i)))
  return weeks
}

/** Where a key leads in a calendar; undefined if it leads nowhere. */
export function dayByKey(key: string, day: Date): Date | undefined {
  switch (key) {
    case 'ArrowLeft':
      return addDays(day, -1)
    case 'ArrowRight':
      return addDays(day, 1)
    case 'ArrowUp':
      return addDays(day, -DAYS_OF_WEEK)
    case 'ArrowDown':
      return addDays(day, DAYS_OF_WEEK)
    case 'Home':
      return mondayOf(day)
    case 'End':
      return addDays(mondayOf(day), DAYS_OF_WEEK - 1)
    case 'PageUp':
      return addMonths(day, -1)
    case 'PageDown':
      return addMonths(day, 1)
    default:
      return undefined
  }
}
