import { type Params, parseParams, printParams } from './params.ts'
import { closingQuote, quote, unquote } from './scan.ts'
import { type Uri, parseUri, printUri } from './uri.ts'

/** The value of From, To, Contact, Route and similar: a URI, perhaps with a display name, and parameters. */
export interface Address {
  name?: string
  uri: Uri
  params: Params
}

/** Tokens and white space; more lenient than the grammar, also non-ASCII letters. */
const UNQUOTED_NAME = /^[A-Za-z0-9\-.!%*_+`'~ \t\u0080-\uFFFF]*$/

export function parseAddress(text: string): Address | undefined {
  const open = openingBracket(text)
  if (open === -1) return parseBareAddress(text)
  const name = readName(text.slice(0, open).trim())
  const close = text.indexOf('>', open)
  if (name === undefined || close === -1) return undefined
  const uri = parseUri(text.slice(open + 1, close))
  const params = readParamsAfter(text.slice(close + 1).trim())
  return uri && params && (name === '' ? { uri, params } : { name, uri, params })
}

function openingBracket(text: string): number {
  if (!text.startsWith('"')) return text.indexOf('<')
  const end = closingQuote(text, 0)
  return end === -1 ? -1 : text.indexOf('<', end)
}

/** RFC 3261 §20: without brackets, parameters belong to the header field, and `?` and `,` are not allowed. */
function parseBareAddress(text: string): Address | undefined {
  const semicolon = text.indexOf(';')
  const bare = semicolon === -1 ? text : text.slice(0, semicolon).trim()
  if (bare.includes('?') || bare.includes(',')) return undefined
  const uri = parseUri(bare)
  const params = readParamsAfter(semicolon === -1 ? '' : text.slice(semicolon))
  return uri && params && { uri, params }
}

function readName(text: string): string | undefined {
  if (text.startsWith('"')) return closingQuote(text, 0) === text.length - 1 ? unquote(text) : undefined
  return UNQUOTED_NAME.test(text) ? text : undefined
}

function readParamsAfter(text: string): Params | undefined {
  if (text === '') return new Map()
  return text.startsWith(';') ? parseParams(text.slice(1)) : undefined
}

export function printAddress({ name, uri, params }: Address): string {
  const named = name === undefined ? '' : `${quote(name)} `
  return `${named}<${printUri(uri)}>${printParams(params)}`
}
