import type { Clock } from '../../platform/clock.ts'
import { Headers } from '../message/headers.ts'
import { NO_BODY, type SipRequest, type SipResponse } from '../message/message.ts'
import { printMessage } from '../message/print.ts'
import { type Flow, isOnlyConnection } from '../transport/flow.ts'
import { startClient, stepClient } from './client.ts'
import { startInviteClient, stepInviteClient } from './invite-client.ts'
import type { ClientInput, TransactionFailure } from './machine.ts'
import { type EffectHandlers, MachineRunner } from './runner.ts'

export interface ClientHandlers {
  response(response: SipResponse): void
  /** There will be no final response. */
  failed(why: TransactionFailure): void
}

/** One request of ours and its responses. */
export class ClientTransaction {
  readonly request: SipRequest
  readonly flow: Flow
  readonly #runner: { start(): void; input(input: ClientInput<never>): void; stop(): void }
  readonly #bytes: Buffer
  #response: SipResponse | undefined

  constructor(clock: Clock, request: SipRequest, flow: Flow, handlers: ClientHandlers, end: () => void) {
    this.request = request
    this.flow = flow
    this.#bytes = printMessage(request)
    const { reliable } = flow
    const acts: EffectHandlers = {
      send: () => this.#send(this.#bytes),
      sendAck: () => this.#send(printMessage(ackFor(request, this.#response!))),
      deliver: () => handlers.response(this.#response!),
      fail: (why) => handlers.failed(why),
      end,
    }
    this.#runner =
      request.method === 'INVITE'
        ? new MachineRunner(clock, reliable, startInviteClient(reliable), stepInviteClient, acts)
        : new MachineRunner(clock, reliable, startClient(reliable), stepClient, acts)
  }

  /** Sends the request. */
  start(): void {
    this.#runner.start()
  }

  receive(response: SipResponse): void {
    this.#response = response
    this.#runner.input({ on: 'response', status: response.status })
  }

  flowClosed(): void {
    this.#runner.input({ on: isOnlyConnection(this.flow.protocol) ? 'unreachable' : 'transportError' })
  }

  /** Ends without notifying the peer or the transaction user. */
  stop(): void {
    this.#runner.stop()
  }

  #send(bytes: Buffer): void {
    this.flow.send(bytes, () => this.#runner.input({ on: 'transportError' }))
  }
}

/** RFC 3261 §17.1.1.3: the ACK of a non-2xx response belongs to the INVITE transaction. */
function ackFor(invite: SipRequest, response: SipResponse): SipRequest {
  const headers = new Headers()
  headers.add('via', invite.headers.get('via')!)
  headers.add('max-forwards', '70')
  headers.add('from', invite.headers.get('from')!)
  headers.add('to', response.headers.get('to')!)
  headers.add('call-id', invite.headers.get('call-id')!)
  headers.add('cseq', invite.headers.get('cseq')!.replace('INVITE', 'ACK'))
  headers.add('route', ...invite.headers.all('route'))
  return { kind: 'request', method: 'ACK', uri: invite.uri, headers, body: NO_BODY }
}
