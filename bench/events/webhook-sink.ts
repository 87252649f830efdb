/** An endpoint that responds at once. GET returns the number of deliveries so far. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

let count = 0
const server = createServer((request, response) => {
  if (request.method === 'GET') return void response.end(String(count))
  count++
  request.resume()
  request.on('end', () => response.end())
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
process.on('SIGTERM', () => {
  server.closeAllConnections()
  server.close()
})
