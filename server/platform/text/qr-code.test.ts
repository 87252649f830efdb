import { decodeQR } from 'qr/decode.js'
import { expect, test } from 'vitest'

import { qrCode } from './qr-code.ts'

const PIXELS_PER_MODULE = 4
const QUIET_ZONE = 4

/** What a camera sees of the drawing. */
function photograph(svg: string) {
  const side = Number(/viewBox="0 0 (\d+)/.exec(svg)![1])
  const dark = new Set([...svg.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => `${x} ${y}`))
  const width = side * PIXELS_PER_MODULE
  const data = new Uint8Array(width * width * 4).fill(255)
  for (let y = 0; y < width; y++)
    for (let x = 0; x < width; x++) {
      const module = `${Math.floor(x / PIXELS_PER_MODULE)} ${Math.floor(y / PIXELS_PER_MODULE)}`
      if (dark.has(module)) data.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3)
    }
  return { side, dark, image: { width, height: width, data } }
}

const draw = (text: string) => photograph(qrCode(text, { label: 'a code' })!.text)

const uri = 'otpauth://totp/Bellhop:anna%40nordlys.example?secret=JBSWY3DPEHPK3PXP&issuer=Bellhop'

test.each([
  ['a short text', 'Bellhop'],
  ['the address of a second factor', uri],
  ['letters beyond ASCII', 'Grød på Ærø'],
  ['a long text', uri.repeat(7)],
])('%s is read from the drawing', (_, text) => {
  expect(decodeQR(draw(text).image)).toBe(text)
})

test('the drawing has a light zone around it, and corrects errors of 15 %', () => {
  const { side, dark } = draw('Bellhop')
  expect(side).toBe(21 + 2 * QUIET_ZONE)
  const places = [...dark].flatMap((place) => place.split(' ').map(Number))
  expect(Math.min(...places)).toBe(QUIET_ZONE)
  expect(Math.max(...places)).toBe(side - 1 - QUIET_ZONE)
  // The two bits of level M, as the mask of the format information leaves them (ISO/IEC 18004, 7.9).
  const isDark = (x: number, y: number) => dark.has(`${x + QUIET_ZONE} ${y + QUIET_ZONE}`)
  expect([isDark(0, 8), isDark(1, 8)]).toEqual([true, false])
})

test('a text that no symbol holds is not drawn', () => {
  expect(qrCode('æ'.repeat(1_165), { label: 'a code' })).toBeDefined()
  expect(qrCode('æ'.repeat(1_166), { label: 'a code' })).toBeUndefined()
})
