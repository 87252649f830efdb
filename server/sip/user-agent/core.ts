import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { parseUri, printUri } from '../message/grammar/uri.ts'
import type { SipRequest, SipResponse } from '../message/message.ts'
import type { Random } from '../random.ts'
import type { TransactionFailure } from '../transaction/machine.ts'
import type { ServerTransaction } from '../transaction/server-transaction.ts'
import type { Transactions } from '../transaction/transactions.ts'
import type { Flow, Protocol } from '../transport/flow.ts'

/** Receives the requests and ACKs within a dialog. */
export interface DialogOwner {
  readonly isEnded: boolean
  readonly isConfirmed: boolean
  readonly isCaller: boolean
  receive(transaction: ServerTransaction): void
  acknowledge(ack: SipRequest): void
  flowClosed(flow: Flow): void
  /** Stops all activity of the dialog. */
  close(): void
}

/** What the parts of the user agent share. */
export interface Core {
  readonly clock: Clock
  readonly log: Log
  readonly chance: Random
  readonly transactions: Transactions
  /** By `dialogKey`. */
  readonly dialogs: Map<string, DialogOwner>
  /** Connections to a URI in the order to try them; `otherwise` is the transport if the URI names none. */
  flowsTo(uri: string, otherwise: Protocol): Promise<OpenFlow[]>
}

/** Opens a flow to one server. Rejects if it cannot be reached. */
export type OpenFlow = () => Promise<Flow>

/** The first flow that can be opened. */
export async function firstFlow(flows: OpenFlow[]): Promise<Flow> {
  for (const open of flows) {
    // What cannot be opened leaves the others to try.
    const flow = await open().catch(() => undefined)
    if (flow) return flow
  }
  throw new Error('no server could be reached')
}

export const ALLOW = 'INVITE, ACK, CANCEL, BYE, PRACK, UPDATE, INFO, REFER, OPTIONS, SUBSCRIBE, NOTIFY'
export const SUPPORTED = '100rel, timer, norefersub, replaces'

export type RequestOutcome = { ok: true; response: SipResponse } | { ok: false; why: TransactionFailure }

/** RFC 3263 §4.3: a server that is out of service, unlike a peer that refuses. */
export const cannotServe = ({ status }: SipResponse) => status === 503 || status === 408

/** Sends a request other than INVITE and waits for its final response. */
export function sendRequest(
  { transactions }: Core,
  request: SipRequest,
  flow: Flow,
): Promise<RequestOutcome> {
  return new Promise((resolve) => {
    transactions.request(request, flow, {
      response: (response) => response.status >= 200 && resolve({ ok: true, response }),
      failed: (why) => resolve({ ok: false, why }),
    })
  })
}

/** Our Contact address in a dialog on this flow. */
export function contactOn({ protocol, sentBy }: Flow, user: string): string {
  const params = new Map(protocol === 'udp' ? [] : [['transport', protocol]])
  return `<${printUri({ scheme: 'sip', user, ...sentBy, params })}>`
}

export function userOf(uri: string): string {
  const parsed = parseUri(uri)
  return (parsed && 'host' in parsed ? parsed.user : undefined) ?? 'bellhop'
}
