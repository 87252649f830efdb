import { createECDH } from 'node:crypto'

import { expect, test } from 'vitest'

import { decrypt } from '../../../../test/harness/peers/push-service.ts'
import { encryptForBrowser, isPoint } from './encryption.ts'

const bytes = (text: string) => Buffer.from(text, 'base64url')

/** RFC 8291, Appendix A. */
const RFC = {
  text: 'When I grow up, I want to be a watermelon',
  ownKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
  browserKey: bytes('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94'),
  p256dh: bytes('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'),
  salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
  auth: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
  body: bytes(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  ),
}

const browser = createECDH('prime256v1')
browser.setPrivateKey(RFC.browserKey)

test('a message is encrypted as in the example of RFC 8291', () => {
  const { text, p256dh, auth, salt, ownKey } = RFC
  const body = encryptForBrowser(text, { p256dh, auth }, { salt, ownKey, paddedBytes: 0 })
  expect(body.toString('base64url')).toBe(RFC.body.toString('base64url'))
})

test('messages of any length look the same, and never repeat', () => {
  const { p256dh, auth } = RFC
  const bodies = ['', 'Åse ringer', 'x'.repeat(1_000)].map((text) =>
    encryptForBrowser(text, { p256dh, auth }),
  )
  expect(new Set(bodies.map(({ length }) => length)).size).toBe(1)
  expect(bodies.map((body) => decrypt(body, { ecdh: browser, auth }))).toEqual([
    '',
    'Åse ringer',
    'x'.repeat(1_000),
  ])
  const again = encryptForBrowser('', { p256dh, auth })
  expect(again.subarray(0, 16)).not.toEqual(bodies[0]!.subarray(0, 16))
  expect(again.subarray(21, 86)).not.toEqual(bodies[0]!.subarray(21, 86))
})

test('only points of the curve are keys', () => {
  const { p256dh } = RFC
  expect(isPoint(p256dh)).toBe(true)
  const beside = Buffer.from(p256dh)
  beside[64]! ^= 1
  expect(isPoint(beside)).toBe(false)
  expect(isPoint(p256dh.subarray(0, 64))).toBe(false)
  expect(isPoint(Buffer.alloc(65))).toBe(false)
})
