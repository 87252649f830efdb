import type { Clock } from '../../platform/clock.ts'
import { respondTo, tagTo } from '../message/create.ts'
import type { SipRequest, SipResponse } from '../message/message.ts'
import { printMessage } from '../message/print.ts'
import type { Flow } from '../transport/flow.ts'
import { responseFlow } from '../transport/received.ts'
import { type InviteServerInput, startInviteServer, stepInviteServer } from './invite-server.ts'
import { type EffectHandlers, MachineRunner } from './runner.ts'
import { type ServerInput, startServer, stepServer } from './server.ts'

/** One request of a peer and our responses. */
export class ServerTransaction {
  readonly request: SipRequest
  readonly flow: Flow
  /** Our tag, in all our responses. */
  readonly tag: string
  readonly receiveAck: () => void
  readonly #runner: { start(): void; input(input: ServerInput & InviteServerInput): void; stop(): void }
  readonly #replyFlow: Flow
  readonly #end: () => void
  #bytes: Buffer | undefined
  #finalStatus: number | undefined
  #answered: (() => void) | undefined

  constructor(
    clock: Clock,
    tag: string,
    request: SipRequest,
    flow: Flow,
    deliver: () => void,
    end: () => void,
  ) {
    this.tag = tag
    this.request = request
    this.flow = flow
    this.#replyFlow = responseFlow(request, flow)
    this.#end = end
    const { reliable } = flow
    const acts: EffectHandlers = {
      send: () => this.#send(),
      sendTrying: () => {
        this.#bytes = printMessage(respondTo(request, 100))
        this.#send()
      },
      deliver,
      end,
    }
    if (request.method === 'INVITE') {
      const runner = new MachineRunner(clock, reliable, startInviteServer(), stepInviteServer, acts)
      this.#runner = runner
      this.receiveAck = () => runner.input({ on: 'ack' })
    } else {
      this.#runner = new MachineRunner(clock, reliable, startServer(), stepServer, acts)
      this.receiveAck = () => {}
    }
  }

  /** Passes the request to the transaction user. */
  start(): void {
    this.#runner.start()
  }

  /** Whether a final response has been sent. */
  get isAnswered(): boolean {
    return this.#finalStatus !== undefined
  }

  get isAccepted(): boolean {
    return this.#finalStatus !== undefined && this.#finalStatus < 300
  }

  respond(response: SipResponse): void {
    const { status } = response
    // Only a 2xx may be sent again: the transaction user repeats it until its ACK.
    if (this.isAnswered && !(this.isAccepted && status === this.#finalStatus)) return
    const isFirstFinal = status >= 200 && !this.isAnswered
    if (status >= 200) this.#finalStatus = status
    if (status > 100) tagTo(response, this.request, this.tag)
    this.#bytes = printMessage(response)
    this.#runner.input({ on: 'respond', status })
    if (isFirstFinal) this.#answered?.()
  }

  /** Runs once the final response has been sent. */
  onFinal(run: () => void): void {
    this.#answered = run
  }

  receiveAgain(): void {
    this.#runner.input({ on: 'request' })
  }

  /** Ends without a response: a retransmission will be a new request. */
  ignore(): void {
    this.#runner.stop()
    this.#end()
  }

  stop(): void {
    this.#runner.stop()
  }

  #send(): void {
    if (this.#bytes) this.#replyFlow.send(this.#bytes)
  }
}
