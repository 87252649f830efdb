import type { Queryable } from '../../platform/db/database.ts'
import { fail, fieldError, notFound } from '../../platform/errors.ts'
import { decodeId } from '../../platform/ids.ts'
import { StorableText } from '../../platform/schemas.ts'
import { normalizePhone, WITHHELD_NUMBER } from '../../platform/text/phone.ts'
import { selectKnownNumbers, selectSettings } from './queries.ts'
import type { View } from './view.ts'

export async function viewOf(
  sql: Queryable,
  companyId: string,
  numberText: string | undefined,
): Promise<View> {
  const numberId = numberText === undefined ? undefined : (decodeId('num', numberText) ?? fail(notFound()))
  const settings = await selectSettings(sql, companyId, numberId)
  if (!settings || (numberId !== undefined && !settings.has_number)) throw notFound()
  return { companyId, country: settings.country, numberId, withTexts: settings.messaging_enabled }
}

/**
 * What a thread is identified by: a phone number or, as it came, the name of a caller or sender without one. A short
 * code may look like a national number, so what the company has a thread with goes first.
 */
export async function phoneOf(sql: Queryable, view: View, input: string): Promise<string> {
  const phone = normalizePhone(input, view.country)
  if (phone === input || input === WITHHELD_NUMBER) return input
  const names = [
    ...(phone === undefined ? [] : [phone]),
    ...(StorableText.safeParse(input).success ? [input] : []),
  ]
  const known = await selectKnownNumbers(sql, view.companyId, names)
  return (
    names.find((name) => known.includes(name)) ??
    phone ??
    fail(fieldError('phone_number', 'is not a phone number'))
  )
}
