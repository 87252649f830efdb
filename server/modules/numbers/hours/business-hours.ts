import { z } from 'zod'

import { fieldError } from '../../../platform/errors.ts'

export interface BusinessDay {
  /** 0 is Monday. */
  day_of_week: number
  open: boolean
  opening_at: string
  closing_at: string
}

export const DAY_NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** Monday to Friday, eight to four. */
export const defaultBusinessHours: BusinessDay[] = DAY_NAMES.map((_, day_of_week) => ({
  day_of_week,
  open: day_of_week < 5,
  opening_at: '08:00',
  closing_at: '16:00',
}))

export const alwaysOpen: BusinessDay[] = DAY_NAMES.map((_, day_of_week) => ({
  day_of_week,
  open: true,
  opening_at: '00:00',
  closing_at: '24:00',
}))

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/
const CLOSING_TIME = /^(([01]\d|2[0-3]):[0-5]\d|24:00)$/

/** Some or all days of the week. A closed day may omit its times, which then stay. */
export const BusinessHoursUpdate = z
  .array(
    z.object({
      day_of_week: z.int().min(0).max(6).meta({ description: '0 is Monday.' }),
      open: z.boolean().meta({ description: 'Whether it is open on that day.' }),
      opening_at: z
        .string()
        .regex(TIME, { error: 'must be a time such as 08:00' })
        .optional()
        .meta({ description: 'Such as 08:00.' }),
      closing_at: z
        .string()
        .regex(CLOSING_TIME, { error: 'must be a time such as 16:00, or 24:00' })
        .optional()
        .meta({ description: 'Such as 16:00, or 24:00.' }),
    }),
  )
  .max(DAY_NAMES.length)
  .refine((days) => new Set(days.map((day) => day.day_of_week)).size === days.length, {
    error: 'must not name a day twice',
  })
  .meta({ description: 'Some or all days; the others stay.' })
export type BusinessHoursUpdate = z.output<typeof BusinessHoursUpdate>

/** The week after the update; days that are not listed stay. `field` is the client's name for the hours. */
export function mergeHours(week: BusinessDay[], update: BusinessHoursUpdate, field: string): BusinessDay[] {
  return week.map((day) => {
    const merged = { ...day, ...update.find(({ day_of_week }) => day_of_week === day.day_of_week) }
    if (merged.open && merged.opening_at >= merged.closing_at) {
      throw fieldError(field, `must open before it closes on ${DAY_NAMES[day.day_of_week]}`)
    }
    return merged
  })
}
