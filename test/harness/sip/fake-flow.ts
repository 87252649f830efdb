import type { SipMessage, SipRequest, SipResponse } from '../../../server/sip/message/message.ts'
import { parseMessage } from '../../../server/sip/message/parse.ts'
import type { Flow } from '../../../server/sip/transport/flow.ts'

/** A flow without a peer, which records what is sent. */
export class FakeFlow implements Flow {
  readonly id = 'paper'
  readonly protocol: 'udp' | 'tcp' | 'ws'
  readonly reliable: boolean
  readonly remote = { address: '192.0.2.1', port: 5060 }
  readonly sentBy = { host: '192.0.2.9', port: 5060 }
  readonly origin = this
  readonly isProxied = false
  readonly sent: SipMessage[] = []
  isOpen = true

  constructor(protocol: 'udp' | 'tcp' | 'ws') {
    this.protocol = protocol
    this.reliable = protocol !== 'udp'
  }

  send(bytes: Buffer, failed?: () => void): void {
    if (!this.isOpen) return failed?.()
    this.sent.push(read(bytes))
  }

  towards(): Flow {
    return this
  }
}

function read(bytes: Buffer): SipMessage {
  const parsed = parseMessage(bytes)
  if (!parsed.ok) throw new Error(`we sent a message that is ${parsed.why}`)
  return parsed.message
}

export function readRequest(text: string): SipRequest {
  const message = read(Buffer.from(text.trim().replace(/\r?\n/g, '\r\n') + '\r\n\r\n'))
  if (message.kind !== 'request') throw new Error('no request')
  return message
}

export const isResponse = (message: SipMessage): message is SipResponse => message.kind === 'response'
