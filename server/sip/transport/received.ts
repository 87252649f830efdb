import { topViaOf } from '../message/fields.ts'
import { unbracketed } from '../message/grammar/uri.ts'
import { type Via, printVia } from '../message/grammar/via.ts'
import type { SipMessage, SipRequest } from '../message/message.ts'
import { defaultPort, type Flow, type TransportAddress } from './flow.ts'

/** RFC 3261 §18.2.1 and RFC 3581 §4: adds the source address to the top Via. */
export function setReceived(request: SipRequest, source: TransportAddress): void {
  const via = topViaOf(request)
  const asked = via.params.has('rport')
  if (!asked && unbracketed(via.host) === source.address) return
  const params = new Map(via.params).set('received', source.address)
  if (asked) params.set('rport', String(source.port))
  replaceTopVia(request, { ...via, params })
}

function replaceTopVia(request: SipRequest, via: Via): void {
  const [, ...rest] = request.headers.list('via')!
  request.headers.set('via', printVia(via), ...rest)
}

/** RFC 3261 §18.2.2: a response uses its request's connection; over UDP without `rport`, the port of the Via. */
export function responseFlow(message: SipMessage, flow: Flow): Flow {
  const via = topViaOf(message)
  return via.params.has('rport') ? flow : flow.towards(via.port ?? defaultPort(flow.protocol))
}
