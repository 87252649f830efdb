import { describe, expect, test } from 'vitest'

import { isOpen } from './is-open.ts'

/** Open from Monday to Friday. */
const week = (opening_at: string, closing_at: string) =>
  Array.from({ length: 7 }, (_, day_of_week) => ({
    day_of_week,
    open: day_of_week < 5,
    opening_at,
    closing_at,
  }))

const officeHours = week('08:00', '16:00')

describe('hours', () => {
  test.each([
    ['2026-11-16T06:59:59Z', false],
    ['2026-11-16T07:00:00Z', true],
    ['2026-11-16T14:59:59Z', true],
    ['2026-11-16T15:00:00Z', false],
    ['2026-11-14T10:00:00Z', false],
  ])('are in the time zone of Copenhagen: at %s open is %s', (at, open) => {
    expect(isOpen(officeHours, 'Europe/Copenhagen', new Date(at))).toBe(open)
  })

  test.each([
    // The last Monday of winter time and the first of summer time.
    ['2026-03-23T06:30:00Z', false],
    ['2026-03-30T06:30:00Z', true],
    // And back.
    ['2026-10-19T06:30:00Z', true],
    ['2026-10-26T06:30:00Z', false],
  ])('follow daylight saving time: at %s open is %s', (at, open) => {
    expect(isOpen(officeHours, 'Europe/Copenhagen', new Date(at))).toBe(open)
  })

  test('use the weekday of the time zone', () => {
    const sundayEvening = new Date('2026-11-15T22:30:00Z')
    expect(isOpen(officeHours, 'Pacific/Auckland', sundayEvening)).toBe(true)
    expect(isOpen(officeHours, 'Europe/Copenhagen', sundayEvening)).toBe(false)
  })

  test('until 24:00 last to the end of the day', () => {
    const late = week('00:00', '24:00')
    expect(isOpen(late, 'Europe/Copenhagen', new Date('2026-11-20T22:59:59Z'))).toBe(true)
    expect(isOpen(late, 'Europe/Copenhagen', new Date('2026-11-20T23:00:00Z'))).toBe(false)
  })
})
