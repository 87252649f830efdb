import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** A port that receives datagrams without responding, and refuses connections. */
export async function silentPort(): Promise<{ port: number; close: () => void }> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { port: socket.address().port, close: () => socket.close() }
}
