import { expect, test } from 'vitest'

import { copyHours, type Day, EVERY_DAY, WEEKDAYS } from '../web/pages/numbers/hours/copy-hours.ts'

const day = (day_of_week: number, open: boolean, opening_at: string, closing_at: string): Day => ({
  day_of_week,
  day_name: '',
  open,
  opening_at,
  closing_at,
})

const week: Day[] = [
  day(0, true, '07:30', '15:00'),
  ...[1, 2, 3, 4].map((at) => day(at, true, '08:00', '16:00')),
  day(5, false, '10:00', '12:00'),
  day(6, false, '10:00', '12:00'),
]

const shown = (days: Day[]) =>
  days.map(({ open, opening_at, closing_at }) => `${open ? 'open' : 'closed'} ${opening_at}-${closing_at}`)

test('the hours of a day are copied to the days named, which then are open as it is', () => {
  expect(shown(copyHours(week, 0, WEEKDAYS))).toEqual([
    ...Array.from({ length: 5 }, () => 'open 07:30-15:00'),
    'closed 10:00-12:00',
    'closed 10:00-12:00',
  ])
  expect(shown(copyHours(week, 0, EVERY_DAY))).toEqual(Array.from({ length: 7 }, () => 'open 07:30-15:00'))
  expect(shown(copyHours(week, 0, [5]))[5]).toBe('open 07:30-15:00')
})

test('days that are closed like another keep their times for when they open again', () => {
  expect(shown(copyHours(week, 5, [0, 1])).slice(0, 3)).toEqual([
    'closed 07:30-15:00',
    'closed 08:00-16:00',
    'open 08:00-16:00',
  ])
})

test('the week that was copied from stays, so that it can be brought back', () => {
  const before = structuredClone(week)
  copyHours(week, 0, EVERY_DAY)
  expect(week).toEqual(before)
})
