import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Chance } from '../chance.ts'
import { parseUri, printUri } from '../message/grammar/uri.ts'
import type { SipRequest, SipResponse } from '../message/message.ts'
import type { Failure } from '../transaction/machine.ts'
import type { ServerTransaction } from '../transaction/server-transaction.ts'
import type { Transactions } from '../transaction/transactions.ts'
import type { Flow, Protocol } from '../transport/flow.ts'

/** A dialog that requests and acknowledgements of its peer are handed to. */
export interface DialogOwner {
  receive(transaction: ServerTransaction): void
  acknowledge(ack: SipRequest): void
  flowClosed(flow: Flow): void
  /** Nothing more is done for it. */
  close(): void
}

/** What the parts of the user agent share. */
export interface Core {
  readonly clock: Clock
  readonly log: Log
  readonly chance: Chance
  readonly transactions: Transactions
  /** By `dialogKey`. */
  readonly dialogs: Map<string, DialogOwner>
  /** The ways to a URI, in the order in which they are tried; `otherwise` where it names no transport. */
  waysTo(uri: string, otherwise: Protocol): Promise<Way[]>
}

/** Opens a flow to one server. Rejects when it cannot be reached. */
export type Way = () => Promise<Flow>

/** The first of the ways that can be opened. */
export async function firstFlow(ways: Way[]): Promise<Flow> {
  for (const open of ways) {
    // What cannot be opened leaves the others to try.
    const flow = await open().catch(() => undefined)
    if (flow) return flow
  }
  throw new Error('no way there is open')
}

export const ALLOW = 'INVITE, ACK, CANCEL, BYE, PRACK, UPDATE, INFO, REFER, OPTIONS, NOTIFY'
export const SUPPORTED = '100rel, timer, norefersub'

export type Answer = { ok: true; response: SipResponse } | { ok: false; why: Failure }

/** RFC 3263 §4.3: a server that cannot serve at all, unlike a peer who does not want to. */
export const cannotServe = ({ status }: SipResponse) => status === 503 || status === 408

/** Sends a request other than INVITE and waits for its final answer. */
export function ask({ transactions }: Core, request: SipRequest, flow: Flow): Promise<Answer> {
  return new Promise((resolve) => {
    transactions.request(request, flow, {
      response: (response) => response.status >= 200 && resolve({ ok: true, response }),
      failed: (why) => resolve({ ok: false, why }),
    })
  })
}

/** How a peer reaches us in this dialog. */
export function contactOn({ protocol, sentBy }: Flow, user: string): string {
  const params = new Map(protocol === 'udp' ? [] : [['transport', protocol]])
  return `<${printUri({ scheme: 'sip', user, ...sentBy, params })}>`
}

export function userOf(uri: string): string {
  const parsed = parseUri(uri)
  return (parsed && 'host' in parsed ? parsed.user : undefined) ?? 'bellhop'
}
