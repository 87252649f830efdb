import { parsePhoneNumberFromString } from 'libphonenumber-js/max'

import { allowsOutsideTransfers } from '../../modules/company/index.ts'
import type { CalledNumber } from '../../modules/numbers/index.ts'
import { isShortNumber } from '../../platform/text/short-numbers/short-numbers.ts'
import type { EdgePort } from '../port.ts'
import type { CarrierTrunk } from '../trunks/trunks.ts'
import { chooseRoute, type DialRefusal } from './plan.ts'

/** Where a customer is transferred to. */
export interface OutsideTarget {
  /** In E.164. */
  number: string
  trunk: CarrierTrunk
}

/** A number to which a customer is to be transferred, checked as if an employee had dialled it. */
export async function planOutsideTransfer(
  edge: EdgePort,
  shown: CalledNumber,
  number: string,
): Promise<OutsideTarget | DialRefusal> {
  const { company_id: companyId, country } = shown
  if (!(await allowsOutsideTransfers(edge.db.sql, companyId)))
    return { refusal: 403, why: 'the company allows no transfers to numbers outside' }
  // Somebody who needs help must not lose the one who called for it.
  if (isShortNumber(parsePhoneNumberFromString(number)?.nationalNumber ?? number, country))
    return { refusal: 403, why: 'calls are not transferred to emergency and short numbers' }
  const route = await chooseRoute(edge, { companyId }, shown, number)
  if ('refusal' in route) return route
  if (route.over === 'inside') return { refusal: 403, why: 'that is a number of the company itself' }
  return { number, trunk: route.trunks[0]! }
}
