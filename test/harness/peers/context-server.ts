import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

import { afterFile } from '../after-file.ts'

export interface ContextRequest {
  method: string
  /** Includes the query string. */
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** The response: a JSON value, or anything that the handler writes. */
export type ContextAnswer = (asked: ContextRequest, response: ServerResponse) => unknown

export interface ContextServer {
  url: string
  asked: ContextRequest[]
  /** The result is sent as JSON. Undefined means that the handler has responded itself, or never will. */
  answer: ContextAnswer
}

/** A system that an integration queries. Closed after the file's tests. */
export async function contextServer(
  answer: ContextAnswer = () => ({}),
  tls?: { key: string; cert: string },
): Promise<ContextServer> {
  const started: ContextServer = { url: '', asked: [], answer }
  const listener = async (
    request: Parameters<Parameters<typeof createServer>[1] & {}>[0],
    response: ServerResponse,
  ) => {
    const body = await text(request)
    const asked = { method: request.method!, path: request.url!, headers: request.headers, body }
    started.asked.push(asked)
    const json = await started.answer(asked, response)
    if (json !== undefined)
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(json))
  }
  const server = tls
    ? createTlsServer(tls, (request, response) => void listener(request, response))
    : createServer((request, response) => void listener(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  started.url = `${tls ? 'https' : 'http'}://127.0.0.1:${port}`
  afterFile(() => {
    server.closeAllConnections()
    server.close()
  })
  return started
}
