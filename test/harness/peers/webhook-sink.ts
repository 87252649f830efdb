import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

import { afterFile } from '../after-file.ts'

export interface Received {
  headers: IncomingHttpHeaders
  /** The raw body. */
  raw: string
  body: { event: string; timestamp: string; data: any }
}

/** The response: a status with headers, or none. */
export type SinkReply =
  | {
      status: number
      headers?: Record<string, string>
      body?: string
      /** After its first bytes. */
      bodyEnds?: 'never' | 'in a reset'
      /** A status that comes before. */
      early?: true
    }
  | 'never'

export interface WebhookSink {
  url: string
  received: Received[]
  /** Responses in progress. */
  unfinished(): number
  /** Called for each request; the default is 200. */
  answer: (received: Received) => SinkReply | Promise<SinkReply>
}

function give(answer: Exclude<SinkReply, 'never'>, response: ServerResponse): void {
  if (answer.early) response.writeEarlyHints({ link: '</style.css>; rel=preload' })
  response.writeHead(answer.status, answer.headers)
  if (!answer.bodyEnds) response.end(answer.body)
  else response.write('{', () => answer.bodyEnds === 'in a reset' && response.socket!.resetAndDestroy())
}

/** A webhook endpoint that keeps what it receives. Closed after the file's tests. */
export async function webhookSink(): Promise<WebhookSink> {
  let unfinished = 0
  const sink: WebhookSink = {
    url: '',
    received: [],
    unfinished: () => unfinished,
    answer: () => ({ status: 200 }),
  }
  const server = createServer(async (request, response) => {
    const raw = await text(request)
    const received = { headers: request.headers, raw, body: JSON.parse(raw) as Received['body'] }
    sink.received.push(received)
    unfinished++
    response.once('close', () => unfinished--)
    const answer = await sink.answer(received)
    if (answer !== 'never') give(answer, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  sink.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  afterFile(() => {
    server.closeAllConnections()
    server.close()
  })
  return sink
}
