import { createHash } from 'node:crypto'

import { expect, test } from 'vitest'

import { qrCode } from './index.ts'

/** Rows of the drawing, # for dark, without the light zone around it. */
function rowsOf(svg: string): string[] {
  const side = Number(/viewBox="0 0 (\d+)/.exec(svg)![1])
  const rows = Array.from({ length: side }, () => Array.from({ length: side }, () => '.'))
  for (const [, x, y] of svg.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) rows[Number(y)]![Number(x)] = '#'
  const frame = [...rows.slice(0, 4), ...rows.slice(-4)].flat()
  expect(frame.every((module) => module === '.')).toBe(true)
  return rows.slice(4, -4).map((row) => row.slice(4, -4).join(''))
}

const draw = (text: string) => rowsOf(qrCode(text, { label: 'a code' })!.text)

test('a short text is drawn as readers of another make read it', () => {
  expect(draw('Bellhop')).toMatchInlineSnapshot(`
    [
      "#######.......#######",
      "#.....#...#...#.....#",
      "#.###.#.#..#..#.###.#",
      "#.###.#.#.###.#.###.#",
      "#.###.#.#...#.#.###.#",
      "#.....#.#.##..#.....#",
      "#######.#.#.#.#######",
      "........#............",
      "#.#####..###..#####..",
      ".#.##..#..######.##.#",
      "###.#.##....#.##.###.",
      ".#.#...#.#.#####.##.#",
      "#.#######...#..#.....",
      "........###.#...##...",
      "#######...##.#....##.",
      "#.....#.###.....#####",
      "#.###.#.#.##.#..#..#.",
      "#.###.#.##.#######...",
      "#.###.#.#...#.#...#..",
      "#.....#..#.#####.##..",
      "#######.#.#.#..##..#.",
    ]
  `)
})

/** Drawings that readers of another make have read, by their digest: around each size the standard names. */
test.each([
  [106, 41, 'xMAu5f8lZWGRASGaLnPr0x3Z0lP_bCszFe6lWkCE4hM'],
  [107, 45, 'dbX9vLOXZUxiBYoJljn8KcRsrqVjW6ueRZ5TTy3Rkkw'],
  [180, 53, 'bK72KyItbG7cnB3b6fcEEJsXN2ijDTRJ__PvyrLEJHs'],
  [181, 57, 'Ku2Uio_I8f_-ZAarGdmN2uuP9UTCBpA_cGwRVE123Y4'],
  [412, 77, 'dPggb1l029ISGTXcYKYP-wouFb4mNFmIWQP6jr7EdlM'],
  [413, 81, 'lmqfutJOaZSMRgTmdoE_8XTB6hRAkfaVvAnY_LQ3z4U'],
  [666, 97, 'esOGJRCGjztpJTbVd0gQbGPWOgpk1gQXFLmdfOxMJR4'],
])('%i bytes fill a symbol of %i modules on a side', (bytes, side, digest) => {
  const rows = draw('otpauth://totp/Bellhop:anna%40nordlys.example?secret='.repeat(20).slice(0, bytes))
  expect(rows).toHaveLength(side)
  expect(createHash('sha256').update(rows.join('\n')).digest('base64url')).toBe(digest)
})

test('letters beyond ASCII count as their bytes, and what does not fit is not drawn', () => {
  expect(qrCode('æ'.repeat(333), { label: 'a code' })).toBeDefined()
  expect(qrCode('æ'.repeat(334), { label: 'a code' })).toBeUndefined()
})
