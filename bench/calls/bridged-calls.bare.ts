/** Forwards datagrams unchanged between the ports in the first argument, in pairs: the minimum cost of a relay. */
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'

const ports = JSON.parse(process.argv[2]!) as number[]
const sockets: Socket[] = []
for (const port of ports) {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  socket.connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.on('error', () => {})
  sockets.push(socket)
}
sockets.forEach((socket, i) => {
  const peer = sockets[i ^ 1]!
  socket.on('message', (bytes) => peer.send(bytes))
})

process.on('message', (question) => {
  const { user, system } = process.cpuUsage()
  process.send!(question === 'cpu' ? (user + system) / 1_000 : sockets.map((socket) => socket.address().port))
})
process.on('SIGTERM', () => process.exit())
