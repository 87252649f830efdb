import { expect, test } from 'vitest'

import { addMonths, dayByKey, weeksOf } from '../web/ui/time/month.ts'

const day = (text: string) => new Date(`${text}T00:00`)
const written = (date: Date) =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')

test.each([
  ['2026-11', '2026-10-26', '2026-12-06', 6],
  // It begins on a Monday and ends on a Sunday.
  ['2027-02', '2027-02-01', '2027-02-28', 4],
  // The clocks change in it, in Denmark.
  ['2026-03', '2026-02-23', '2026-04-05', 6],
])('the weeks of %s are whole, and begin on Monday', (month, first, last, count) => {
  const weeks = weeksOf(day(`${month}-01`))
  expect(weeks.map((week) => week.length)).toEqual(Array.from({ length: count }, () => 7))
  expect([written(weeks[0]![0]!), written(weeks.at(-1)![6]!)]).toEqual([first, last])
  expect(new Set(weeks.flat().map(written)).size).toBe(count * 7)
})

test('a month more is never two', () => {
  expect(written(addMonths(day('2027-01-31'), 1))).toBe('2027-02-28')
  expect(written(addMonths(day('2026-12-31'), -1))).toBe('2026-11-30')
})

test.each([
  ['ArrowLeft', '2026-11-17'],
  ['ArrowRight', '2026-11-19'],
  ['ArrowUp', '2026-11-11'],
  ['ArrowDown', '2026-11-25'],
  ['Home', '2026-11-16'],
  ['End', '2026-11-22'],
  ['PageUp', '2026-10-18'],
  ['PageDown', '2026-12-18'],
])('%s leads from Wednesday, 18 November 2026, to %s', (key, to) => {
  expect(written(dayByKey(key, day('2026-11-18'))!)).toBe(to)
})

test('other keys lead nowhere', () => {
  expect(dayByKey('a', day('2026-11-18'))).toBeUndefined()
})
