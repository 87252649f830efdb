import { expect, test } from 'vitest'

import { parseUri, printUri, sameUri } from './uri.ts'

test.each([
  'sip:example.com',
  'sips:anna:secret@example.com:5061',
  'sip:+4520112233@[2001:db8::1]:5060;transport=tcp;lr',
  'sip:a%20b@example.com;x=%3D?Subject=a%20b&Priority=urgent',
  'tel:+4520112233;phone-context=dk',
])('%s is printed as it was parsed', (text) => {
  expect(printUri(parseUri(text)!)).toBe(text)
})

test.each([
  'sip:',
  'sip:@example.com',
  'sip:a b@example.com',
  'sip:a@example.com:99999',
  'sip:a@example.com:',
  'sip:a@[::g]',
  'sip:a@exa mple.com',
  'sip:a@example.com; lr',
  'sip:%@example.com',
  'nothing',
  '<sip:a@example.com>',
])('%s is not a URI', (text) => {
  expect(parseUri(text)).toBeUndefined()
})

/** RFC 3261 §19.1.4. */
test.each([
  ['sip:%61lice@atlanta.com;transport=TCP', 'sip:alice@AtLanTa.CoM;Transport=tcp', true],
  ['sip:carol@chicago.com', 'sip:carol@chicago.com;newparam=5', true],
  ['sip:ALICE@AtLanTa.CoM', 'sip:alice@AtLanTa.CoM', false],
  ['sip:bob@biloxi.com', 'sip:bob@biloxi.com:5060', false],
  ['sip:bob@biloxi.com', 'sip:bob@biloxi.com;transport=udp', false],
  ['sip:carol@chicago.com;security=on', 'sip:carol@chicago.com;security=off', false],
])('%s and %s are equal: %s', (one, other, same) => {
  expect(sameUri(parseUri(one)!, parseUri(other)!)).toBe(same)
})
