import type { Clock } from '../../platform/clock.ts'
import { SIP_LIMITS } from '../limits.ts'
import { respondTo } from '../message/create.ts'
import { tagOf, toOf, topViaOf } from '../message/fields.ts'
import { printVia } from '../message/grammar/via.ts'
import type { SipMessage, SipRequest } from '../message/message.ts'
import { printMessage } from '../message/print.ts'
import type { Flow } from '../transport/flow.ts'
import { responseFlow } from '../transport/received.ts'
import { type ClientHandlers, ClientTransaction } from './client-transaction.ts'
import { MAGIC_COOKIE, clientKey, serverKey } from './key.ts'
import { ServerTransaction } from './server-transaction.ts'

export interface TransactionEvents {
  request(transaction: ServerTransaction): void
  /** The ACK of a 2xx: it belongs to a dialog, not to a transaction. */
  ack(request: SipRequest, flow: Flow): void
  /** There is no room for a request, which got a 503. */
  refused?(request: SipRequest, flow: Flow): void
}

/** All messages pass through here: it absorbs copies, retransmits, and matches responses with their requests. */
export class Transactions {
  readonly #clock: Clock
  readonly #token: () => string
  readonly #events: TransactionEvents
  readonly #room: { max: number; reserved: number }
  readonly #clients = new Map<string, ClientTransaction>()
  readonly #servers = new Map<string, ServerTransaction>()

  /** `token` returns a new unguessable token. */
  constructor(
    clock: Clock,
    token: () => string,
    events: TransactionEvents,
    room = { max: SIP_LIMITS.transactionsMax, reserved: SIP_LIMITS.transactionsReserved },
  ) {
    this.#clock = clock
    this.#token = token
    this.#events = events
    this.#room = room
  }

  get count(): number {
    return this.#clients.size + this.#servers.size
  }

  receive(message: SipMessage, flow: Flow): void {
    if (message.kind === 'response') return this.#clients.get(clientKey(message))?.receive(message)
    const key = serverKey(message)
    const known = this.#servers.get(key)
    if (message.method === 'ACK') {
      if (known && !known.isAccepted) known.receiveAck()
      else this.#events.ack(message, flow)
    } else if (known) known.receiveAgain()
    else if (!this.#hasRoomFor(message)) {
      responseFlow(message, flow).send(printMessage(respondTo(message, 503)))
      this.#events.refused?.(message, flow)
    } else this.#serve(key, message, flow)
  }

  /** Sends a request over the flow, in a new transaction. */
  request(request: SipRequest, flow: Flow, handlers: ClientHandlers): ClientTransaction {
    return this.#send(request, flow, { branch: this.#sign(request, flow), handlers })
  }

  /** RFC 3261 §9.1: a CANCEL has the Via of its INVITE. */
  cancel({ request: invite, flow }: ClientTransaction, cancel: SipRequest): void {
    cancel.headers.addFirst('via', invite.headers.get('via')!)
    const handlers = { response: () => {}, failed: () => {} }
    this.#send(cancel, flow, { branch: topViaOf(invite).params.get('branch')!, handlers })
  }

  /** Sends the ACK of a 2xx, which gets no response. Returns its bytes, for retransmissions of the 2xx. */
  ack(request: SipRequest, flow: Flow): Buffer {
    this.#sign(request, flow)
    const bytes = printMessage(request)
    flow.send(bytes)
    return bytes
  }

  /** The INVITE that a CANCEL refers to. */
  inviteOf(cancel: SipRequest): ServerTransaction | undefined {
    return this.#servers.get(serverKey(cancel, 'INVITE'))
  }

  flowClosed(flow: Flow): void {
    for (const client of this.#clients.values()) if (client.flow.id === flow.id) client.flowClosed()
  }

  close(): void {
    for (const transaction of [...this.#clients.values(), ...this.#servers.values()]) transaction.stop()
    this.#clients.clear()
    this.#servers.clear()
  }

  #hasRoomFor(request: SipRequest): boolean {
    const isOfACall = request.method === 'CANCEL' || tagOf(toOf(request)) !== ''
    return this.count < this.#room.max + (isOfACall ? this.#room.reserved : 0)
  }

  /** Returns the new branch. */
  #sign(request: SipRequest, flow: Flow): string {
    const branch = MAGIC_COOKIE + this.#token()
    const params = new Map([['branch', branch]])
    if (flow.protocol === 'udp') params.set('rport', '')
    const via = { version: '2.0', transport: flow.protocol.toUpperCase(), ...flow.sentBy, params }
    request.headers.addFirst('via', printVia(via))
    return branch
  }

  #send(
    request: SipRequest,
    flow: Flow,
    { branch, handlers }: { branch: string; handlers: ClientHandlers },
  ): ClientTransaction {
    const key = `${branch}|${request.method}`
    const end = () => this.#clients.delete(key)
    const client = new ClientTransaction(this.#clock, request, flow, handlers, end)
    this.#clients.set(key, client)
    client.start()
    return client
  }

  #serve(key: string, request: SipRequest, flow: Flow): void {
    const deliver = () => this.#events.request(transaction)
    const end = () => this.#servers.delete(key)
    const transaction = new ServerTransaction(this.#clock, this.#token(), request, flow, deliver, end)
    this.#servers.set(key, transaction)
    transaction.start()
  }
}
