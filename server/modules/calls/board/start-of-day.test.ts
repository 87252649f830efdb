import { expect, test } from 'vitest'

import { dayIn } from './start-of-day.ts'

test.each([
  ['UTC', '2026-11-17T23:59:59.999Z', '2026-11-17', '2026-11-17T00:00:00.000Z'],
  ['Europe/Copenhagen', '2026-11-17T22:59:59Z', '2026-11-17', '2026-11-16T23:00:00.000Z'],
  ['Europe/Copenhagen', '2026-11-17T23:00:00Z', '2026-11-18', '2026-11-17T23:00:00.000Z'],
  // 25 hours long, and 23.
  ['Europe/Copenhagen', '2026-10-25T22:30:00Z', '2026-10-25', '2026-10-24T22:00:00.000Z'],
  ['Europe/Copenhagen', '2026-03-29T21:30:00Z', '2026-03-29', '2026-03-28T23:00:00.000Z'],
  ['Asia/Kathmandu', '2026-11-17T18:14:00Z', '2026-11-17', '2026-11-16T18:15:00.000Z'],
  ['America/Los_Angeles', '2026-11-17T07:30:00Z', '2026-11-16', '2026-11-16T08:00:00.000Z'],
  // There is no midnight in Cairo on the day on which summer time begins.
  ['Africa/Cairo', '2026-04-24T10:00:00Z', '2026-04-24', '2026-04-23T22:00:00.000Z'],
])('in %s, at %s it is %s, which began at %s', (zone, now, date, since) => {
  const day = dayIn(zone, new Date(now))
  expect([day.date, day.since.toISOString()]).toEqual([date, since])
})
