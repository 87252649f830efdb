import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface SmsRequest {
  path: string
  headers: IncomingHttpHeaders
  body: string
}

export interface SmsProviderServer {
  url: string
  asked: SmsRequest[]
  close(): Promise<void>
}

interface VendorAnswer {
  status: number
  /** Undefined: the response never ends. */
  body: unknown
}

/** The API of an SMS provider. Without `answer` it never responds. */
export async function startSmsProviderServer(
  answer: (asked: SmsRequest) => VendorAnswer | undefined,
): Promise<SmsProviderServer> {
  const asked: SmsRequest[] = []
  const server = createServer(async (request, response) => {
    const one = { path: request.url ?? '', headers: request.headers, body: await text(request) }
    asked.push(one)
    const answered = answer(one)
    if (!answered) return
    response.writeHead(answered.status, { 'content-type': 'application/json' })
    if (answered.body === undefined) response.write('{')
    else response.end(typeof answered.body === 'string' ? answered.body : JSON.stringify(answered.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
