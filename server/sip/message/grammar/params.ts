import { closingQuote, isToken, quote, splitOutside, unquote } from './scan.ts'

/** `;name=value` after a header value or a URI. Names are in lower case; a name without a value has ''. */
export type Params = Map<string, string>

/** What may follow `=` without quotes: a token, or a host with its brackets and colons. */
const PLAIN_VALUE = /^[A-Za-z0-9\-.!%*_+`'~[\]:]+$/

/** Reads `a=b;c;d="e"`, with white space where header fields allow it. Undefined if it is malformed. */
export function parseParams(text: string): Params | undefined {
  const params: Params = new Map()
  const parts = splitOutside(text, ';')
  if (!parts) return undefined
  for (const part of parts) {
    const equals = part.indexOf('=')
    const name = equals === -1 ? part : part.slice(0, equals).trimEnd()
    const value = equals === -1 ? '' : readValue(part.slice(equals + 1).trimStart())
    if (!isToken(name) || value === undefined) return undefined
    params.set(name.toLowerCase(), value)
  }
  return params
}

function readValue(text: string): string | undefined {
  if (!text.startsWith('"')) return PLAIN_VALUE.test(text) ? text : undefined
  return closingQuote(text, 0) === text.length - 1 ? unquote(text) : undefined
}

export function printParams(params: Params): string {
  let text = ''
  for (const [name, value] of params) {
    text += value === '' ? `;${name}` : `;${name}=${PLAIN_VALUE.test(value) ? value : quote(value)}`
  }
  return text
}
