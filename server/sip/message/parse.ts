import { SIP_LIMITS } from '../limits.ts'
import { find } from './fields.ts'
import { isToken } from './grammar/scan.ts'
import { isSipUri, parseUri } from './grammar/uri.ts'
import { Headers } from './headers.ts'
import { NO_BODY, type SipMessage, type SipRequest } from './message.ts'

export type Parsed =
  | { ok: true; message: SipMessage }
  /** `request` is set if enough of it was readable to respond with `status`. */
  | { ok: false; why: string; status: number; request?: SipRequest }

const ONCE = ['from', 'to', 'call-id', 'cseq', 'max-forwards', 'content-length', 'content-type']
const REQUIRED = ['via', 'from', 'to', 'call-id', 'cseq']
const CR = 13
const LF = 10
const END_OF_HEADERS = Buffer.from('\r\n\r\n')
const LONE_CR_OR_LF = /\r(?!\n)|(?<!\r)\n/

/** Parses one complete message, such as a datagram. Never throws. */
export function parseMessage(bytes: Buffer): Parsed {
  if (bytes.length > SIP_LIMITS.messageBytesMax) return bad('too large', 513)
  const start = skipLineEnds(bytes)
  const end = bytes.indexOf(END_OF_HEADERS, start)
  if (end === -1) return bad('the header fields have no end')
  const head = bytes.toString('utf8', start, end)
  if (LONE_CR_OR_LF.test(head)) return bad('a line end is not CRLF')
  const lineEnd = head.indexOf('\r\n')
  const firstLine = lineEnd === -1 ? head : head.slice(0, lineEnd)
  const message = readStartLine(firstLine)
  if (!message) return bad('no SIP message')
  const wrong =
    readFields(message.headers, lineEnd === -1 ? '' : head.slice(lineEnd + 2)) ??
    checkStartLine(message, firstLine) ??
    checkFields(message) ??
    takeBody(message, bytes.subarray(end + END_OF_HEADERS.length))
  if (!wrong) return { ok: true, message }
  return bad(wrong.why, wrong.status, message.kind === 'request' ? message : undefined)
}

interface Wrong {
  why: string
  status?: number
}

function bad(why: string, status = 400, request?: SipRequest): Parsed {
  return request ? { ok: false, why, status, request } : { ok: false, why, status }
}

/** Line ends before a message are ignored (RFC 3261 §7.5). */
function skipLineEnds(bytes: Buffer): number {
  let at = 0
  while (bytes[at] === CR || bytes[at] === LF) at++
  return at
}

/** Splits the start line without validating all of it: an invalid request may still get a response. */
function readStartLine(line: string): SipMessage | undefined {
  const rest = { headers: new Headers(), body: NO_BODY }
  const response = /^SIP\/2\.0 (\d+)(?: (.*))?$/i.exec(line)
  if (response) return { kind: 'response', status: Number(response[1]), reason: response[2] ?? '', ...rest }
  const space = line.indexOf(' ')
  const version = line.lastIndexOf(' SIP/')
  if (space < 1 || version <= space) return undefined
  return {
    kind: 'request',
    method: line.slice(0, space),
    uri: line.slice(space + 1, version).trim(),
    ...rest,
  }
}

function checkStartLine(message: SipMessage, line: string): Wrong | undefined {
  if (message.kind === 'response') {
    return message.status >= 100 && message.status <= 699 ? undefined : { why: 'no such status' }
  }
  const { method, uri: written } = message
  if (!isToken(method)) return { why: 'bad method' }
  const version = line.slice(line.lastIndexOf(' SIP/') + ' SIP/'.length).trimEnd()
  if (version !== '2.0') return { why: 'another version of SIP', status: 505 }
  // RFC 3261 §7.1: single spaces between the parts and none elsewhere.
  if (line !== `${method} ${written} SIP/2.0`) return { why: 'spaces in the first line' }
  const uri = parseUri(written)
  if (!uri) return { why: 'bad Request-URI' }
  if (isSipUri(uri) && uri.headers !== undefined) return { why: 'header fields in the Request-URI' }
}

function readFields(headers: Headers, text: string): Wrong | undefined {
  let count = 0
  let at = 0
  while (at < text.length) {
    let end = text.indexOf('\r\n', at)
    if (end === -1) end = text.length
    let line = text.slice(at, end)
    at = end + 2
    // A line that begins with white space continues the previous one.
    while (text[at] === ' ' || text[at] === '\t') {
      end = text.indexOf('\r\n', at)
      if (end === -1) end = text.length
      line += ` ${text.slice(at, end).trim()}`
      at = end + 2
    }
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).trimEnd()
    if (colon === -1 || !isToken(name)) return { why: 'bad header field' }
    if (++count > SIP_LIMITS.headerFieldsMax) return { why: 'too many header fields', status: 513 }
    headers.addWritten(name, line.slice(colon + 1).trim())
  }
}

function checkFields({ headers, ...message }: SipMessage): Wrong | undefined {
  for (const key of REQUIRED) if (!headers.get(key)) return { why: `no ${key}` }
  for (const key of ONCE) if (headers.count(key) > 1) return { why: `${key} more than once` }
  if (!find.topVia(headers)) return { why: 'bad via' }
  if (!find.from(headers)) return { why: 'bad from' }
  if (!find.to(headers)) return { why: 'bad to' }
  const cseq = find.cseq(headers)
  if (!cseq) return { why: 'bad cseq' }
  if (message.kind === 'request' && cseq.method !== message.method) return { why: 'cseq of another method' }
  // RFC 3261 §8.1.3.3: a response with more than one Via was not meant for us.
  if (message.kind === 'response' && headers.list('via')!.length > 1) return { why: 'not our answer' }
  const hops = headers.get('max-forwards')
  if (hops !== undefined && !(/^\d+$/.test(hops) && Number(hops) <= 255)) return { why: 'bad max-forwards' }
}

/** RFC 3261 §18.3: bytes beyond Content-Length are dropped; too few are an error. */
function takeBody(message: SipMessage, rest: Buffer): Wrong | undefined {
  const length = message.headers.get('content-length')
  if (length !== undefined && !/^\d+$/.test(length)) return { why: 'bad content-length' }
  if (length !== undefined && Number(length) > rest.length) return { why: 'shorter than its content-length' }
  message.body = length === undefined ? rest : rest.subarray(0, Number(length))
}
