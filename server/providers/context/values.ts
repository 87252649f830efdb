import { z } from 'zod'

import { AnyEmailAddress } from '../../platform/schemas.ts'
import { CONTEXT_LIMITS } from './limits.ts'
import { type Format, type Value, VALUE_FORMATS } from './port.ts'
import { objectOf, stringOf } from './texts.ts'

const Email = AnyEmailAddress.max(CONTEXT_LIMITS.contactEmailCharacters)
const Date = z.union([z.iso.date(), z.iso.datetime({ offset: true, local: true })])
const E164 = /^\+[1-9]\d{1,14}$/
const AMOUNT = /^-?\d{1,15}(\.\d{1,6})?$/
const CURRENCY = /^[A-Z]{3}$/

type Read = (input: unknown) => Value | null

const matching =
  (matches: (text: string) => boolean): Read =>
  (input) =>
    typeof input === 'string' && matches(input) ? input : null

const text: Read = (input) => stringOf(isExact(input) ? String(input) : input, CONTEXT_LIMITS.valueCharacters)

/** A number, unless it is so large that JSON.parse has rounded it. */
const isExact = (input: unknown) =>
  Number.isSafeInteger(input) || (Number.isFinite(input) && !Number.isInteger(input))

/** Parses a value of each format; null if it is invalid. */
const READERS: Record<Format, Read> = {
  text,
  badge: text,
  money(input) {
    const { amount, currency } = objectOf(input)
    if (typeof amount !== 'string' || typeof currency !== 'string') return null
    return AMOUNT.test(amount) && CURRENCY.test(currency) ? { amount, currency } : null
  },
  date: matching((date) => Date.safeParse(date).success),
  email: matching((email) => Email.safeParse(email).success),
  phone: matching((phone) => E164.test(phone)),
}

/** An unknown format is ignored: the value is then text. */
export const formatOf = (input: unknown): Format | undefined =>
  VALUE_FORMATS.find((format) => format === input)

export const contextValueOf = (input: unknown, format: Format | undefined): Value | null =>
  READERS[format ?? 'text'](input)

export function emailOf(input: unknown): string | null {
  const email = stringOf(input, CONTEXT_LIMITS.contactEmailCharacters)
  return email !== null && Email.safeParse(email).success ? email : null
}
