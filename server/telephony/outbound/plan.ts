import { countPlaced } from '../../modules/calls/index.ts'
import { type CalledNumber, findOwnNumber } from '../../modules/numbers/index.ts'
import { isShortNumber } from '../../platform/text/short-numbers/short-numbers.ts'
import { type IncomingCall, isSipUri } from '../../sip/index.ts'
import { isIdentityWithheld } from '../call/caller-privacy.ts'
import type { DeviceOwner, EdgePort } from '../port.ts'
import type { CarrierTrunk } from '../trunks/trunks.ts'
import {
  isCountryAllowed,
  isTypeAllowed,
  numberToShow,
  readDialled,
  readDialledNumber,
} from './outbound-number.ts'

const MINUTE_MS = 60_000

/** A call that may be placed. */
export interface Plan {
  owner: DeviceOwner
  /** The number that the call shows. */
  number: CalledNumber
  remoteNumber: string
  /** The phone asks that the callee does not see the number. */
  isWithheld: boolean
  route: Route
}

/** How the call gets there: by the first carrier that takes it or, to a number of the same company, without one. */
type Route = { over: 'trunks'; trunks: CarrierTrunk[] } | { over: 'inside'; called: CalledNumber }

export interface DialRefusal {
  refusal: number
  why: string
}

/** What an employee's phone dialled, checked against what may be called. */
export async function planCall(
  edge: EdgePort,
  call: IncomingCall,
  owner: DeviceOwner,
): Promise<Plan | DialRefusal> {
  const user = isSipUri(call.uri) ? (call.uri.user ?? '') : call.uri.opaque
  const { choice, dialled } = readDialled(user)
  const header = call.request.headers.get('x-bellhop-number')
  const number =
    (await numberToShow(edge.db.sql, owner, { header, choice })) ??
    (await numberForShortNumber(edge, owner, dialled))
  if (!number) return { refusal: 403, why: 'the company has no such number to call from' }
  const remoteNumber = readDialledNumber(dialled, number.country)
  if (remoteNumber === undefined) return { refusal: 484, why: 'not a phone number' }
  const route = await chooseRoute(edge, owner, number, remoteNumber)
  return 'refusal' in route
    ? route
    : { owner, number, remoteNumber, isWithheld: isIdentityWithheld(call), route }
}

/** A call for help is not refused for the number that it should show, such as one that is out of service by now. */
async function numberForShortNumber(
  edge: EdgePort,
  owner: DeviceOwner,
  dialled: string,
): Promise<CalledNumber | undefined> {
  const number = await numberToShow(edge.db.sql, owner, { header: undefined, choice: undefined })
  return number && isShortNumber(dialled, number.country) ? number : undefined
}

/** The way to a number, if it may be called. */
export async function chooseRoute(
  edge: EdgePort,
  { companyId }: Pick<DeviceOwner, 'companyId'>,
  number: CalledNumber,
  remoteNumber: string,
): Promise<Route | DialRefusal> {
  const called = await findOwnNumber(edge.db.sql, companyId, { e164: remoteNumber })
  if (!called && !isCountryAllowed(remoteNumber, number.country, edge.allowedCountries))
    return { refusal: 403, why: 'calls to that country are not allowed' }
  if (!called && !isTypeAllowed(remoteNumber, edge.allowedTypes))
    return { refusal: 403, why: 'calls to numbers of that type are not allowed' }
  if (!isShortNumber(remoteNumber, number.country) && (await hasPlacedEnough(edge, companyId)))
    return { refusal: 503, why: 'too many calls in a minute' }
  if (called) return { over: 'inside', called }
  const trunks = trunksFor(edge, number, remoteNumber)
  return trunks.length > 0
    ? { over: 'trunks', trunks }
    : { refusal: 503, why: 'no carrier is configured for this number' }
}

/** A short number belongs to no prefix: first goes the trunk of the number that the call shows, then every other. */
function trunksFor(edge: EdgePort, { number, country }: CalledNumber, remoteNumber: string): CarrierTrunk[] {
  const best = edge.trunkFor(remoteNumber.startsWith('+') ? remoteNumber : number)
  const others = isShortNumber(remoteNumber, country) ? edge.trunks : []
  return [...new Set([...(best ? [best] : []), ...others])]
}

async function hasPlacedEnough(
  { db, clock, outboundPerMinute }: EdgePort,
  companyId: string,
): Promise<boolean> {
  const since = new Date(clock.now().getTime() - MINUTE_MS)
  return (await countPlaced(db.sql, companyId, since)) >= outboundPerMinute
}
