import { find, fromOf, readAddresses, tagOf, toOf } from '../message/fields.ts'
import { printAddress } from '../message/grammar/address.ts'
import { isSipUri, parseUri, printUri } from '../message/grammar/uri.ts'
import { Headers } from '../message/headers.ts'
import { type Body, NO_BODY, type SipRequest, type SipResponse } from '../message/message.ts'
import type { Flow } from '../transport/flow.ts'

/** RFC 3261 §12: what two user agents know of each other for as long as a call lasts. */
export interface Dialog {
  readonly callId: string
  readonly localTag: string
  remoteTag: string
  /** From and To of our requests, with their tags. */
  readonly local: string
  remote: string
  /** Where the peer wants to be reached. */
  remoteTarget: string
  routeSet: string[]
  localCSeq: number
  remoteCSeq: number
  /** The way that the dialog was set up on. */
  flow: Flow
  /** Requests take that way whatever the peer's Contact says: it is behind NAT, or a browser without an address. */
  readonly staysOnFlow: boolean
}

/** §12.1.1: the dialog of the side that is called. Undefined when Contact or Record-Route is malformed. */
export function dialogAsServer(
  request: SipRequest,
  localTag: string,
  flow: Flow,
  staysOnFlow: boolean,
): Dialog | undefined {
  const contacts = find.contacts(request.headers)
  const routes = readAddresses(request.headers, 'record-route')
  if (!contacts || !routes) return undefined
  // RFC 2543 knew INVITEs without Contact.
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

/** §12.1.2: the dialog of the side that calls, as an answer to its INVITE makes it. */
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

/** The dialog that a request of a peer belongs to. */
export const dialogKeyOf = (request: SipRequest) =>
  dialogKey(request.headers.get('call-id')!, tagOf(toOf(request)), tagOf(fromOf(request)))

/** §12.2.1.1: the next request in the dialog. */
export function requestInDialog(dialog: Dialog, method: string): SipRequest {
  dialog.localCSeq++
  return makeRequest(dialog, method, dialog.localCSeq)
}

/** §13.2.2.4: the ACK of a 2xx has the number of its INVITE. */
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
  // A router without `lr` is of the older kind and wants to be the Request-URI itself.
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

/** Where a request goes next: its first route, or its Request-URI. */
export function nextHop(request: SipRequest): string {
  const [route] = request.headers.list('route') ?? []
  return route === undefined ? request.uri : routeUri(route)
}

const routeUri = (route: string) => route.slice(route.indexOf('<') + 1, route.lastIndexOf('>'))

/** §12.2.2: a request older than one that was seen is out of order; the first number may be any. */
export function isInOrder(dialog: Dialog, request: SipRequest): boolean {
  const { number } = find.cseq(request.headers)!
  if (number <= dialog.remoteCSeq) return false
  dialog.remoteCSeq = number
  return true
}

/** §12.2: an INVITE or UPDATE, and what accepts it, may move the peer. */
export function refreshTarget(dialog: Dialog, message: SipRequest | SipResponse): void {
  const [contact] = find.contacts(message.headers) ?? []
  const uri = contact && printUri(contact.uri)
  const parsed = uri === undefined ? undefined : parseUri(uri)
  if (parsed && isSipUri(parsed)) dialog.remoteTarget = uri!
}
