import { remoteNumberOf, WITHHELD_NUMBER } from '../../platform/text/phone.ts'
import { type IncomingCall, isSipUri, parseAddress, type Uri } from '../../sip/index.ts'
import { isIdentityWithheld, isPlaceholder } from './caller-privacy.ts'

/**
 * The numbers that a carrier may have meant as the called number, the most reliable first: some carriers put it in
 * the Request-URI, some only in To or in their own header field. Digits only, with a plus if surely international.
 */
export function calledNumbers(call: IncomingCall): string[] {
  const named = parseAddress(call.request.headers.get('p-called-party-id') ?? '')
  const users = [call.uri, named?.uri, call.to.uri].flatMap((uri) => digitsOf(uri) ?? [])
  return [...new Set(users)]
}

/**
 * The calling number, unless it is withheld. National numbers are read as those of the called country. A caller whose
 * name is no number keeps the name.
 */
export function callingNumber(call: IncomingCall, country: string): string {
  if (isIdentityWithheld(call)) return WITHHELD_NUMBER
  const asserted = call.request.headers.list('p-asserted-identity') ?? []
  const uris = [...asserted.map((value) => parseAddress(value)?.uri), call.from.uri]
  const callers = uris.flatMap((uri) => {
    const user = digitsOf(uri) ?? userOf(uri)
    return isPlaceholder(user) ? [] : [remoteNumberOf(user, country)]
  })
  return callers.find((caller) => caller.startsWith('+')) ?? callers[0] ?? WITHHELD_NUMBER
}

/** Without the parameters that a number may have. */
function userOf(uri: Uri | undefined): string {
  if (!uri) return ''
  const user = isSipUri(uri) ? uri.user : uri.scheme === 'tel' ? uri.opaque : undefined
  return user?.split(';')[0]!.trim() ?? ''
}

function digitsOf(uri: Uri | undefined): string | undefined {
  // There may be separators between the digits.
  const text = userOf(uri).replace(/[\s().-]/g, '')
  const match = /^(\+|00)?(\d{3,15})$/.exec(text)
  return match ? (match[1] ? `+${match[2]}` : match[2]) : undefined
}
