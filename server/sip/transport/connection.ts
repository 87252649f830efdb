import type { Clock } from '../../platform/clock.ts'
import { SIP_LIMITS } from '../limits.ts'
import type { Flow, FlowOrigin, Protocol, TransportAddress } from './flow.ts'

/** What SIP needs of a stream or a WebSocket. */
export interface ConnectionSocket {
  write(bytes: Buffer, failed: () => void): void
  unsentBytes(): number
  destroy(): void
}

const PING = Buffer.from('\r\n\r\n')
const PONG = Buffer.from('\r\n')

/** A flow over a connection, with keep-alives. */
export class SipConnection implements Flow {
  readonly reliable = true
  readonly isProxied = false
  readonly id: string
  readonly protocol: Protocol
  readonly remote: TransportAddress
  readonly sentBy: { host: string; port: number }
  isOpen = true
  readonly #wire: ConnectionSocket
  readonly #clock: Clock
  readonly #closed: (flow: Flow) => void
  readonly #sent: (bytes: Buffer, flow: Flow) => void
  #stopWaiting = () => {}
  #stopRest: (() => void) | undefined
  #stopPings = () => {}
  #answersPings = false
  #stopPong = () => {}

  constructor(
    about: Pick<Flow, 'id' | 'protocol' | 'remote' | 'sentBy'>,
    wire: ConnectionSocket,
    clock: Clock,
    closed: (flow: Flow) => void,
    sent: (bytes: Buffer, flow: Flow) => void = () => {},
  ) {
    this.id = about.id
    this.protocol = about.protocol
    this.remote = about.remote
    this.sentBy = about.sentBy
    this.#wire = wire
    this.#clock = clock
    this.#closed = closed
    this.#sent = sent
  }

  get origin(): FlowOrigin {
    return this
  }

  send(bytes: Buffer, failed: () => void = () => {}): void {
    if (!this.isOpen) return failed()
    this.#sent(bytes, this)
    this.#wire.write(bytes, failed)
    // A peer that does not read would fill our memory.
    if (this.#wire.unsentBytes() > SIP_LIMITS.unsentBytesMax) this.close()
  }

  towards(): Flow {
    return this
  }

  /** Closes a connection on which no message arrives. */
  expectFirstMessage(): void {
    this.#stopWaiting = this.#clock.after(SIP_LIMITS.firstMessageMs, () => this.close())
  }

  gotFirstMessage(): void {
    this.#stopWaiting()
  }

  /** Closes a connection whose message is not completed in time, however steadily bytes arrive. */
  expectRest(): void {
    this.#stopRest ??= this.#clock.after(SIP_LIMITS.wholeMessageMs, () => this.close())
  }

  gotRest(): void {
    this.#stopRest?.()
    this.#stopRest = undefined
  }

  /** RFC 5626 §3.5.1: the side that opened the connection sends keep-alives. */
  keepAlive(): void {
    this.#stopPings = this.#clock.after(SIP_LIMITS.keepAliveMs, () => {
      this.send(PING)
      // Only a peer that has sent a pong before is known to support them.
      if (this.#answersPings) this.#stopPong = this.#clock.after(SIP_LIMITS.pongMs, () => this.close())
      this.keepAlive()
    })
  }

  gotPing(): void {
    this.send(PONG)
  }

  gotPong(): void {
    this.#answersPings = true
    this.#stopPong()
  }

  close(): void {
    if (!this.isOpen) return
    this.isOpen = false
    this.#stopWaiting()
    this.gotRest()
    this.#stopPings()
    this.#stopPong()
    this.#wire.destroy()
    this.#closed(this)
  }
}
