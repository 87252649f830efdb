import { createHash } from 'node:crypto'

import { quote, splitOutside, unquote } from '../message/grammar/scan.ts'

/** RFC 8760 adds SHA-256 to the MD5 of RFC 3261. */
export type Algorithm = 'MD5' | 'SHA-256'

const HASHES: Record<Algorithm, string> = { MD5: 'md5', 'SHA-256': 'sha256' }

export interface DigestCredentials {
  username: string
  password: string
}

/** The input of the hash. Without `qop`, as in RFC 2069, nonce count and client nonce are left out. */
export interface DigestInput extends DigestCredentials {
  algorithm: Algorithm
  realm: string
  nonce: string
  method: string
  uri: string
  qop?: { nc: string; cnonce: string }
}

export function digestResponse(input: DigestInput): string {
  const { algorithm, username, realm, password, nonce, method, uri, qop } = input
  const hash = (text: string) => createHash(HASHES[algorithm]).update(text).digest('hex')
  const secret = hash(`${username}:${realm}:${password}`)
  const middle = qop ? `${nonce}:${qop.nc}:${qop.cnonce}:auth` : nonce
  return hash(`${secret}:${middle}:${hash(`${method}:${uri}`)}`)
}

/** The parameters of `Digest a="b", c=d`; undefined for other schemes and malformed values. */
export function parseDigest(text: string): Map<string, string> | undefined {
  const [, rest] = /^Digest\s+(.*)$/is.exec(text) ?? []
  const parts = rest === undefined ? undefined : splitOutside(rest, ',')
  if (!parts) return undefined
  const values = new Map<string, string>()
  for (const part of parts) {
    const equals = part.indexOf('=')
    if (equals === -1) return undefined
    const value = part.slice(equals + 1).trim()
    const name = part.slice(0, equals).trim().toLowerCase()
    values.set(name, value.startsWith('"') ? unquote(value) : value)
  }
  return values
}

/** The algorithm that a header field names; undefined if we do not support it. */
export function algorithmOf(values: Map<string, string>): Algorithm | undefined {
  const name = (values.get('algorithm') ?? 'MD5').toUpperCase()
  return name === 'MD5' || name === 'SHA-256' ? name : undefined
}

/** Quoted as RFC 3261 §25.1 requires: some values always, others never. */
export function printDigest(values: Record<string, string | undefined>): string {
  const unquoted = new Set(['algorithm', 'nc', 'stale'])
  const parts = Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined) return []
    return [`${name}=${unquoted.has(name) ? value : quote(value)}`]
  })
  return `Digest ${parts.join(', ')}`
}
