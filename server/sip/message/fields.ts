import { type Address, parseAddress } from './grammar/address.ts'
import { type Via, parseVia } from './grammar/via.ts'
import type { Headers } from './headers.ts'
import type { Body, SipMessage } from './message.ts'

/** The parser has checked the mandatory fields, so this never throws for a parsed message. */
function sure<T>(value: T | undefined, key: string): T {
  if (value === undefined) throw new Error(`our own message has no valid ${key}`)
  return value
}

export interface CSeq {
  number: number
  method: string
}

/** RFC 3261 §8.1.1.5: less than 2^31. */
const CSEQ_MAX = 2 ** 31 - 1

function parseCSeq(text: string): CSeq | undefined {
  const [, digits, method] = /^(\d+)\s+([A-Za-z0-9\-.!%*_+`'~]+)$/.exec(text) ?? []
  const number = Number(digits)
  return method !== undefined && number <= CSEQ_MAX ? { number, method } : undefined
}

const address = (key: string) => (headers: Headers) => {
  const value = headers.get(key)
  return value === undefined ? undefined : parseAddress(value)
}
const readFrom = address('from')
const readTo = address('to')
const readTopVia = (headers: Headers) => {
  const [top] = headers.list('via') ?? []
  return top === undefined ? undefined : parseVia(top)
}
const readCSeq = (headers: Headers) => parseCSeq(headers.get('cseq') ?? '')
const readContacts = (headers: Headers) => readAddresses(headers, 'contact')

export const find = {
  from: (headers: Headers): Address | undefined => headers.parsed('from', readFrom),
  to: (headers: Headers): Address | undefined => headers.parsed('to', readTo),
  topVia: (headers: Headers): Via | undefined => headers.parsed('via', readTopVia),
  cseq: (headers: Headers): CSeq | undefined => headers.parsed('cseq', readCSeq),
  /** Undefined if one of them is malformed. The registrar handles `*` itself. */
  contacts: (headers: Headers): Address[] | undefined => headers.parsed('contact', readContacts),
}

export const fromOf = ({ headers }: SipMessage) => sure(find.from(headers), 'From')
export const toOf = ({ headers }: SipMessage) => sure(find.to(headers), 'To')
export const topViaOf = ({ headers }: SipMessage) => sure(find.topVia(headers), 'Via')
export const cseqOf = ({ headers }: SipMessage) => sure(find.cseq(headers), 'CSeq')
export const callIdOf = ({ headers }: SipMessage) => sure(headers.get('call-id'), 'Call-ID')
export const tagOf = (address: Address) => address.params.get('tag') ?? ''

/** The values of Contact, Route, Record-Route or Path; undefined if one of them is malformed. */
export function readAddresses(headers: Headers, key: string): Address[] | undefined {
  const values = headers.list(key)?.map(parseAddress)
  return values?.every((value) => value !== undefined) ? values : undefined
}

/** A numeric header field, such as a number of seconds, capped if it is absurdly large. */
export function numberOf(headers: Headers, key: string): number | undefined {
  const [, digits] = /^(\d+)\s*(?:;.*)?$/.exec(headers.get(key) ?? '') ?? []
  return digits === undefined ? undefined : Math.min(Number(digits), 2 ** 32 - 1)
}

export function bodyOf({ headers, body }: SipMessage): Body | undefined {
  if (body.length === 0) return undefined
  return { contentType: headers.get('content-type') ?? 'application/octet-stream', bytes: body }
}
