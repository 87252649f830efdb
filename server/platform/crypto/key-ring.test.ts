import { expect, test } from 'vitest'

import { createKeyRing, KeyMissing } from './key-ring.ts'

const old = { id: '2025', secret: 'a'.repeat(32) }
const current = { id: '2026', secret: 'b'.repeat(32) }

test('after a rotation the new key encrypts, and the old one still decrypts', () => {
  const before = createKeyRing([old]).seal('Blåbær', 'message 1')
  const rotated = createKeyRing([current, old])
  expect(rotated.open(before, 'message 1')).toBe('Blåbær')
  const after = rotated.seal('Blåbær', 'message 2')
  expect(createKeyRing([current]).open(after, 'message 2')).toBe('Blåbær')
  expect(() => createKeyRing([current]).open(before, 'message 1')).toThrow(KeyMissing)
  expect(() => createKeyRing([old]).open(after, 'message 2')).toThrow(new KeyMissing('2026'))
})

test('the same text never has the same ciphertext', () => {
  const ring = createKeyRing([current])
  expect(ring.seal('x', 'c').equals(ring.seal('x', 'c'))).toBe(false)
})

test('a value that was changed, moved to another record or sealed with another secret cannot be opened', () => {
  const ring = createKeyRing([current])
  const sealed = ring.seal('The code is 4711', 'message 1')
  for (let i = 0; i < sealed.length; i++) {
    const changed = Buffer.from(sealed)
    changed[i]! ^= 1
    expect(() => ring.open(changed, 'message 1')).toThrow()
  }
  expect(() => ring.open(sealed.subarray(0, -1), 'message 1')).toThrow()
  expect(() => ring.open(sealed, 'message 2')).toThrow()
  const otherRing = createKeyRing([{ ...current, secret: 'c'.repeat(32) }])
  expect(() => otherRing.open(sealed, 'message 1')).toThrow()
})
