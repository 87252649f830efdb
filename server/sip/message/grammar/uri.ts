import { isIPv6 } from 'node:net'

import type { Params } from './params.ts'

export interface SipUri {
  scheme: 'sip' | 'sips'
  /** Unescaped. */
  user?: string
  password?: string
  /** An IPv6 address is in brackets, as on the wire. */
  host: string
  port?: number
  params: Params
  /** What follows `?`, unparsed. */
  headers?: string
}

/** A scheme that we pass on without parsing it, such as `tel:`. */
export interface OtherUri {
  scheme: string
  opaque: string
}

export type Uri = SipUri | OtherUri

export function isSipUri(uri: Uri): uri is SipUri {
  return 'host' in uri
}

/** `#` should be escaped, but phones send it as dialled. */
const USER = /^(?:[A-Za-z0-9\-_.!~*'()&=+$,;?/#]|%[0-9A-Fa-f]{2})+$/
const PASSWORD = /^(?:[A-Za-z0-9\-_.!~*'()&=+$,]|%[0-9A-Fa-f]{2})*$/
const HOST_NAME = /^[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_.])?$/
const PARAM = /^(?:[A-Za-z0-9\-_.!~*'()[\]/:&+$]|%[0-9A-Fa-f]{2})+$/
const HEADERS = /^(?:[A-Za-z0-9\-_.!~*'()[\]/?:+$=&]|%[0-9A-Fa-f]{2})*$/
const OTHER = /^([A-Za-z][A-Za-z0-9+.-]*):([^\s<>"]+)$/
const PORT_MAX = 65_535

export function parseUri(text: string): Uri | undefined {
  const colon = text.indexOf(':')
  const scheme = text.slice(0, colon).toLowerCase()
  if (scheme === 'sip' || scheme === 'sips') return parseSipUri(scheme, text.slice(colon + 1))
  const other = OTHER.exec(text)
  return other ? { scheme: other[1]!.toLowerCase(), opaque: other[2]! } : undefined
}

function parseSipUri(scheme: 'sip' | 'sips', text: string): SipUri | undefined {
  const uri: SipUri = { scheme, host: '', params: new Map() }
  const at = text.indexOf('@')
  if (at !== -1 && !readUser(uri, text.slice(0, at))) return undefined
  let rest = text.slice(at + 1)
  const question = rest.indexOf('?')
  if (question !== -1) {
    uri.headers = rest.slice(question + 1)
    if (!HEADERS.test(uri.headers)) return undefined
    rest = rest.slice(0, question)
  }
  const semicolon = rest.indexOf(';')
  if (semicolon !== -1) {
    if (!readParams(uri.params, rest.slice(semicolon + 1))) return undefined
    rest = rest.slice(0, semicolon)
  }
  const place = parseHostPort(rest)
  return place && Object.assign(uri, place)
}

/** `host`, `host:port`, `[v6]` or `[v6]:port`. */
export function parseHostPort(text: string): { host: string; port?: number } | undefined {
  const colon = text.indexOf(':', text.startsWith('[') ? text.indexOf(']') : 0)
  const host = colon === -1 ? text : text.slice(0, colon)
  if (!isHost(host)) return undefined
  if (colon === -1) return { host }
  const digits = text.slice(colon + 1)
  const port = Number(digits)
  return /^\d{1,5}$/.test(digits) && port <= PORT_MAX ? { host, port } : undefined
}

function isHost(text: string): boolean {
  if (text.startsWith('[')) return text.endsWith(']') && isIPv6(text.slice(1, -1))
  return HOST_NAME.test(text)
}

function readUser(uri: SipUri, text: string): boolean {
  const colon = text.indexOf(':')
  const user = colon === -1 ? text : text.slice(0, colon)
  if (!USER.test(user)) return false
  uri.user = unescape(user)
  if (colon === -1) return true
  const password = text.slice(colon + 1)
  uri.password = unescape(password)
  return PASSWORD.test(password)
}

function readParams(params: Params, text: string): boolean {
  for (const part of text.split(';')) {
    const equals = part.indexOf('=')
    const name = equals === -1 ? part : part.slice(0, equals)
    const value = equals === -1 ? '' : part.slice(equals + 1)
    if (!PARAM.test(name) || (value !== '' && !PARAM.test(value))) return false
    params.set(unescape(name).toLowerCase(), unescape(value))
  }
  return true
}

/** Escapes that are not valid UTF-8 stay as they are. */
export function unescape(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export function printUri(uri: Uri): string {
  if (!isSipUri(uri)) return `${uri.scheme}:${uri.opaque}`
  let text = `${uri.scheme}:`
  if (uri.user !== undefined) {
    text += escape(uri.user, /[^A-Za-z0-9\-_.!~*'()&=+$,;?/]/gu)
    if (uri.password !== undefined) text += `:${escape(uri.password, /[^A-Za-z0-9\-_.!~*'()&=+$,]/gu)}`
    text += '@'
  }
  text += printHostPort(uri.host, uri.port)
  const illegal = /[^A-Za-z0-9\-_.!~*'()[\]/:&+$]/gu
  for (const [name, value] of uri.params) {
    text += value === '' ? `;${escape(name, illegal)}` : `;${escape(name, illegal)}=${escape(value, illegal)}`
  }
  return uri.headers === undefined ? text : `${text}?${uri.headers}`
}

export function printHostPort(host: string, port?: number): string {
  return port === undefined ? host : `${host}:${port}`
}

/** An address as written in a URI or a Via. */
export function bracketed(address: string): string {
  // The pattern of IPv6 is long, and most addresses are not.
  return address.includes(':') && isIPv6(address) ? `[${address}]` : address
}

/** A host of a URI or a Via as the operating system expects it. */
export function unbracketed(host: string): string {
  return host.startsWith('[') ? host.slice(1, -1) : host
}

function escape(text: string, illegal: RegExp): string {
  // A lone surrogate is not valid Unicode; encodeURIComponent would throw.
  return text.toWellFormed().replace(illegal, (character) => {
    const encoded = encodeURIComponent(character)
    return encoded === character ? `%${character.charCodeAt(0).toString(16).toUpperCase()}` : encoded
  })
}

/** RFC 3261 §19.1.4: whether two URIs are equal. */
export function sameUri(one: Uri, other: Uri): boolean {
  if (!isSipUri(one) || !isSipUri(other)) return printUri(one) === printUri(other)
  const agree = (name: string, optional: boolean) => {
    const [a, b] = [one.params.get(name), other.params.get(name)]
    if (optional && (a === undefined || b === undefined)) return true
    return a?.toLowerCase() === b?.toLowerCase()
  }
  return (
    one.scheme === other.scheme &&
    one.user === other.user &&
    one.password === other.password &&
    one.host.toLowerCase() === other.host.toLowerCase() &&
    one.port === other.port &&
    one.headers === other.headers &&
    ['user', 'ttl', 'method', 'maddr', 'transport'].every((name) => agree(name, false)) &&
    [...one.params.keys()].every((name) => agree(name, true))
  )
}
