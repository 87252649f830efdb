import { parsePhoneNumberFromString } from 'libphonenumber-js/max'

import { lastNumberOf } from '../../modules/calls/index.ts'
import { type CalledNumber, findOwnNumber, listNumberRows } from '../../modules/numbers/index.ts'
import type { Queryable } from '../../platform/db/database.ts'
import { decodeId } from '../../platform/ids.ts'
import { normalizePhone } from '../../platform/text/phone.ts'

/** A prefix to the dialled number chooses which of the company's numbers is shown, counted from 1. */
const PREFIX = /^\*([1-9]\d?)\*(.+)$/

/** Splits what was dialled into the chosen number to show, if any, and the rest. */
export function readDialled(user: string): { choice: number | undefined; dialled: string } {
  const match = PREFIX.exec(user)
  return match ? { choice: Number(match[1]), dialled: match[2]! } : { choice: undefined, dialled: user }
}

/** The number that a call shows: the requested one, else the one that the employee used last, else the first. */
export async function numberToShow(
  sql: Queryable,
  { companyId, employeeId }: { companyId: string; employeeId: string },
  wish: { header: string | undefined; choice: number | undefined },
): Promise<CalledNumber | undefined> {
  if (wish.header !== undefined) {
    const id = decodeId('num', wish.header.trim())
    return findOwnNumber(sql, companyId, id === undefined ? { e164: wish.header.trim() } : { id })
  }
  const own = await listNumberRows(sql, companyId)
  if (wish.choice !== undefined) {
    const chosen = own[wish.choice - 1]
    return chosen && findOwnNumber(sql, companyId, { id: chosen.id })
  }
  const last = await lastNumberOf(sql, companyId, employeeId)
  const inService = own.filter(({ retired_at }) => retired_at === null)
  const id = (inService.find((number) => number.id === last) ?? inService[0])?.id
  return id === undefined ? undefined : findOwnNumber(sql, companyId, { id })
}

/** Emergency and short numbers, among them 116 000 to 116 999. */
const SHORT_NUMBER = /^(\d{2,5}|116\d{3})$/

/** A few countries have national numbers that are as short. */
function isShortNumber(text: string, country: string): boolean {
  if (!SHORT_NUMBER.test(text)) return false
  const number = normalizePhone(text, country)
  return number === undefined || !parsePhoneNumberFromString(number)?.isValid()
}

/** In E.164, or as dialled if it is an emergency or short number; undefined if it cannot be a phone number. */
export const readDialledNumber = (text: string, homeCountry: string): string | undefined =>
  isShortNumber(text, homeCountry) ? text : normalizePhone(text, homeCountry)

/**
 * Numbers in allowed countries only, because toll fraud costs the operator money; emergency and short numbers always.
 * A number that no country has assigned counts as one of the main country of its calling code.
 */
export function isCountryAllowed(number: string, homeCountry: string, allowedCountries: string[]): boolean {
  const parsed = parsePhoneNumberFromString(number)
  if (!parsed) return true
  const allowed = allowedCountries.length === 0 ? [homeCountry] : allowedCountries
  const country = parsed.country ?? parsed.getPossibleCountries()[0]
  return allowed.includes('*') || (country !== undefined && allowed.includes(country))
}
