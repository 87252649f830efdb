/** The reference of live-broadcast: broadcasts what one client sends, and does nothing else. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { WebSocketServer } from 'ws'

const http = createServer()
const sockets = new WebSocketServer({ server: http })

sockets.on('connection', (socket) => {
  socket.on('message', (data: Buffer) => {
    const text = data.toString()
    for (const client of sockets.clients) client.send(text)
  })
})

process.on('SIGTERM', () => process.exit())
http.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(http.address() as AddressInfo).port}\n`)
})
