import { find, fromOf, readAddresses, tagOf, toOf } from '../message/fields.ts'
import { printAddress } from '../message/grammar/address.ts'
import { isSipUri, parseUri, printUri } from '../message/grammar/uri.ts'
import { Headers } from '../message/headers.ts'
import { type Body, NO_BODY, type SipRequest, type SipResponse } from '../message/message.ts'
import type { Flow } from '../transport/flow.ts'

/** A dialog (RFC 3261 §12). */
export interface Dialog {
  readonly callId: string
  readonly localTag: string
  remoteTag: string
  /** From and To of our requests, with their tags. */
  readonly local: string
  remote: string
  /** The peer's Contact address. */
  remoteTarget: string
  routeSet: string[]
  localCSeq: number
  remoteCSeq: number
  /** The flow on which the dialog was set up. */
  flow: Flow
  /** Requests stay on that flow whatever the peer's Contact says: it is behind NAT, or a browser without an address. */
  readonly staysOnFlow: boolean
}

/** §12.1.1: the dialog at the callee. Undefined if Contact or Record-Route is malformed. */
export function dialogAsServer(
  request: SipRequest,
  localTag: string,
  flow: Flow,
  staysOnFlow: boolean,
): Dialog | undefined {
  const contacts = find.contacts(request.headers)
  const routes = readAddresses(request.headers, 'record-route')
  if (!contacts || !routes) return undefined
  // RFC 2543 allowed an INVITE without Contact.
  const contact = contacts[0] ?? fromOf(request)
  const to = toOf(request)
  return {
    callId: request.headers.get('call-id')!,
    localTag,
    remoteTag: tagOf(fromOf(request)),
    local: printAddress({ ...to, params: new Map(to.params).set('tag', localTag) }),
    remote: request.headers.get('from')!,
    remoteTarget: printUri(contact.uri),
    routeSet: routes.map(printAddress),
    localCSeq: 0,
    remoteCSeq: find.cseq(request.headers)!.number,
    flow,
    staysOnFlow,
  }
}

/** §12.1.2: the dialog at the caller, created by a response to its INVITE. */
export function dialogAsClient(
  request: SipRequest,
  response: SipResponse,
  flow: Flow,
  staysOnFlow: boolean,
): Dialog {
  const [contact] = find.contacts(response.headers) ?? []
  return {
    callId: request.headers.get('call-id')!,
    localTag: tagOf(fromOf(request)),
    remoteTag: tagOf(toOf(response)),
    local: request.headers.get('from')!,
    remote: response.headers.get('to')!,
    remoteTarget: contact ? printUri(contact.uri) : request.uri,
    routeSet: (readAddresses(response.headers, 'record-route') ?? []).map(printAddress).toReversed(),
    localCSeq: find.cseq(request.headers)!.number,
    remoteCSeq: -1,
    flow,
    staysOnFlow,
  }
}

export const dialogKey = (callId: string, localTag: string, remoteTag: string) =>
  `${callId}|${localTag}|${remoteTag}`

/** The dialog to which a peer's request belongs. */
export const dialogKeyOf = (request: SipRequest) =>
  dialogKey(request.headers.get('call-id')!, tagOf(toOf(request)), tagOf(fromOf(request)))

/** §12.2.1.1: the next request in the dialog. */
export function requestInDialog(dialog: Dialog, method: string): SipRequest {
  dialog.localCSeq++
  return makeRequest(dialog, method, dialog.localCSeq)
}

/** §13.2.2.4: the ACK of a 2xx has the CSeq number of its INVITE. */
export function ackInDialog(dialog: Dialog, cseq: number, body: Body | undefined): SipRequest {
  const request = makeRequest(dialog, 'ACK', cseq)
  if (body) {
    request.headers.set('content-type', body.contentType)
    request.body = body.bytes
  }
  return request
}

function makeRequest(dialog: Dialog, method: string, cseq: number): SipRequest {
  const headers = new Headers()
  const [first, ...rest] = dialog.routeSet
  const firstUri = first === undefined ? undefined : routeUri(first)
  // A strict router (RFC 2543), which has no `lr`, expects its own URI as the Request-URI.
  const isStrict = firstUri !== undefined && !/;lr\b/i.test(firstUri)
  const routes = isStrict ? [...rest, `<${dialog.remoteTarget}>`] : dialog.routeSet
  headers.add('route', ...routes)
  headers.add('max-forwards', '70')
  headers.add('from', dialog.local)
  headers.add('to', dialog.remote)
  headers.add('call-id', dialog.callId)
  headers.add('cseq', `${cseq} ${method}`)
  return { kind: 'request', method, uri: isStrict ? firstUri : dialog.remoteTarget, headers, body: NO_BODY }
}

/** The next hop of a request: its first Route, or its Request-URI. */
export function nextHop(request: SipRequest): string {
  const [route] = request.headers.list('route') ?? []
  return route === undefined ? request.uri : routeUri(route)
}

/** The URI in a Route, Record-Route or Path. */
export const routeUri = (route: string) => route.slice(route.indexOf('<') + 1, route.lastIndexOf('>'))

/** §12.2.2: a CSeq number below the last one is out of order; the first may be any. */
export function isInOrder(dialog: Dialog, request: SipRequest): boolean {
  const { number } = find.cseq(request.headers)!
  if (number <= dialog.remoteCSeq) return false
  dialog.remoteCSeq = number
  return true
}

/** §12.2: an INVITE or UPDATE, and its 2xx, may change the peer's Contact. */
export function refreshTarget(dialog: Dialog, message: SipRequest | SipResponse): void {
  const [contact] = find.contacts(message.headers) ?? []
  const uri = contact && printUri(contact.uri)
  const parsed = uri === undefined ? undefined : parseUri(uri)
  if (parsed && isSipUri(parsed)) dialog.remoteTarget = uri!
}
