import { tagOf, toOf } from './fields.ts'
import { Headers } from './headers.ts'
import { type Body, NO_BODY, type SipRequest, type SipResponse } from './message.ts'

export interface ResponseParts {
  reason?: string
  headers?: Record<string, string | string[] | undefined>
  body?: Body | undefined
}

/** RFC 3261 §8.2.6.2: what a response copies from its request. */
export function respondTo(request: SipRequest, status: number, parts: ResponseParts = {}): SipResponse {
  const headers = new Headers()
  headers.add('via', ...request.headers.all('via'))
  headers.add('from', ...request.headers.all('from'))
  headers.add('to', ...request.headers.all('to'))
  headers.add('call-id', ...request.headers.all('call-id'))
  headers.add('cseq', ...request.headers.all('cseq'))
  addFields(headers, parts.headers, parts.body)
  return { kind: 'response', status, reason: parts.reason ?? '', headers, body: parts.body?.bytes ?? NO_BODY }
}

/** Every response except 100 has our tag in To, if the request had none. */
export function tagTo({ headers }: SipResponse, request: SipRequest, tag: string): void {
  const to = headers.get('to')
  // That of the request is parsed already, and a parameter may follow it whether or not its URI is in brackets.
  if (to !== undefined && to === request.headers.get('to') && tagOf(toOf(request)) === '')
    headers.set('to', `${to};tag=${tag}`)
}

export function addFields(headers: Headers, more: ResponseParts['headers'], body: Body | undefined): void {
  for (const [key, value] of Object.entries(more ?? {})) {
    if (value !== undefined) headers.add(key, ...(typeof value === 'string' ? [value] : value))
  }
  if (body) headers.set('content-type', body.contentType)
}
