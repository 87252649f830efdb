import { type Digit, isDigit } from '../../media/port.ts'
import { type Body, bodyText } from '../../sip/index.ts'

/** The key as a character, or as its number: 10 is the star and 11 the pound sign, as in RFC 4733. */
const KEY = /^\s*(1[0-5]|[\d*#A-D])\s*$/i
const SIGNAL = /^Signal\s*=(.*)$/im
const NUMBERED = ['*', '#', 'A', 'B', 'C', 'D']

/**
 * The DTMF digit of an INFO request. There is no standard for these: phones send `Signal=5` as
 * `application/dtmf-relay`, or the key alone as `application/dtmf`.
 */
export function digitInInfo(body: Body): Digit | undefined {
  const text = bodyText(body)
  const value = SIGNAL.exec(text)?.[1] ?? (isPlainDtmf(body) ? text : '')
  const key = KEY.exec(value)?.[1]?.toUpperCase()
  if (key === undefined) return undefined
  const digit = key.length === 1 ? key : NUMBERED[Number(key) - 10]!
  return isDigit(digit) ? digit : undefined
}

const isPlainDtmf = ({ contentType }: Body) => /^application\/dtmf\s*(;|$)/i.test(contentType)
