/** The reference of webhook-deliveries: POSTs one body repeatedly, for as many ms as a POST to it requests. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

import { Pool } from 'undici'

export interface BareRun {
  url: string
  body: string
  ms: number
  connections: number
}

const server = createServer(async (request, response) => {
  const { url, body, ms, connections } = (await json(request)) as BareRun
  const pool = new Pool(new URL(url).origin, { connections, pipelining: 1 })
  const end = performance.now() + ms
  const post = async () => {
    while (performance.now() < end) {
      const headers = { 'content-type': 'application/json' }
      const answer = await pool.request({ method: 'POST', path: '/', headers, body })
      await answer.body.dump()
    }
  }
  await Promise.all(Array.from({ length: connections }, post))
  await pool.close()
  response.end()
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
process.on('SIGTERM', () => {
  server.closeAllConnections()
  server.close()
})
