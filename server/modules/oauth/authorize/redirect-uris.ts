import { OAUTH_LIMITS } from '../limits.ts'

/** Schemes that a browser handles itself must never be redirected to. */
const UNSAFE_SCHEMES = new Set([
  'javascript:',
  'data:',
  'file:',
  'vbscript:',
  'blob:',
  'about:',
  'ws:',
  'wss:',
])
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** The characters of RFC 3986, without the fragment; parsers differ on others. */
const URI_CHARACTERS = /^[A-Za-z0-9\-._~:/?[\]@!$&'()*+,;=%]+$/

/** For the operator's own clients: also custom schemes. */
export function isFirstPartyRedirectUri(text: string): boolean {
  const url = parse(text)
  if (!url || UNSAFE_SCHEMES.has(url.protocol)) return false
  return url.protocol !== 'http:' || LOOPBACK.has(url.hostname)
}

/** For clients that register themselves: https anywhere, http only on the user's machine. */
export function isPublicRedirectUri(text: string): boolean {
  const url = parse(text)
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.has(url.hostname))
}

function parse(text: string): URL | undefined {
  if (text.length > OAUTH_LIMITS.redirectUriCharacters || !URI_CHARACTERS.test(text)) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url?.username === '' && url.password === '' ? url : undefined
}

/** The redirect host, for the consent page. */
export function describeDestination(redirectUri: string): { host: string; onThisDevice: boolean } {
  const url = new URL(redirectUri)
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  return { host: isWeb ? url.host : url.protocol, onThisDevice: !isWeb || LOOPBACK.has(url.hostname) }
}

/** Textual, so that the client gets the URI that it registered, not a normalised one. */
export function withParameters(redirectUri: string, parameters: Record<string, string>): string {
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${new URLSearchParams(parameters).toString()}`
}
