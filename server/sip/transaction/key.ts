import { callIdOf, cseqOf, fromOf, tagOf, topViaOf } from '../message/fields.ts'
import { printHostPort } from '../message/grammar/uri.ts'
import type { SipRequest, SipResponse } from '../message/message.ts'

/** RFC 3261 §8.1.1.7: branches with this prefix are unique. */
export const MAGIC_COOKIE = 'z9hG4bK'

/** §17.2.3: a request and its retransmissions have the same key; so have an INVITE and the ACK of its non-2xx. */
export function serverKey(request: SipRequest, method = request.method): string {
  const via = topViaOf(request)
  const branch = via.params.get('branch') ?? ''
  const kind = method === 'ACK' ? 'INVITE' : method
  if (branch.startsWith(MAGIC_COOKIE) && branch.length > MAGIC_COOKIE.length) {
    return `${branch}|${printHostPort(via.host, via.port).toLowerCase()}|${kind}`
  }
  // For RFC 2543 and broken peers: the fields that do not change.
  const [top] = request.headers.list('via')!
  return [request.uri, tagOf(fromOf(request)), callIdOf(request), cseqOf(request).number, top, kind].join('|')
}

/** §17.1.3. */
export function clientKey(message: SipRequest | SipResponse): string {
  return `${topViaOf(message).params.get('branch')}|${cseqOf(message).method}`
}
