import { expect, test } from 'vitest'

import { splitIntoSegments } from './sms-segments.ts'

test.each([
  ['160 letters', 'a'.repeat(160), 'gsm7', 1],
  ['161 letters', 'a'.repeat(161), 'gsm7', 2],
  ['306 letters', 'a'.repeat(306), 'gsm7', 2],
  ['307 letters', 'a'.repeat(307), 'gsm7', 3],
  ['all of the basic alphabet except letters', '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ¤¡ÄÖÑÜ§¿äöñüà', 'gsm7', 1],
  ['80 characters behind an escape', '€'.repeat(80), 'gsm7', 1],
  ['81 characters behind an escape', '€'.repeat(81), 'gsm7', 2],
  ['every character behind an escape', '\f^{}\\[~]|€', 'gsm7', 1],
  // 152 and 2 do not fit into 153: the escape and its character move to the next segment together.
  ['an escape at the end of a part', 'a'.repeat(152) + '€' + 'a'.repeat(151), 'gsm7', 2],
  ['an escape that pushes the rest over', 'a'.repeat(152) + '€' + 'a'.repeat(152), 'gsm7', 3],
  ['a small c with a cedilla, which the alphabet lacks', 'ç', 'ucs2', 1],
  ['a backtick', '`', 'ucs2', 1],
  ['70 other characters', 'ő'.repeat(70), 'ucs2', 1],
  ['71 other characters', 'ő'.repeat(71), 'ucs2', 2],
  ['134 other characters', 'ő'.repeat(134), 'ucs2', 2],
  ['135 other characters', 'ő'.repeat(135), 'ucs2', 3],
  ['35 surrogate pairs', '👍'.repeat(35), 'ucs2', 1],
  ['36 surrogate pairs', '👍'.repeat(36), 'ucs2', 2],
  // 33 pairs fill 66 of 67: half a pair does not fit into the last one.
  ['66 surrogate pairs', '👍'.repeat(66), 'ucs2', 2],
  ['67 surrogate pairs', '👍'.repeat(67), 'ucs2', 3],
  ['nothing', '', 'gsm7', 1],
])('%s', (_, text, encoding, parts) => {
  expect(splitIntoSegments(text)).toMatchObject({ encoding, parts })
})

test.each([
  ['nothing', '', 160],
  ['a full text', 'a'.repeat(160), 0],
  ['a text that has just become two', 'a'.repeat(161), 153 * 2 - 161],
  ['an escape that no longer fits', 'a'.repeat(152) + '€' + 'a'.repeat(8), 153 - 10],
  ['a pair that no longer fits', '👍'.repeat(36), 67 - 6],
])('the space left after %s', (_, text, left) => {
  expect(splitIntoSegments(text).left).toBe(left)
})
