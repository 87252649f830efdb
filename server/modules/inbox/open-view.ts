import type { Queryable } from '../../platform/db/database.ts'
import { fail, fieldError, notFound } from '../../platform/errors.ts'
import { decodeId } from '../../platform/ids.ts'
import { normalizePhone } from '../../platform/text/phone.ts'
import { selectSettings } from './queries.ts'
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

export function phoneOf(view: View, input: string): string {
  return normalizePhone(input, view.country) ?? fail(fieldError('phone_number', 'is not a phone number'))
}
