/** The reference of sip-calls: returns each request with another first line, and keeps no state. */
import { createSocket } from 'node:dgram'

const socket = createSocket('udp4')

socket.on('message', (bytes, { port, address }) => {
  const text = bytes.toString('latin1')
  if (text.startsWith('ACK ')) return
  const headers = text.slice(text.indexOf('\r\n'), text.indexOf('\r\n\r\n') + 4)
  const answer = headers
    .replace(/\r\nTo: (.*)\r\n/, '\r\nTo: $1;tag=bare\r\n')
    .replace(/Content-Length: .*/, 'Content-Length: 0')
  if (text.startsWith('INVITE ')) socket.send(`SIP/2.0 180 Ringing${answer}`, port, address)
  socket.send(`SIP/2.0 200 OK${answer}`, port, address)
})

process.on('SIGTERM', () => socket.close())
socket.bind(0, '127.0.0.1', () => process.stdout.write(`${socket.address().port}\n`))
