import type { BusinessNumber } from '../../../api/numbers.ts'

export type Day = BusinessNumber['business_hours'][number]

export const WEEKDAYS = [0, 1, 2, 3, 4]
export const EVERY_DAY = [...WEEKDAYS, 5, 6]

/** The week after the hours of a day were copied to others. A day that becomes closed keeps its times, as if unticked. */
export function copyHours(week: Day[], from: number, to: number[]): Day[] {
  const { open, opening_at, closing_at } = week.find(({ day_of_week }) => day_of_week === from)!
  const hours = open ? { open, opening_at, closing_at } : { open }
  return week.map((day) =>
    day.day_of_week !== from && to.includes(day.day_of_week) ? { ...day, ...hours } : day,
  )
}
