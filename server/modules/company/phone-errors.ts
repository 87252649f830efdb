import type { Queryable } from '../../platform/db/database.ts'
import type { FieldErrors } from '../../platform/errors.ts'
import type { Actor } from '../../platform/http/route.ts'
import { normalizePhone } from '../../platform/text/phone.ts'
import { companyCountry } from './company.ts'

export const NOT_A_PHONE_NUMBER = 'is not a phone number'

/** For `findMoreErrors`: whether the field of the body is a number depends on the country of the company. */
export const findPhoneErrors =
  ({ sql }: { sql: Queryable }, field: string) =>
  async ({ companyId }: Actor, body: unknown): Promise<FieldErrors> => {
    const phone = (body as Record<string, unknown> | null)?.[field]
    if (typeof phone !== 'string' || phone.trim() === '') return {}
    const isNumber = normalizePhone(phone, await companyCountry(sql, companyId)) !== undefined
    return isNumber ? {} : { [field]: [NOT_A_PHONE_NUMBER] }
  }
