import type { SipMessage, SipRequest } from '../message/message.ts'
import { parseMessage } from '../message/parse.ts'
import type { Flow } from './flow.ts'
import { noteSource } from './source.ts'

/** Whether a source may speak to us: all it likes, within a limit, or not at all. */
export type Admission = 'free' | 'limited' | 'blocked'

/** What the transports hand upwards. */
export interface TransportEvents {
  message(message: SipMessage, flow: Flow): void
  /** A request that is wrong, but has enough of it to be answered. */
  badRequest(request: SipRequest, status: number, flow: Flow): void
  closed(flow: Flow): void
}

/** One place where bytes of all transports become messages. Says whether they were one. */
export function receive(bytes: Buffer, flow: Flow, events: TransportEvents): boolean {
  const parsed = parseMessage(bytes)
  if (parsed.ok) {
    if (parsed.message.kind === 'request') noteSource(parsed.message, flow.remote)
    events.message(parsed.message, flow)
  } else if (parsed.request && parsed.request.method !== 'ACK') {
    events.badRequest(parsed.request, parsed.status, flow)
  }
  return parsed.ok
}
