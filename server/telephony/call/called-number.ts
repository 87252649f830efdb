import { normalizePhone } from '../../platform/text/phone.ts'
import { type IncomingCall, isSipUri, parseAddress, type Uri } from '../../sip/index.ts'

/** The user part of a caller who withholds their number. */
const ANONYMOUS = 'anonymous'

/**
 * The numbers that a carrier may have meant as the called number, the most reliable first: some carriers put it in
 * the Request-URI, some only in To or in their own header field. Digits only, with a plus if surely international.
 */
export function calledNumbers(call: IncomingCall): string[] {
  const named = parseAddress(call.request.headers.get('p-called-party-id') ?? '')
  const users = [call.uri, named?.uri, call.to.uri].flatMap((uri) => digitsOf(uri) ?? [])
  return [...new Set(users)]
}

/** The calling number, if the carrier gives it. National numbers are read as those of the called country. */
export function callingNumber(call: IncomingCall, country: string): string {
  const asserted = parseAddress(call.request.headers.get('p-asserted-identity') ?? '')
  for (const uri of [asserted?.uri, call.from.uri]) {
    const digits = digitsOf(uri)
    if (!digits) continue
    if (digits.startsWith('+')) return digits
    const number = normalizePhone(digits, country) ?? normalizePhone(`+${digits}`, country)
    if (number) return number
  }
  return ANONYMOUS
}

function digitsOf(uri: Uri | undefined): string | undefined {
  if (!uri) return undefined
  const user = isSipUri(uri) ? uri.user : uri.scheme === 'tel' ? uri.opaque : undefined
  // The number may have parameters, and separators between its digits.
  const text = user?.split(';')[0]!.replace(/[\s().-]/g, '') ?? ''
  const match = /^(\+|00)?(\d{3,15})$/.exec(text)
  return match ? (match[1] ? `+${match[2]}` : match[2]) : undefined
}
