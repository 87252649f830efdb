import { expect, test } from 'vitest'

import { digitInInfo } from './info-digit.ts'

const read = (contentType: string, text: string) => digitInInfo({ contentType, bytes: Buffer.from(text) })

test.each([
  ['Signal=5\r\nDuration=160\r\n', '5'],
  ['Signal= 0\r\nDuration= 250', '0'],
  ['signal = #', '#'],
  ['Duration=100\r\nSignal=*\r\n', '*'],
  ['Signal=10\r\nDuration=160\r\n', '*'],
  ['Signal=11\r\n', '#'],
  ['Signal=12', 'A'],
  ['Signal=15', 'D'],
  ['Signal=c', 'C'],
  ['Signal=16', undefined],
  ['Signal=flash', undefined],
  ['Signal=', undefined],
  ['5', undefined],
])('application/dtmf-relay %j is %s', (text, digit) => {
  expect(read('application/dtmf-relay', text)).toBe(digit)
})

test.each([
  ['5', '5'],
  [' 7\r\n', '7'],
  ['*', '*'],
  ['10', '*'],
  ['11', '#'],
  ['Signal=3', '3'],
  ['55', undefined],
  ['', undefined],
])('application/dtmf %j is %s', (text, digit) => {
  expect(read('application/dtmf', text)).toBe(digit)
  expect(read('application/DTMF;charset=utf-8', text)).toBe(digit)
})

test('what is not DTMF has no digit', () => {
  expect(read('application/media_control+xml', '5')).toBeUndefined()
})
