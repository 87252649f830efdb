import { type IncomingCall, isSipUri, parseAddress, type Uri } from '../../sip/index.ts'

/** Requests for privacy that cover who is calling: RFC 3323 §4.2 and RFC 3325 §9.3. */
const PRIVACY_VALUES = new Set(['id', 'user', 'header', 'critical'])

/** User parts of callers who withhold their number. */
const ANONYMOUS_USERS = ['anonymous', 'restricted', 'private']

/** User parts that stand where there is no number. */
const PLACEHOLDERS = new Set(['', 'unavailable', 'unknown', ...ANONYMOUS_USERS])

/** The host of an anonymous URI, RFC 3323 §4.1.1.3. */
const ANONYMOUS_HOST = 'anonymous.invalid'

/** Values of the privacy parameter of Remote-Party-ID (draft-ietf-sip-privacy) that cover the number. */
const REMOTE_PARTY_PRIVACY = new Set(['full', 'uri'])

/** Whether the caller wants not to be known. A carrier trusts us with their identity all the same, in other fields. */
export function isIdentityWithheld({ request: { headers }, from }: IncomingCall): boolean {
  const requested = headers.all('privacy').flatMap((line) => line.toLowerCase().split(/[;,\s]+/))
  if (requested.some((value) => PRIVACY_VALUES.has(value))) return true
  const remoteParties = headers.list('remote-party-id') ?? []
  return remoteParties.some(isPrivateParty) || isAnonymous(from.uri)
}

/** Whether this user part says nothing of the caller. */
export const isPlaceholder = (user: string) => PLACEHOLDERS.has(user.toLowerCase())

function isPrivateParty(value: string): boolean {
  const privacy = parseAddress(value)?.params.get('privacy')
  return privacy !== undefined && REMOTE_PARTY_PRIVACY.has(privacy.replaceAll('"', '').toLowerCase())
}

function isAnonymous(uri: Uri): boolean {
  if (!isSipUri(uri)) return false
  return uri.host.toLowerCase() === ANONYMOUS_HOST || ANONYMOUS_USERS.includes(uri.user?.toLowerCase() ?? '')
}
