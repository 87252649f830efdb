import { remoteNumberOf, WITHHELD_NUMBER } from '../../platform/text/phone.ts'
import { type IncomingCall, isSipUri, parseAddress, type Uri } from '../../sip/index.ts'
import { isIdentityWithheld, isPlaceholder } from './caller-privacy.ts'

/**
 * The numbers that a carrier may have meant as the called number, the most reliable first: some carriers put it in
 * the Request-URI, some only in To or in their own header field. A carrier that sends all calls to one number of its
 * own says only in History-Info (RFC 7044) or Diversion (RFC 5806) which one was called. Digits only, with a plus if
 * surely international.
 */
export function calledNumbers({ uri, to, request: { headers } }: IncomingCall): string[] {
  const named = uriIn(headers.get('p-called-party-id') ?? '')
  const diverted = [...(headers.list('history-info') ?? []), ...(headers.list('diversion') ?? [])].map(uriIn)
  const users = [uri, named, to.uri, ...diverted].flatMap((each) => digitsOf(each) ?? [])
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

const uriIn = (value: string) => parseAddress(value)?.uri

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
