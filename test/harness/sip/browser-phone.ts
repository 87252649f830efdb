import { once } from 'node:events'

import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'

import { DigestClient } from '../../../server/sip/auth/client.ts'
import type { SipRequest, SipResponse } from '../../../server/sip/message/message.ts'
import { parseMessage } from '../../../server/sip/message/parse.ts'
import { printMessage } from '../../../server/sip/message/print.ts'
import { systemRandom } from '../../../server/sip/random.ts'
import { sdp } from './agent.ts'
import { AsyncQueue } from './async-queue.ts'
import { readRequest } from './fake-flow.ts'

const PHONE = { username: 'phone', password: 'open-sesame' }

/** The signalling of a phone in a browser, over a WebSocket and written by hand. */
export async function openBrowserPhone(url: string, account = PHONE) {
  const { username } = account
  const socket = new WebSocket(url, 'sip')
  onTestFinished(() => socket.close())
  await once(socket, 'open')
  const answers = new AsyncQueue<SipResponse>()
  const requests = new AsyncQueue<SipRequest>()
  socket.on('message', (data: Buffer) => {
    const parsed = parseMessage(data)
    if (!parsed.ok) throw new Error(parsed.why)
    if (parsed.message.kind === 'response') answers.put(parsed.message)
    else requests.put(parsed.message)
  })
  const digest = new DigestClient(account, systemRandom.token)
  const callId = systemRandom.token()
  let cseq = 0
  const create = (method: string, { uri, to, lines }: { uri: string; to: string; lines: string[] }) => {
    const request = readRequest(
      [
        `${method} ${uri} SIP/2.0`,
        `Via: SIP/2.0/WS x.invalid;branch=z9hG4bK${systemRandom.token()}`,
        `From: <sip:${username}@bellhop.test>;tag=1`,
        `To: <${to}>`,
        `Call-ID: ${callId}`,
        `CSeq: ${++cseq} ${method}`,
        ...lines,
      ].join('\n'),
    )
    digest.sign(request)
    return request
  }
  const register = async (lines: string[], user = username): Promise<SipResponse> => {
    const request = create('REGISTER', { uri: 'sip:bellhop.test', to: `sip:${user}@bellhop.test`, lines })
    socket.send(printMessage(request))
    const answer = await answers.take()
    return answer.status === 401 && digest.takeUp(answer) ? register(lines, user) : answer
  }
  return {
    register,
    requests,
    /** Calls a number, once it has registered. */
    dial(number: string): void {
      const uri = `sip:${number}@bellhop.test`
      const lines = [`Contact: <sip:${username}@x.invalid;transport=ws>`, 'Content-Type: application/sdp']
      const request = create('INVITE', { uri, to: uri, lines })
      socket.send(printMessage({ ...request, body: sdp().bytes }))
    },
    /** Sends something other than a REGISTER. */
    send: (message: SipRequest | SipResponse) => socket.send(printMessage(message)),
    close: () => socket.close(),
    closed: once(socket, 'close'),
    back: (by: number) => (cseq -= by),
  }
}
