import { createSocket } from 'node:dgram'
import { once } from 'node:events'

import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'

import { DigestClient } from '../../../server/sip/auth/client.ts'
import { respondTo } from '../../../server/sip/message/create.ts'
import { fromOf, tagOf, toOf } from '../../../server/sip/message/fields.ts'
import type { SipMessage, SipRequest, SipResponse } from '../../../server/sip/message/message.ts'
import { parseMessage } from '../../../server/sip/message/parse.ts'
import { printMessage } from '../../../server/sip/message/print.ts'
import { systemRandom } from '../../../server/sip/random.ts'
import { AsyncQueue } from './async-queue.ts'
import { readRequest } from './fake-flow.ts'

/** A subscription, as the phone that has it sees it. */
export interface SubscribedDialog {
  target: string
  event: string
  callId: string
  fromTag: string
  toTag: string
}

const accept = () => 200

interface Wire {
  via: string
  contact: string
  send(bytes: Buffer): void
  close(): void
}

/** A phone that only subscribes, written by hand: over UDP to a port, or over a WebSocket to a URL. */
export async function openSubscriber(to: number | string, account: { username: string; password: string }) {
  const responses = new AsyncQueue<SipResponse>()
  const notifications = new AsyncQueue<SipRequest>()
  /** The status of the response to a NOTIFY; none if undefined. */
  let answer: (request: SipRequest) => number | undefined = accept
  const receive = (data: Buffer) => {
    const parsed = parseMessage(data)
    if (!parsed.ok) throw new Error(parsed.why)
    const { message } = parsed
    if (message.kind === 'response') return responses.put(message)
    const status = answer(message)
    if (status !== undefined) send(respondTo(message, status))
    // A retransmission is the same request.
    if (!seen.has(message.headers.get('cseq')! + message.headers.get('call-id')!)) notifications.put(message)
    seen.add(message.headers.get('cseq')! + message.headers.get('call-id')!)
  }
  const seen = new Set<string>()
  const wire = typeof to === 'number' ? await openUdp(to, receive) : await openWebSocket(to, receive)
  const send = (message: SipMessage) => wire.send(printMessage(message))
  onTestFinished(() => wire.close())
  const digest = new DigestClient(account, systemRandom.token)
  let cseq = 0

  async function subscribe(dialog: SubscribedDialog, lines: string[]): Promise<SipResponse> {
    const { target, event, callId, fromTag, toTag } = dialog
    const request = readRequest(
      [
        `SUBSCRIBE ${target} SIP/2.0`,
        `Via: SIP/2.0/${wire.via};branch=z9hG4bK${systemRandom.token()}`,
        'Max-Forwards: 70',
        `From: <sip:${account.username}@bellhop.test>;tag=${fromTag}`,
        `To: <${target}>${toTag === '' ? '' : `;tag=${toTag}`}`,
        `Call-ID: ${callId}`,
        `CSeq: ${++cseq} SUBSCRIBE`,
        `Contact: <${wire.contact}>`,
        ...(event === '' ? [] : [`Event: ${event}`]),
        ...lines,
      ].join('\n'),
    )
    digest.sign(request)
    send(request)
    const sent = request.headers.get('cseq')
    const response = await responses.take(({ headers }) => headers.get('cseq') === sent)
    return response.status === 401 && digest.takeUp(response) ? subscribe(dialog, lines) : response
  }

  return {
    notifications,
    /** The next NOTIFY of this subscription, and what it says. */
    async notified({ callId }: SubscribedDialog) {
      const request = await notifications.take(({ headers }) => headers.get('call-id') === callId)
      return {
        request,
        state: request.headers.get('subscription-state')!,
        contentType: request.headers.get('content-type'),
        body: request.body.toString(),
      }
    },
    /** Subscribes in a new dialog. */
    async subscribe(target: string, event: string, lines: string[] = []) {
      const dialog = {
        target,
        event,
        callId: systemRandom.token(),
        fromTag: systemRandom.token(),
        toTag: '',
      }
      const response = await subscribe(dialog, lines)
      dialog.toTag = tagOf(toOf(response))
      return { response, dialog }
    },
    /** Refreshes a subscription, or ends it with `Expires: 0`. */
    refresh: (dialog: SubscribedDialog, lines: string[] = []) => subscribe(dialog, lines),
    /** All that was sent before, answers to NOTIFYs as well, has been received: what is sent now gets a response. */
    async settled(): Promise<void> {
      const request = readRequest(
        [
          'OPTIONS sip:bellhop.test SIP/2.0',
          `Via: SIP/2.0/${wire.via};branch=z9hG4bK${systemRandom.token()}`,
          'Max-Forwards: 70',
          `From: <sip:${account.username}@bellhop.test>;tag=${systemRandom.token()}`,
          'To: <sip:bellhop.test>',
          `Call-ID: ${systemRandom.token()}`,
          `CSeq: ${++cseq} OPTIONS`,
        ].join('\n'),
      )
      send(request)
      const sent = request.headers.get('cseq')
      await responses.take(({ headers }) => headers.get('cseq') === sent)
    },
    answerWith(next: typeof answer) {
      answer = next
    },
    /** Answers a NOTIFY that has had no answer. */
    answer: (request: SipRequest, status: number) => send(respondTo(request, status)),
    isOf: (request: SipRequest, dialog: SubscribedDialog) => tagOf(fromOf(request)) === dialog.toTag,
    close: () => wire.close(),
  }
}

async function openUdp(port: number, receive: (data: Buffer) => void): Promise<Wire> {
  const socket = createSocket('udp4').on('message', receive)
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const own = `127.0.0.1:${socket.address().port}`
  let isOpen = true
  return {
    via: `UDP ${own};rport`,
    contact: `sip:phone@${own}`,
    send: (bytes) => isOpen && socket.send(bytes, port, '127.0.0.1'),
    close() {
      if (isOpen) socket.close()
      isOpen = false
    },
  }
}

async function openWebSocket(url: string, receive: (data: Buffer) => void): Promise<Wire> {
  const socket = new WebSocket(url, 'sip').on('message', receive)
  await once(socket, 'open')
  return {
    via: 'WS x.invalid',
    contact: 'sip:phone@x.invalid;transport=ws',
    send: (bytes) => socket.send(bytes),
    close: () => socket.close(),
  }
}
