import { z } from 'zod'

import { normalizePhone } from '../../platform/text/phone.ts'
import { LookUpFailed } from './ask.ts'

/** Text of a vendor that may be missing, or be anything else. */
export const Text = z.string().nullish().catch(null)

/** What a vendor's answer must have; one that has not is no answer. */
export function parseAnswer<S extends z.ZodType>(schema: S, answer: unknown): z.output<S> {
  const { success, data } = schema.safeParse(answer)
  if (!success) throw new LookUpFailed('malformed')
  return data
}

/** The items of a list that are as they must be; the others are left out. */
export const validItems = <S extends z.ZodType>(item: S) =>
  z.array(z.unknown()).transform((items) =>
    items.flatMap((one) => {
      const parsed = item.safeParse(one)
      return parsed.success ? [parsed.data] : []
    }),
  )

/** Vendors search by parts of what was typed: only who has the very number is the caller. */
export const isNumber = (written: string | null | undefined, phone: string, country: string): boolean =>
  typeof written === 'string' && normalizePhone(written, country) === phone

/** `PARTIALLY_FULFILLED` and `on-hold` as people write it. */
export function inWords(code: string | null | undefined): string | null {
  const words = code?.toLowerCase().replaceAll(/[_-]/g, ' ').trim()
  return words ? words[0]!.toUpperCase() + words.slice(1) : null
}

export const moneyOf = (amount: string | number | null | undefined, currency: string | null | undefined) => ({
  amount: typeof amount === 'number' ? amount.toFixed(2) : amount,
  currency,
})
