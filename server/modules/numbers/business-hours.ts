export interface BusinessDay {
  /** 0 is Monday. */
  day_of_week: number
  open: boolean
  opening_at: string
  closing_at: string
}

/** Monday to Friday, eight to four. */
export const defaultBusinessHours: BusinessDay[] = Array.from({ length: 7 }, (_, day_of_week) => ({
  day_of_week,
  open: day_of_week < 5,
  opening_at: '08:00',
  closing_at: '16:00',
}))
