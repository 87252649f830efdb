/** SRTP keys in SDP (RFC 4568). */
export const SUITES = ['AES_CM_128_HMAC_SHA1_80', 'AES_CM_128_HMAC_SHA1_32'] as const

export type Suite = (typeof SUITES)[number]

export interface CryptoAttribute {
  tag: string
  suite: Suite
  /** Master key and salt, 30 bytes. */
  key: Buffer
}

export const KEY_BYTES = 30

/** Undefined for lines that we cannot use: those with a key identifier, or a parameter that changes packets. */
export function readCrypto(value: string): CryptoAttribute | undefined {
  const [tag, suite, key, ...parameters] = value.split(/ +/)
  const known = SUITES.find((each) => each === suite?.toUpperCase())
  if (!tag || !/^\d{1,9}$/.test(tag) || !known || !key) return undefined
  if (parameters.some((parameter) => !parameter.startsWith('WSH='))) return undefined
  // inline:<key>|<lifetime>|<identifier>:<its length>; the lifetime is longer than any call.
  const [, base64, rest = ''] = /^inline:([A-Za-z0-9+/]+=*)((?:\|[^|]*)*)$/i.exec(key) ?? []
  if (!base64 || rest.includes(':')) return undefined
  const bytes = Buffer.from(base64, 'base64')
  return bytes.length === KEY_BYTES ? { tag, suite: known, key: bytes } : undefined
}

export const printCrypto = ({ tag, suite, key }: CryptoAttribute): string =>
  `${tag} ${suite} inline:${key.toString('base64')}`
