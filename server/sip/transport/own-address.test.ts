import { expect, test } from 'vitest'

import { ownAddress } from './own-address.ts'

const PUBLIC = ['203.0.113.1', '2001:db8::1']

test.each([
  ['0.0.0.0', '198.51.100.7', '203.0.113.1'],
  ['::', '2001:db8:1::7', '[2001:db8::1]'],
  // On the same machine the public address may not work.
  ['127.0.0.1', '127.0.0.1', '127.0.0.1'],
  ['::1', '::1', '[::1]'],
  ['0.0.0.0', '127.0.0.9', '127.0.0.1'],
])('a socket on %s is at the public address of the family of %s', (listening, remote, own) => {
  expect(ownAddress(listening, remote, PUBLIC)).toBe(own)
})

test('a family without a public address has that of its socket', () => {
  expect(ownAddress('2001:db8::5', '2001:db8:1::7', ['203.0.113.1'])).toBe('[2001:db8::5]')
})
