import { parsePhoneNumberFromString } from 'libphonenumber-js/max'

import { lastNumberOf } from '../../modules/calls/index.ts'
import { type CalledNumber, findOwnNumber, listNumberRows } from '../../modules/numbers/index.ts'
import type { Queryable } from '../../platform/db/database.ts'
import { decodeId } from '../../platform/ids.ts'
import { normalizePhone } from '../../platform/text/phone.ts'
import { isShortNumber } from '../../platform/text/short-numbers/short-numbers.ts'

/** A prefix to the dialled number chooses which of the company's numbers is shown, counted from 1. */
const PREFIX = /^\*([1-9]\d?)\*(.+)$/

/** Splits what was dialled, without its separators, into the chosen number to show, if any, and the rest. */
export function readDialled(user: string): { choice: number | undefined; dialled: string } {
  const digits = user.replace(/[\s().-]/g, '')
  const match = PREFIX.exec(digits)
  return match ? { choice: Number(match[1]), dialled: match[2]! } : { choice: undefined, dialled: digits }
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

/** Codes that a carrier may know although they are not in the list of the country. */
const CARRIER_CODE = /^(\d{2,5}|116\d{3})$/

/** A few countries have national numbers that are as short. */
function isCarrierCode(digits: string, country: string): boolean {
  if (!CARRIER_CODE.test(digits)) return false
  const number = normalizePhone(digits, country)
  return number === undefined || !parsePhoneNumberFromString(number)?.isValid()
}

/** In E.164, or as dialled if it is a short number or a code of the carrier; undefined if it is no phone number. */
export function readDialledNumber(dialled: string, homeCountry: string): string | undefined {
  const isAsDialled = isShortNumber(dialled, homeCountry) || isCarrierCode(dialled, homeCountry)
  return isAsDialled ? dialled : normalizePhone(dialled, homeCountry)
}

/**
 * Numbers in allowed countries only, because toll fraud costs the operator money, and numbers that are called as dialled.
 * A number that no country has assigned counts as one of the main country of its calling code.
 */
export function isCountryAllowed(number: string, homeCountry: string, allowedCountries: string[]): boolean {
  const parsed = parsePhoneNumberFromString(number)
  if (!parsed) return true
  const allowed = allowedCountries.length === 0 ? [homeCountry] : allowedCountries
  const country = parsed.country ?? parsed.getPossibleCountries()[0]
  return allowed.includes('*') || (country !== undefined && allowed.includes(country))
}

/** A number of no known type is one that nobody has, or a new one: its country alone decides. */
export function isTypeAllowed(number: string, allowedTypes: string[]): boolean {
  const type = parsePhoneNumberFromString(number)?.getType()
  return type === undefined || allowedTypes.includes('*') || allowedTypes.includes(type)
}
