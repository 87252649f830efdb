import { normalizePhone } from '../../platform/text/phone.ts'
import { type IncomingCall, isSipUri, parseAddress, type Uri } from '../../sip/index.ts'

/** A caller who does not say who they are. */
const ANONYMOUS = 'anonymous'

/**
 * What a carrier may have meant by the number called, most telling first: some put it in the Request-URI, some only
 * in To or a header field of their own. As digits, with a plus where it is international for sure.
 */
export function calledNumbers(call: IncomingCall): string[] {
  const named = parseAddress(call.request.headers.get('p-called-party-id') ?? '')
  const users = [call.uri, named?.uri, call.to.uri].flatMap((uri) => digitsOf(uri) ?? [])
  return [...new Set(users)]
}

/** Who calls, as far as the carrier says so; national numbers are those of the country called. */
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
  // Parameters of a number may follow it, and people put signs into it.
  const text = user?.split(';')[0]!.replace(/[\s().-]/g, '') ?? ''
  const match = /^(\+|00)?(\d{3,15})$/.exec(text)
  return match ? (match[1] ? `+${match[2]}` : match[2]) : undefined
}
