import { MEDIA_LIMITS } from '../limits.ts'
import { renderTone, type Tone } from './tones.ts'

/** The DTMF digits, in the order of their RFC 4733 event codes. */
export const DIGITS = '0123456789*#ABCD'

export type Digit =
  | '0'
  | '1'
  | '2'
  | '3'
  | '4'
  | '5'
  | '6'
  | '7'
  | '8'
  | '9'
  | '*'
  | '#'
  | 'A'
  | 'B'
  | 'C'
  | 'D'

export const isDigit = (text: string): text is Digit => text.length === 1 && DIGITS.includes(text)

/** ITU-T Q.23: a digit is one low and one high frequency, those of its row and column. */
export const LOW_HZ = [697, 770, 852, 941] as const
export const HIGH_HZ = [1209, 1336, 1477, 1633] as const
export const KEYS = ['123A', '456B', '789C', '*0#D'] as const

function digitTone(digit: Digit): Tone {
  const row = KEYS.findIndex((keys) => keys.includes(digit))
  const hz = [LOW_HZ[row]!, HIGH_HZ[KEYS[row]!.indexOf(digit)]!]
  return {
    steps: [
      { hz, ms: MEDIA_LIMITS.dtmfToneMs },
      { hz: [], ms: MEDIA_LIMITS.dtmfPauseMs },
    ],
    loops: false,
  }
}

export const renderDigit = (digit: Digit): Int16Array => renderTone(digitTone(digit))
