/** What proves an identity, whole: with a digest and its challenge a password can be guessed offline. */
const CREDENTIALS =
  /^((?:proxy-)?(?:authorization|authenticate)|www-authenticate|authentication-info)[ \t]*:.*(?:\r?\n[ \t].*)*/gim
/** Keys of SRTP (RFC 4568) and passwords of ICE. */
const SDP_KEYS = /^(a=crypto:\S+[ \t]+\S+[ \t]+|a=ice-pwd:|a=key-mgmt:\S+[ \t]+|k=).*$/gim
/** Digits that a caller enters, such as a PIN. */
const DIGITS = /^(signal[ \t]*=).*$/gim
/** Bounded, because whoever writes a message could make an unbounded search slow. */
const URI_PASSWORD = /(sips?:[^\s:@;<>"]{1,64}):[^\s@;<>"]{1,128}@/gi
const NUL = String.fromCodePoint(0)

/** Found in every message that one of the others changes: most messages have no secrets, and one search shows it. */
const MAY_NEED_CHANGE = new RegExp(
  `auth|^a=(?:crypto|ice-pwd|key-mgmt):|^k=|^signal|application/dtmf|${NUL}|${URI_PASSWORD.source}`,
  'im',
)

const REMOVED = '[removed]'

/** A message without secrets, and without bytes that PostgreSQL cannot store. */
export function redactMessage(text: string): string {
  if (!MAY_NEED_CHANGE.test(text)) return text
  return text
    .replace(CREDENTIALS, `$1: ${REMOVED}`)
    .replace(SDP_KEYS, `$1${REMOVED}`)
    .replace(DIGITS, `$1${REMOVED}`)
    .replace(URI_PASSWORD, `$1:${REMOVED}@`)
    .replace(/^(content-type|c)([ \t]*:[ \t]*application\/dtmf\b[^]*?\r?\n\r?\n)[^]*$/im, `$1$2${REMOVED}`)
    .replaceAll(NUL, '\uFFFD')
}
