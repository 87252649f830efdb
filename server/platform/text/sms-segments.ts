/**
 * How a text travels: 3GPP TS 23.038 for the alphabets, TS 23.040 for the parts. The dashboard imports this file too,
 * so that it counts as the server does: it must stay without imports.
 */
export interface SmsSegments {
  encoding: 'gsm7' | 'ucs2'
  parts: number
  /** What still fits into the last part. */
  left: number
}

/** Seven bits each. */
const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
    '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
/** Each follows an escape, so it counts as two. */
const EXTENDED = new Set('\f^{}\\[~]|€')

/** In a text of several segments, each has a header for reassembly. */
const ROOM = {
  gsm7: { alone: 160, joined: 153 },
  ucs2: { alone: 70, joined: 67 },
}

export function splitIntoSegments(text: string): SmsSegments {
  const characters = Array.from(text)
  const encoding = characters.every((one) => BASIC.has(one) || EXTENDED.has(one)) ? 'gsm7' : 'ucs2'
  const widths = characters.map((one) => (encoding === 'gsm7' ? (EXTENDED.has(one) ? 2 : 1) : one.length))
  const { alone, joined } = ROOM[encoding]
  const all = widths.reduce((sum, width) => sum + width, 0)
  if (all <= alone) return { encoding, parts: 1, left: alone - all }
  return { encoding, ...countJoined(widths, joined) }
}

/** Neither an escape and its character nor the halves of a surrogate pair are torn apart. */
function countJoined(widths: number[], room: number): { parts: number; left: number } {
  let parts = 1
  let used = 0
  for (const width of widths) {
    if (used + width > room) {
      parts++
      used = 0
    }
    used += width
  }
  return { parts, left: room - used }
}
