import { expect, test } from 'vitest'

import { readRange } from './byte-range.ts'

const HUGE = '9'.repeat(400)

test.each([
  ['bytes=0-0', { start: 0, end: 0 }],
  ['bytes=0-99', { start: 0, end: 99 }],
  ['bytes=10-19', { start: 10, end: 19 }],
  ['bytes=99-99', { start: 99, end: 99 }],
  ['bytes=007-008', { start: 7, end: 8 }],
  ['Bytes=10-19', { start: 10, end: 19 }],
])('%s of 100 bytes gives that part', (header, part) => {
  expect(readRange(header, 100)).toEqual(part)
})

test.each([
  ['bytes=0-', { start: 0, end: 99 }],
  ['bytes=40-', { start: 40, end: 99 }],
  ['bytes=40-1000', { start: 40, end: 99 }],
  [`bytes=40-${HUGE}`, { start: 40, end: 99 }],
  ['bytes=-1', { start: 99, end: 99 }],
  ['bytes=-30', { start: 70, end: 99 }],
  ['bytes=-100', { start: 0, end: 99 }],
  ['bytes=-1000', { start: 0, end: 99 }],
  [`bytes=-${HUGE}`, { start: 0, end: 99 }],
])('%s of 100 bytes ends with the last byte', (header, part) => {
  expect(readRange(header, 100)).toEqual(part)
})

test.each(['bytes=100-', 'bytes=100-200', 'bytes=1000-1001', `bytes=${HUGE}-`, 'bytes=-0'])(
  '%s of 100 bytes cannot be satisfied',
  (header) => {
    expect(readRange(header, 100)).toBe('unsatisfiable')
  },
)

test.each(['bytes=0-', 'bytes=0-0', 'bytes=-1'])('%s of an empty file cannot be satisfied', (header) => {
  expect(readRange(header, 0)).toBe('unsatisfiable')
})

test.each([
  undefined,
  '',
  'bytes',
  'bytes=',
  'bytes=-',
  'bytes=5-3',
  'bytes=200-150',
  'bytes=0-1,5-6',
  'bytes=a-b',
  'bytes=0x1-0x2',
  'bytes=1.5-2',
  'bytes=--1',
  'bytes=0-1-2',
  'bytes= 0-1',
  'bytes=0-1\n',
  'items=0-1',
  'xbytes=0-1',
])('%j gives the whole file', (header) => {
  expect(readRange(header, 100)).toBeUndefined()
})
