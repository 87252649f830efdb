/** SRTP keys in SDP (RFC 4568). */
export const SUITES = ['AES_CM_128_HMAC_SHA1_80', 'AES_CM_128_HMAC_SHA1_32'] as const

export type Suite = (typeof SUITES)[number]

export interface CryptoAttribute {
  tag: string
  suite: Suite
  /** Master key and salt, 30 bytes. */
  key: Buffer
  /** The length of the master key identifier (MKI) in every packet under this key; 0 for none. */
  mkiBytes: number
}

export const KEY_BYTES = 30

/** The longest MKI (RFC 4568 §6.1). */
const MKI_BYTES_MAX = 128

/** Session parameters that change no packet of ours: a hint, and the default order of a correction we do not use. */
const HARMLESS = /^(?:WSH=\d+|FEC_ORDER=FEC_SRTP)$/i

/** inline:<key and salt>|<lifetime>|<MKI>:<its length>. The lifetime is longer than any call. */
const INLINE = /^inline:([A-Za-z0-9+/]+=*)(?:\|(?:2\^)?\d+)?(?:\|\d+:(\d{1,3}))?$/i

/** Undefined for lines that we cannot use: those with several keys, or a parameter that changes packets. */
export function readCrypto(value: string): CryptoAttribute | undefined {
  const [tag, suite, key, ...parameters] = value.split(/ +/)
  const known = SUITES.find((each) => each === suite?.toUpperCase())
  if (!tag || !/^\d{1,9}$/.test(tag) || !known || !key) return undefined
  if (!parameters.every((parameter) => HARMLESS.test(parameter))) return undefined
  const [, base64, mkiLength = '0'] = INLINE.exec(key) ?? []
  const mkiBytes = Number(mkiLength)
  if (!base64 || mkiBytes > MKI_BYTES_MAX) return undefined
  const bytes = Buffer.from(base64, 'base64')
  return bytes.length === KEY_BYTES ? { tag, suite: known, key: bytes, mkiBytes } : undefined
}

export const printCrypto = ({ tag, suite, key }: Omit<CryptoAttribute, 'mkiBytes'>): string =>
  `${tag} ${suite} inline:${key.toString('base64')}`
