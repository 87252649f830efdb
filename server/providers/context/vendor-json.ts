import { z } from 'zod'

import { normalizePhone } from '../../platform/text/phone.ts'
import { LookUpFailed } from './request-json.ts'

/** Text that may be missing or of another type. */
export const Text = z.string().nullish().catch(null)

/** Validates a response; throws if required parts are missing. */
export function parseAnswer<S extends z.ZodType>(schema: S, answer: unknown): z.output<S> {
  const { success, data } = schema.safeParse(answer)
  if (!success) throw new LookUpFailed('malformed')
  return data
}

/** The valid items of a list; the others are left out. */
export const validItems = <S extends z.ZodType>(item: S) =>
  z.array(z.unknown()).transform((items) =>
    items.flatMap((one) => {
      const parsed = item.safeParse(one)
      return parsed.success ? [parsed.data] : []
    }),
  )

/** Providers search for parts of a number: only an exact match is the caller. */
export const isNumber = (written: string | null | undefined, phone: string, country: string): boolean =>
  typeof written === 'string' && normalizePhone(written, country) === phone

/** `PARTIALLY_FULFILLED` and `on-hold` in readable form. */
export function humanise(code: string | null | undefined): string | null {
  const words = code?.toLowerCase().replaceAll(/[_-]/g, ' ').trim()
  return words ? words[0]!.toUpperCase() + words.slice(1) : null
}

export const moneyOf = (amount: string | number | null | undefined, currency: string | null | undefined) => ({
  amount: typeof amount === 'number' ? amount.toFixed(2) : amount,
  currency,
})
