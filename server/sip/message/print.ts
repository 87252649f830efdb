import type { SipMessage } from './message.ts'
import { reasonOf } from './reasons.ts'

export function printMessage(message: SipMessage): Buffer {
  const first =
    message.kind === 'request'
      ? `${message.method} ${message.uri} SIP/2.0`
      : `SIP/2.0 ${message.status} ${message.reason || reasonOf(message.status)}`
  message.headers.set('content-length', String(message.body.length))
  const head = `${first}\r\n${message.headers.print()}\r\n`
  return message.body.length === 0 ? Buffer.from(head) : Buffer.concat([Buffer.from(head), message.body])
}
