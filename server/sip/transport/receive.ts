import { noteActivity } from '../../platform/activity.ts'
import { callIdOf } from '../message/fields.ts'
import type { SipMessage, SipRequest } from '../message/message.ts'
import { parseMessage } from '../message/parse.ts'
import type { Flow } from './flow.ts'
import { setReceived } from './received.ts'

/** Whether messages of a source are accepted: all, up to a rate limit, or none. */
export type SourcePolicy = 'free' | 'limited' | 'blocked'

/** What the transports report. */
export interface TransportEvents {
  message(message: SipMessage, flow: Flow): void
  /** An invalid request, of which enough is readable to respond. */
  badRequest(request: SipRequest, status: number, flow: Flow): void
  closed(flow: Flow): void
  /** A valid message, as it was received. */
  received?(bytes: Buffer, flow: Flow): void
}

const nameOf = (message: SipMessage) =>
  `${message.kind === 'request' ? message.method : message.status} of the call ${callIdOf(message)}`

/**
 * Parses the bytes of all transports. Returns whether they were a valid message. `enter` gives the flow of a request,
 * or undefined to drop it.
 */
export function receiveMessage(
  bytes: Buffer,
  flow: Flow,
  events: TransportEvents,
  enter: (request: SipRequest, flow: Flow) => Flow | undefined,
): boolean {
  noteActivity(`a SIP message by ${flow.protocol}`)
  const parsed = parseMessage(bytes)
  if (parsed.ok) {
    const { message } = parsed
    const from = message.kind === 'request' ? enter(message, flow) : flow
    if (!from) return true
    events.received?.(bytes, flow)
    noteActivity(`SIP ${nameOf(message)}`)
    if (message.kind === 'request') setReceived(message, flow.remote)
    events.message(message, from)
  } else if (parsed.request && parsed.request.method !== 'ACK') {
    events.badRequest(parsed.request, parsed.status, flow)
  }
  return parsed.ok
}
